#pragma once
// The best rows of a batch by products of bfloat16, which VDPBF16PS takes at twice the rate of float32, and tiles at many times.
//
// With row = r + e and query = q + f, r and q rounded to bfloat16:
//     |<query, row> - <q, r>| <= |query| |e| + |f| |r|,  |e| <= 2^-8 |row|          (Cauchy-Schwarz)
// plus the rounding of both sums, at most 2 d 2^-24 |query| |row|. A row whose upper bound is below the k-th best score so far
// cannot be chosen; the others are scored by the very kernel that a full scan uses, so the answer has the same bits.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "context_graph/batch.hpp"
#include "context_graph/select.hpp"
#include "finite.hpp"

namespace cg {

// The nearest, ties to even; numbers below 2^-126 become zero, as tiles take them. Not a number stays so.
inline uint16_t to_bfloat(float value) {
    const auto bits = std::bit_cast<uint32_t>(value);
    if (std::isnan(value)) return 0x7fc0;
    if (std::fabs(value) < 0x1p-126f) return 0;
    return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

inline float of_bfloat(uint16_t value) { return std::bit_cast<float>(uint32_t{value} << 16); }

class RoundedBatch {
   public:
    RoundedBatch(const float* const* queries, int64_t q, int64_t d) {
        const int64_t padded = (d + 31) / 32 * 32;
        panels_.assign((q + QUERY_GROUP - 1) / QUERY_GROUP * QUERY_GROUP * padded, 0);
        for (int64_t j = 0; j < q; ++j) {
            uint16_t* panel = panels_.data() + j / QUERY_GROUP * QUERY_GROUP * padded + j % QUERY_GROUP * 2;
            double square = 0, missing = 0, sum = 0;
            for (int64_t x = 0; x < d; ++x) {
                const double value = queries[j][x];
                const uint16_t rounded = to_bfloat(queries[j][x]);
                panel[x / 2 * 2 * QUERY_GROUP + x % 2] = rounded;
                square += value * value;
                missing += (value - of_bfloat(rounded)) * (value - of_bfloat(rounded));
                sum += std::fabs(value);
            }
            const double size = std::sqrt(square), sums = static_cast<double>(d + 64) * 0x1p-23;
            per_norm_.push_back(static_cast<float>((size * (0x1p-8 + sums) + std::sqrt(missing) * (1 + 0x1p-8)) * ROUND_UP));
            smallest_.push_back(static_cast<float>((sum + static_cast<double>(d) + 1) * 0x1p-125));
        }
        view_ = {panels_.data(), q, padded, per_norm_.data(), smallest_.data()};
    }

    const RoundedQueries& view() const { return view_; }

   private:
    static constexpr double ROUND_UP = 1 + 0x1p-18;

    std::vector<uint16_t> panels_;
    std::vector<float> per_norm_, smallest_;
    RoundedQueries view_;
};

// What one thread chooses from rows begin ... end - 1 for q queries.
//
// masks(first, last, thresholds, out, ld): bit r of out[j * ld + b] is set unless row first + 16 b + r scores below
// thresholds[j] for sure. one(j, row): the score. all(first, last, out, ld): the scores of all queries. Returns how many scores
// were taken.
template <class Masks, class One, class All>
int64_t choose_rounded(int64_t begin, int64_t end, int64_t block, const uint8_t* visible, std::vector<TopK>& chosen,
                    const Masks& masks, const One& one, const All& all) {
    const int64_t q = static_cast<int64_t>(chosen.size()), ld = (block + 15) / 16;
    std::vector<float> thresholds(q), scores;
    std::vector<uint16_t> bits(q * ld);
    constexpr int64_t MAX_SKIP = 16;
    int64_t scored = 0, skip = 0, next_skip = 1;  // where most rows are near the best, products of bfloat16 only cost time
    for (int64_t first = begin; first < end; first += block) {
        const int64_t last = std::min(first + block, end), used = (last - first + 15) / 16;
        int64_t left = q * (last - first);
        if (skip > 0) {
            --skip;
        } else {
            for (int64_t j = 0; j < q; ++j) thresholds[j] = chosen[j].threshold();
            masks(first, last, thresholds.data(), bits.data(), ld);
            left = 0;
            for (int64_t j = 0; j < q; ++j) {
                for (int64_t b = 0; b < used; ++b) left += std::popcount(bits[j * ld + b]);
            }
            const bool most = left > q * (last - first) / 16 && first > begin;
            skip = most ? next_skip : 0;
            next_skip = most ? std::min(2 * next_skip, MAX_SKIP) : 1;
        }
        if (left > q * (last - first) / 16) {  // sooner done for all together
            scored += q * (last - first);
            scores.resize(q * block);
            all(first, last, scores.data(), block);
            for (int64_t j = 0; j < q; ++j) {
                require_finite(scores.data() + j * block, last - first);
                chosen[j].offer_all(scores.data() + j * block, last - first, first, visible ? visible + first : nullptr);
                chosen[j].prune();
            }
            continue;
        }
        scored += left;
        for (int64_t j = 0; j < q && left > 0; ++j) {
            bool any = false;
            for (int64_t b = 0; b < used; ++b) {
                for (unsigned rest = bits[j * ld + b]; rest != 0; rest &= rest - 1) {
                    const int64_t row = first + 16 * b + std::countr_zero(rest);
                    const float score = one(j, row);
                    require_finite(&score, 1);
                    if (visible == nullptr || visible[row]) chosen[j].offer(score, row);
                    any = true;
                }
            }
            if (any) chosen[j].prune();
        }
    }
    return scored;
}

}  // namespace cg
