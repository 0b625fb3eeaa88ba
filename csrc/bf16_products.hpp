#pragma once
// Products of bfloat16 by VDPBF16PS, twice as many an instruction as of float32, for processors that have it and no tiles: rows
// are rounded on the way. Included by what is built with it alone, after lanes_avx512.hpp.

#include "products.inl"
#include "word_products.hpp"

namespace cg {
namespace {

struct Bf16Multiplier {
    using Sums = __m512;
    static Sums zero() { return _mm512_setzero_ps(); }
    // In place: GCC 12 copies every sum around the loop otherwise.
    [[gnu::always_inline]] static void add(Sums& sum, __m512i row, __m512i query) {
        __asm__("vdpbf16ps %2, %1, %0" : "+v"(sum) : "v"(row), "v"(query));
    }
};

[[gnu::always_inline]] inline WordPanels panels_of(const RoundedQueries& queries) {
    return {queries.panels, queries.q, queries.padded / 2};
}

// Rows begin ... begin + 15, the one before `end` again behind it, in bfloat16: a pair of numbers of each row, then the next pair.
// Filled up with zeros; visit(r, a, b) sees the numbers of each row, 32 at a time.
template <class Type, class Row, class Visit>
[[gnu::always_inline]] inline void round_rows(const Row& row, int64_t begin, int64_t end, int64_t d, int64_t padded,
                                              uint16_t* room, const Visit& visit) {
    const char* rows[VECTOR_ROWS];
    for (int64_t r = 0; r < VECTOR_ROWS; ++r) rows[r] = row(begin + r < end ? begin + r : end - 1);
    for (int64_t x = 0; x < padded; x += 32, room += 32 * VECTOR_ROWS) {
        __m512i pairs[VECTOR_ROWS];
        const int64_t left = d - x;
#pragma GCC unroll 16
        for (int r = 0; r < VECTOR_ROWS; ++r) {
            __m512 a, b;
            if (left >= 32) {
                a = Type::load(rows[r], x);
                b = Type::load(rows[r], x + 16);
            } else {
                a = left >= 16 ? Type::load(rows[r], x) : Type::load(rows[r], x, left);
                b = left > 16 ? Type::load(rows[r], x + 16, left - 16) : _mm512_setzero_ps();
            }
            visit(r, a, b);
            pairs[r] = reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(b, a));
        }
        transpose(pairs);
#pragma GCC unroll 16
        for (int t = 0; t < VECTOR_ROWS; ++t) _mm512_storeu_si512(room + 32 * t, pairs[t]);
    }
}

}  // namespace
}  // namespace cg
