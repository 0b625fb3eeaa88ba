/* Inner products of queries with many rows, and the k best of them. */
#ifndef CONTEXT_GRAPH_C_DENSE_H
#define CONTEXT_GRAPH_C_DENSE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out (q, n): the inner product of every query with every row. rows: any element; scale, of n numbers or NULL, multiplies the
 * scores of a row, so that CGK_I8 rows mean their integers times it. */
cgk_status cgk_dense_scores(const cgk_rows* queries, const cgk_rows* rows, const float* scale, float* out, int threads);

/* The k best rows of each query: scores (q, k) and ids (q, k), best first, ties to the lowest id, padded with -INFINITY and -1.
 * mask: n bytes of which 0 hides a row, or NULL. Every row is read; nothing is approximated. */
cgk_status cgk_dense_topk(const cgk_rows* queries, const cgk_rows* rows, const float* scale, int64_t k, const uint8_t* mask,
                          float* scores, int64_t* ids, int threads);

#ifdef __cplusplus
}
#endif

#endif
