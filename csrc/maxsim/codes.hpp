#pragma once
// Documents of codes against a query.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "context_graph/cpu.hpp"
#include "maxsim/refine.hpp"

namespace cg::maxsim {

inline constexpr float MINUS_INFINITY = -std::numeric_limits<float>::infinity();

// So many documents are asked for in one call.
inline constexpr int64_t AT_ONCE = 32;

// What takes the place of `dots`, or null.
inline const TileKernel* tiles_of(const Kernel& kernel) { return amx() ? kernel.tiles : nullptr; }

// Roughly the bytes to be read, per query token.
inline int64_t code_work(const Packed& packed, int64_t documents, int64_t q) {
    const int64_t each = packed.n > 0 ? packed.offsets[packed.n] / packed.n + 1 : 1;
    return documents * each * q * packed.padded / 8;
}

// What one thread needs.
class CodeScorer {
   public:
    CodeScorer(const Kernel& kernel, const FineQuery& query, const Packed& packed)
        : kernel_(kernel), query_(query), packed_(packed), tiles_(tiles_of(kernel)) {}

    // best[(doc - first) * q + i] of documents first <= doc < last, in steps of the query; -inf without a token.
    void maxima(int64_t first, int64_t last, float* best) {
        if (tiles_ != nullptr) return tiles_->maxima(query_.view, packed_, first, last, best);
        for (int64_t doc = first; doc < last; ++doc, best += query_.view.q) {
            std::fill(best, best + query_.view.q, MINUS_INFINITY);
            const int64_t from = packed_.offsets[doc], to = packed_.offsets[doc + 1];
            if (from == to) continue;
            if (from < from_ || to > to_) fetch(from, to, blocks_to(packed_.offsets[last]) * BLOCK);
            kernel_.fold(dots_.data(), ld_, query_.view.q, from - from_, to - from_, best);
        }
    }

    // best[i] of a document that has tokens, and its `dots`. Document `next` is likely to be the next one.
    void maxima_and_dots(int64_t doc, int64_t next, float* best) {
        const int64_t q = query_.view.q, from = packed_.offsets[doc], to = packed_.offsets[doc + 1];
        const int64_t block = from / BLOCK, count = blocks_to(to) - block, size = BLOCK * packed_.padded;
        from_ = block * BLOCK;
        to_ = from_ + count * BLOCK;
        if (count * BLOCK > ld_) {
            ld_ = count * BLOCK;
            dots_.resize(q * ld_);
        }
        const uint8_t* blocks = packed_.blocks + block * size;
        const uint8_t* later = packed_.blocks + packed_.offsets[next] / BLOCK * size;
        if (tiles_ != nullptr) {
            tiles_->dots(query_.view, blocks, packed_.scale + from_, count, later, dots_.data(), ld_);
        } else {
            for (int64_t x = 0; x < count * size; x += 64) __builtin_prefetch(later + x, 0, 2);
            kernel_.dots(query_.view, blocks, packed_.scale + from_, count, dots_.data(), ld_);
        }
        std::fill(best, best + q, MINUS_INFINITY);
        kernel_.fold(dots_.data(), ld_, q, from - from_, to - from_, best);
    }

    // Of the same document the dot products with query token i.
    const float* dots(int64_t i, int64_t doc) const { return dots_.data() + i * ld_ + packed_.offsets[doc] - from_; }

   private:
    static int64_t blocks_to(int64_t token) { return (token + BLOCK - 1) / BLOCK; }

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
    const TileKernel* const tiles_;
    std::vector<float> dots_;
    int64_t from_ = 0, to_ = 0, ld_ = 0;  // the tokens whose dot products are there
};

}  // namespace cg::maxsim
