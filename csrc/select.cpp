#include "context_graph/select.hpp"

#include <algorithm>
#include <cstring>
#include <functional>

namespace cg {

void TopK::push(uint64_t key) {
    if (k_ <= 0) return;
    keys_.push_back(key);
    if (static_cast<int64_t>(keys_.size()) >= 2 * k_ + 64) prune();
}

void TopK::prune() {
    if (static_cast<int64_t>(keys_.size()) < k_ || k_ <= 0) return;
    std::nth_element(keys_.begin(), keys_.begin() + (k_ - 1), keys_.end(), std::greater<>());
    keys_.resize(k_);
    threshold_ = score_of(keys_[k_ - 1]);
}

void TopK::offer_all(const float* scores, int64_t n, int64_t first, const uint8_t* mask) {
    // Nearly all scores fail the threshold: sixteen at a time are looked at together.
    typedef float Four __attribute__((vector_size(16)));
    typedef int FourInt __attribute__((vector_size(16)));
    const auto offer_one = [&](int64_t i) {
        if (scores[i] >= threshold_ && (mask == nullptr || mask[i])) push(key_of(scores[i], first + i));
    };
    int64_t i = 0;
    for (; i + 16 <= n; i += 16) {
        Four four[4];
        std::memcpy(four, scores + i, sizeof four);
        const Four bar = {threshold_, threshold_, threshold_, threshold_};
        const FourInt any = (four[0] >= bar) | (four[1] >= bar) | (four[2] >= bar) | (four[3] >= bar);
        if ((any[0] | any[1] | any[2] | any[3]) == 0) continue;
        for (int64_t x = i; x < i + 16; ++x) offer_one(x);
    }
    for (; i < n; ++i) offer_one(i);
}

std::vector<uint64_t>& TopK::finish() {
    prune();
    std::sort(keys_.begin(), keys_.end(), std::greater<>());
    return keys_;
}

void write_best(std::vector<TopK>& parts, int64_t k, float* scores, int64_t* ids) {
    TopK best(k);
    for (TopK& part : parts) {
        for (uint64_t key : part.finish()) best.push(key);
    }
    const std::vector<uint64_t>& keys = best.finish();
    for (int64_t rank = 0; rank < k; ++rank) {
        const bool filled = rank < static_cast<int64_t>(keys.size());
        scores[rank] = filled ? score_of(keys[rank]) : -std::numeric_limits<float>::infinity();
        ids[rank] = filled ? id_of(keys[rank]) : -1;
    }
}

}  // namespace cg
