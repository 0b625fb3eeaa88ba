#pragma once
// Products of bfloat16 by VDPBF16PS, twice as many an instruction as of float32, for processors that have it and no tiles.
// Included by what is built with it alone, after lanes_avx512.hpp.
//
// A lane is a row: 32 rows by eight queries keep their sums in sixteen registers, and ten loads feed sixteen multiplications,
// so the multipliers are the bound. Rows are rounded on the way and lie pair by pair of numbers, a chunk of them in L1
// while all queries pass; the rows of the next block come from memory meanwhile.

#include <immintrin.h>

#include <cstdint>

#include "context_graph/batch.hpp"
#include "products.inl"
#include "transpose.hpp"

namespace cg {
namespace {

constexpr int64_t VECTOR_ROWS = 16, BLOCK_ROWS = 2 * VECTOR_ROWS;
constexpr int64_t CHUNK = 256, SLAB = 64;  // numbers of a row, queries
constexpr int QUERIES_AT_ONCE = 8;

// Rows begin ... begin + 15, the one before `end` again behind it, in bfloat16: pair x / 2 of all rows, then the next pair.
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

// In place: GCC 12 copies every sum around the loop otherwise.
[[gnu::always_inline]] inline void multiply_add(__m512& sum, __m512i row, __m512i query) {
    __asm__("vdpbf16ps %2, %1, %0" : "+v"(sum) : "v"(row), "v"(query));
}

// Advances the sums of 16 V rows by eight queries over some pairs; `kept` holds them between chunks, and after the last one
// visit(q, v, sums) takes them. Half a line a step is fetched from `next` on.
template <int V, bool FIRST, bool LAST, class Visit>
[[gnu::always_inline]] inline void advance(const uint16_t* room, int64_t vector, const uint16_t* panel, int64_t pairs,
                                           const char* next, __m512* kept, const Visit& visit) {
    __m512 sum[QUERIES_AT_ONCE * V];
#pragma GCC unroll 16
    for (int t = 0; t < QUERIES_AT_ONCE * V; ++t) sum[t] = FIRST ? _mm512_setzero_ps() : kept[t];
    for (int64_t x = 0; x < pairs; ++x, room += 2 * VECTOR_ROWS, panel += 2 * QUERY_GROUP) {
        if (x % 2 == 0) _mm_prefetch(next + x / 2 * 64, _MM_HINT_T1);
        __m512i row[V];
#pragma GCC unroll 2
        for (int v = 0; v < V; ++v) row[v] = _mm512_loadu_si512(room + v * vector);
#pragma GCC unroll 8
        for (int q = 0; q < QUERIES_AT_ONCE; ++q) {
            int32_t pair;
            __builtin_memcpy(&pair, panel + 2 * q, sizeof pair);
            const __m512i query = _mm512_set1_epi32(pair);
#pragma GCC unroll 2
            for (int v = 0; v < V; ++v) multiply_add(sum[q * V + v], row[v], query);
        }
    }
#pragma GCC unroll 16
    for (int t = 0; t < QUERIES_AT_ONCE * V; ++t) {
        if (LAST) {
            visit(t / V, t % V, sum[t]);
        } else {
            kept[t] = sum[t];
        }
    }
}

// visit(j, v, products of query j with the rows of vector v) for all queries and 16 V rows as `round_rows` wrote them. What the next call reads begins at `next`.
template <int V, class Visit>
[[gnu::always_inline]] inline void each_product(const RoundedQueries& queries, const uint16_t* room, const char* next,
                                                const Visit& visit) {
    const int64_t padded = queries.padded, vector = VECTOR_ROWS * padded;
    __m512 kept[SLAB * V];
    for (int64_t slab = 0; slab < queries.q; slab += SLAB) {
        const int64_t end = queries.q - slab < SLAB ? queries.q : slab + SLAB;
        for (int64_t x = 0; x == 0 || x < padded; x += CHUNK) {
            const int64_t pairs = (padded - x < CHUNK ? padded - x : CHUNK) / 2;
            const bool first = x == 0, last = x + CHUNK >= padded;
            for (int64_t j = slab; j < end; j += QUERIES_AT_ONCE, next += pairs / 2 * 64) {
                const uint16_t* panel = queries.panels + j / QUERY_GROUP * QUERY_GROUP * padded + x * QUERY_GROUP + j % QUERY_GROUP * 2;
                const uint16_t* rows = room + x * VECTOR_ROWS;
                __m512* sums = kept + (j - slab) * V;
                const auto take = [&](int q, int v, __m512 sum) __attribute__((always_inline)) {
                    if (j + q < end) visit(j + q, v, sum);
                };
                if (first && last) {
                    advance<V, true, true>(rows, vector, panel, pairs, next, sums, take);
                } else if (first) {
                    advance<V, true, false>(rows, vector, panel, pairs, next, sums, take);
                } else if (last) {
                    advance<V, false, true>(rows, vector, panel, pairs, next, sums, take);
                } else {
                    advance<V, false, false>(rows, vector, panel, pairs, next, sums, take);
                }
            }
        }
    }
}

}  // namespace
}  // namespace cg
