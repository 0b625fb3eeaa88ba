#pragma once
// Top-k selection under one strict order: higher score first, then lower id.

#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace cg {

// A score and an id in one number: comparing keys compares scores, then prefers the lower id. A maximum over
// keys is associative, so neither threads nor blocks can change what is chosen. -0 counts as 0.
inline uint64_t key_of(float score, int64_t id) {
    const float value = score + 0.0f;
    uint32_t bits;  // C++17 has no bit_cast
    std::memcpy(&bits, &value, sizeof bits);
    const uint32_t ordered = bits ^ (bits >> 31 ? 0xffffffffu : 0x80000000u);
    return (uint64_t{ordered} << 32) | (0xffffffffu - static_cast<uint32_t>(id));
}

inline int64_t id_of(uint64_t key) { return 0xffffffffu - static_cast<uint32_t>(key); }

inline float score_of(uint64_t key) {
    const uint32_t ordered = static_cast<uint32_t>(key >> 32);
    const uint32_t bits = ordered ^ (ordered >> 31 ? 0x80000000u : 0xffffffffu);
    float score;
    std::memcpy(&score, &bits, sizeof score);
    return score;
}

// Keeps the k largest keys of a stream: appends what passes the threshold and thins out now and then.
class TopK {
   public:
    explicit TopK(int64_t k) : k_(k) {}

    // `threshold()` is cheap to compare with; at equal scores the key decides.
    void offer(float score, int64_t id) {
        if (score >= threshold_) push(key_of(score, id));
    }
    // Scores of ids first, first + 1, ...; mask as long, 0 hides, may be null.
    void offer_all(const float* scores, int64_t n, int64_t first, const uint8_t* mask);
    // As many as k scores at least this good have been seen; -inf before that.
    float threshold() const { return threshold_; }
    void push(uint64_t key);
    // Brings the threshold up to date.
    void prune();
    // At most k keys, best first.
    std::vector<uint64_t>& finish();

   private:
    int64_t k_;
    float threshold_ = -std::numeric_limits<float>::infinity();
    std::vector<uint64_t> keys_;
};

// Joins the parts' choices and writes k scores and ids, padded with -inf and -1.
void write_best(std::vector<TopK>& parts, int64_t k, float* scores, int64_t* ids);

}  // namespace cg
