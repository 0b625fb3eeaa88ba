/* Late interaction: for each query token the best document token, summed. */
#ifndef CONTEXT_GRAPH_C_MAXSIM_H
#define CONTEXT_GRAPH_C_MAXSIM_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Documents one after another: document i owns the tokens offsets[i] ... offsets[i + 1] - 1; offsets rise from 0 to tokens->n.
 * tokens: CGK_F32 or CGK_F16. */
typedef struct cgk_documents {
    const cgk_rows* tokens;
    const int64_t* offsets; /* n + 1 */
    int64_t n;
} cgk_documents;

/* out (n, q): of each document the best inner product with each query token; -INFINITY for a document without tokens. */
cgk_status cgk_maxsim_maxima(const cgk_rows* query, const cgk_documents* documents, float* out, int threads);

/* The k documents with the best sum over the query's tokens of weight times maximum, in order of the tokens: scores (k) and
 * ids (k), ties to the lowest id, padded with -INFINITY and -1. weights: one a query token, or NULL for 1. mask: n bytes of
 * which 0 hides a document, or NULL; those without tokens are left out. */
cgk_status cgk_maxsim_nearest(const cgk_rows* query, const cgk_documents* documents, const float* weights, int64_t k,
                              const uint8_t* mask, float* scores, int64_t* ids, int threads);

#ifdef __cplusplus
}
#endif

#endif
