/* An inverted index that grows: documents of (term, value) pairs, scored by dot product or BM25. */
#ifndef CONTEXT_GRAPH_C_SPARSE_H
#define CONTEXT_GRAPH_C_SPARSE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Searches may run in other threads beside one append or set_live: each answers for the documents of one moment. */
typedef struct cgk_sparse_index cgk_sparse_index;

typedef struct cgk_bm25 {
    double k1; /* at least 0; usual is 1.2 */
    double b;  /* in [0, 1]; usual is 0.75 */
} cgk_bm25;

/* n terms and the caller's weights for them, inverse document frequency included. */
typedef struct cgk_sparse_query {
    const int64_t* terms;
    const float* weights;
    int64_t n;
} cgk_sparse_query;

/* cgk_sparse_destroy frees what comes back; of NULL it does nothing. */
cgk_status cgk_sparse_create(cgk_sparse_index** out);
void cgk_sparse_destroy(cgk_sparse_index* index);

/* Adds documents given one after another: sizes[i] pairs each. Terms are at least 0 and unique within a document, values
 * finite; zeros are not kept. Their ids continue the count. */
cgk_status cgk_sparse_append(cgk_sparse_index* index, const int64_t* terms, const float* values, const int64_t* sizes,
                             int64_t documents);
/* Whether documents count in df and in the average length; hide them from a search with its mask. */
cgk_status cgk_sparse_set_live(cgk_sparse_index* index, const int64_t* ids, int64_t n, int live);

int64_t cgk_sparse_size(const cgk_sparse_index* index); /* documents, counting or not */
int64_t cgk_sparse_live(const cgk_sparse_index* index); /* documents that count */
/* out (n): how many counting documents hold each term. */
cgk_status cgk_sparse_df(const cgk_sparse_index* index, const int64_t* terms, int64_t n, int64_t* out);

/* out: the scores of the first n documents, all there are. bm25 NULL: dot products. */
cgk_status cgk_sparse_scores(const cgk_sparse_index* index, const cgk_sparse_query* query, const cgk_bm25* bm25, float* out,
                             int64_t n, int threads);
/* The k best documents: scores (k) and ids (k), ties to the lowest id, padded with -INFINITY and -1. mask: n bytes, one a
 * document, of which 0 hides it; NULL, and n not looked at, for none. */
cgk_status cgk_sparse_search(const cgk_sparse_index* index, const cgk_sparse_query* query, const cgk_bm25* bm25, int64_t k,
                             const uint8_t* mask, int64_t n, float* scores, int64_t* ids, int threads);

#ifdef __cplusplus
}
#endif

#endif
