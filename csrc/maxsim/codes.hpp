#pragma once
// Documents of codes against a query.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "maxsim/refine.hpp"

namespace cg::maxsim {

inline constexpr float MINUS_INFINITY = -std::numeric_limits<float>::infinity();

// Roughly the bytes to be read, per query token.
inline int64_t code_work(const Packed& packed, int64_t documents, int64_t q) {
    const int64_t each = packed.n > 0 ? packed.offsets[packed.n] / packed.n + 1 : 1;
    return documents * each * q * packed.padded / 8;
}

// What one thread needs.
class CodeScorer {
   public:
    CodeScorer(const Kernel& kernel, const FineQuery& query, const Packed& packed)
        : kernel_(kernel), query_(query), packed_(packed) {}

    // best[i] of document doc < end, one number a query token, in steps of the query; -inf without a token. Documents are
    // asked for in rising order, and those up to `end` are likely to follow.
    void maxima(int64_t doc, int64_t end, float* best) {
        const int64_t first = packed_.offsets[doc], last = packed_.offsets[doc + 1];
        std::fill(best, best + query_.view.q, MINUS_INFINITY);
        if (first == last) return;
        if (first < from_ || last > to_) fetch(first, last, (packed_.offsets[end] + BLOCK - 1) / BLOCK * BLOCK);
        kernel_.fold(dots_.data(), ld_, query_.view.q, first - from_, last - from_, best);
    }

    // Of the same document the dot products with query token i.
    const float* dots(int64_t i, int64_t doc) const { return dots_.data() + i * ld_ + packed_.offsets[doc] - from_; }

   private:
    static constexpr int64_t BATCH = 128;  // tokens at a time, whose dot products stay in L1

    // What is there of the document moves to the front, then come whole batches.
    void fetch(int64_t first, int64_t last, int64_t end) {
        const int64_t q = query_.view.q, keep = first / BLOCK * BLOCK, wanted = last - keep + BATCH + BLOCK;
        const int64_t kept = keep >= from_ && keep < to_ ? to_ - keep : 0;
        if (wanted > ld_) {
            std::vector<float> wider(q * wanted);
            for (int64_t i = 0; i < q && kept > 0; ++i) {
                std::copy_n(dots_.data() + i * ld_ + keep - from_, kept, wider.data() + i * wanted);
            }
            dots_.swap(wider);
            ld_ = wanted;
        } else {
            for (int64_t i = 0; i < q && kept > 0; ++i) {
                float* line = dots_.data() + i * ld_;
                std::copy(line + keep - from_, line + keep - from_ + kept, line);
            }
        }
        from_ = keep;
        to_ = keep + kept;
        while (to_ < last) {
            const int64_t count = std::min(BATCH, end - to_);
            kernel_.dots(query_.view, packed_.blocks + to_ * packed_.padded, packed_.scale + to_, count / BLOCK,
                         dots_.data() + to_ - from_, ld_);
            to_ += count;
        }
    }

    const Kernel& kernel_;
    const FineQuery& query_;
    const Packed& packed_;
    std::vector<float> dots_;
    int64_t from_ = 0, to_ = 0, ld_ = 0;  // the tokens whose dot products are there
};

}  // namespace cg::maxsim
