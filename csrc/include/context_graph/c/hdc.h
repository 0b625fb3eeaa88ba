/* Binary hypervectors of 10,000 bits: xor binds, majority bundles, Hamming distance compares. */
#ifndef CONTEXT_GRAPH_C_HDC_H
#define CONTEXT_GRAPH_C_HDC_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CGK_HDC_BITS 10000
#define CGK_HDC_WORDS 160              /* 64-bit words of a vector; bit i is bit i % 64 of word i / 64, bits past 9,999 are 0 */
#define CGK_HDC_BEYOND (CGK_HDC_BITS + 1) /* a distance no vector has: pads a search */

/* The vectors of n symbols, out (n, 160). */
cgk_status cgk_hdc_items(const uint64_t* symbols, int64_t n, uint64_t seed, uint64_t* out);
/* Exclusive or of matching vectors, row by row. */
cgk_status cgk_hdc_bind(const uint64_t* x, const uint64_t* y, int64_t n, uint64_t* out);
/* Bit i goes to bit (i + by) mod 10,000, row by row. */
cgk_status cgk_hdc_permute(const uint64_t* rows, int64_t n, int64_t by, uint64_t* out);
/* The majority of n vectors, out (160); where votes are even the tie vector of the seed decides. */
cgk_status cgk_hdc_bundle(const uint64_t* rows, int64_t n, uint64_t seed, uint64_t* out);
/* Document i is symbols offsets[i] ... offsets[i + 1] - 1, as the majority of its n-grams; out (n, 160). */
cgk_status cgk_hdc_encode(const uint64_t* symbols, const int64_t* offsets, int64_t n, int64_t ngram, uint64_t seed,
                          uint64_t* out, int threads);
/* out (q, n): how many bits differ. */
cgk_status cgk_hdc_distances(const uint64_t* queries, int64_t q, const uint64_t* rows, int64_t n, int32_t* out, int threads);
/* The k nearest rows of each query: distances (q, k) and ids (q, k), ties to the lowest id, padded with CGK_HDC_BEYOND and -1.
 * mask: n bytes of which 0 hides a row, or NULL. */
cgk_status cgk_hdc_search(const uint64_t* queries, int64_t q, const uint64_t* rows, int64_t n, int64_t k, const uint8_t* mask,
                          int32_t* distances, int64_t* ids, int threads);

#ifdef __cplusplus
}
#endif

#endif
