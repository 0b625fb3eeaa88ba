#pragma once
// Products of a batch of queries with rows by instructions that multiply the parts of 32-bit words: four codes of 8 bits
// (VPDPBUSD) or two numbers of bfloat16 (VDPBF16PS) a word. Included by what is built with them alone, after lanes_avx512.hpp.
//
// A lane is a row: 32 rows by eight queries keep their sums in sixteen registers, and ten loads feed sixteen multiplications,
// so the multipliers are the bound. Rows lie word by word of sixteen, a chunk of them in L1 while all queries pass; the
// rows of the next block come from memory meanwhile.

#include <immintrin.h>

#include <cstdint>

#include "context_graph/batch.hpp"
#include "transpose.hpp"

namespace cg {
namespace {

constexpr int64_t VECTOR_ROWS = 16, BLOCK_ROWS = 2 * VECTOR_ROWS;
constexpr int64_t CHUNK_WORDS = 128, SLAB = 64;  // words of a row, queries
constexpr int64_t LINE = 64;                     // bytes: a word of sixteen rows, and of a group of queries
constexpr int QUERIES_AT_ONCE = 8;

// Packed queries: groups of QUERY_GROUP, a word of each query side by side, then the next word of each.
struct WordPanels {
    const void* data;
    int64_t q, words;
};

// What the next call will read, asked for from memory during this one.
struct NextRows {
    const char* at;
    int64_t bytes;
};

// Advances the sums of 16 V rows by eight queries over some words; `kept` holds them between chunks, and after the last one
// visit(q, v, sums) takes them.
template <class Multiplier, int V, bool FIRST, bool LAST, class Visit>
[[gnu::always_inline]] inline void advance(const char* room, int64_t vector, const char* panel, int64_t words, const char* next,
                                           int64_t lines, typename Multiplier::Sums* kept, const Visit& visit) {
    typename Multiplier::Sums sum[QUERIES_AT_ONCE * V];
#pragma GCC unroll 16
    for (int t = 0; t < QUERIES_AT_ONCE * V; ++t) sum[t] = FIRST ? Multiplier::zero() : kept[t];
    for (int64_t w = 0; w < words; ++w, room += LINE, panel += LINE) {
        if (w < lines) _mm_prefetch(next + w * LINE, _MM_HINT_T1);
        __m512i row[V];
#pragma GCC unroll 2
        for (int v = 0; v < V; ++v) row[v] = _mm512_loadu_si512(room + v * vector);
#pragma GCC unroll 8
        for (int q = 0; q < QUERIES_AT_ONCE; ++q) {
            int32_t word;
            __builtin_memcpy(&word, panel + 4 * q, sizeof word);
            const __m512i query = _mm512_set1_epi32(word);
#pragma GCC unroll 2
            for (int v = 0; v < V; ++v) Multiplier::add(sum[q * V + v], row[v], query);
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

// visit(j, v, products of query j with the rows of vector v) for all queries and 16 V rows, which lie in `room` a vector after the
// other, in each the first word of all its rows, then the next.
template <class Multiplier, int V, class Visit>
[[gnu::always_inline]] inline void each_product(const WordPanels& queries, const void* room, NextRows next, const Visit& visit) {
    const int64_t words = queries.words, vector = words * LINE;
    const int64_t calls = (queries.q + QUERIES_AT_ONCE - 1) / QUERIES_AT_ONCE * ((words + CHUNK_WORDS - 1) / CHUNK_WORDS);
    const int64_t lines = calls > 0 ? (next.bytes / LINE + calls - 1) / calls : 0;
    typename Multiplier::Sums kept[SLAB * V];
    for (int64_t slab = 0; slab < queries.q; slab += SLAB) {
        const int64_t end = queries.q - slab < SLAB ? queries.q : slab + SLAB;
        for (int64_t w = 0; w == 0 || w < words; w += CHUNK_WORDS) {
            const int64_t some = words - w < CHUNK_WORDS ? words - w : CHUNK_WORDS;
            const bool first = w == 0, last = w + CHUNK_WORDS >= words;
            const char* rows = static_cast<const char*>(room) + w * LINE;
            for (int64_t j = slab; j < end; j += QUERIES_AT_ONCE, next.at += lines * LINE) {
                const char* panel = static_cast<const char*>(queries.data) + (j / QUERY_GROUP * words + w) * LINE + j % QUERY_GROUP * 4;
                typename Multiplier::Sums* sums = kept + (j - slab) * V;
                const auto take = [&](int q, int v, typename Multiplier::Sums sum) __attribute__((always_inline)) {
                    if (j + q < end) visit(j + q, v, sum);
                };
                if (first && last) {
                    advance<Multiplier, V, true, true>(rows, vector, panel, some, next.at, lines, sums, take);
                } else if (first) {
                    advance<Multiplier, V, true, false>(rows, vector, panel, some, next.at, lines, sums, take);
                } else if (last) {
                    advance<Multiplier, V, false, true>(rows, vector, panel, some, next.at, lines, sums, take);
                } else {
                    advance<Multiplier, V, false, false>(rows, vector, panel, some, next.at, lines, sums, take);
                }
            }
        }
    }
}

}  // namespace
}  // namespace cg
