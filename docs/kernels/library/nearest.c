/* The nearest rows of a query, and the best documents for two words by BM25, from C. */

#include <context_graph.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1000, D = 64, K = 3 };

static void check(cgk_status status) {
    if (status == CGK_OK) return;
    fprintf(stderr, "%s: %s\n", cgk_status_text(status), cgk_message());
    exit(1);
}

/* Numbers in [-1, 1) that any language makes the same: 16 bits of a linear congruential generator. */
static float next(uint32_t* state) {
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 16) / 32768.0f - 1.0f;
}

static void nearest_rows(void) {
    static float rows[N * D], query[D];
    uint32_t state = 1;
    for (int i = 0; i < N * D; ++i) rows[i] = next(&state);
    for (int i = 0; i < D; ++i) query[i] = next(&state);

    const cgk_rows q = {query, 1, D, 0, CGK_F32}, r = {rows, N, D, 0, CGK_F32};
    float scores[K];
    int64_t ids[K];
    check(cgk_dense_topk(&q, &r, NULL, K, NULL, scores, ids, 0));
    for (int i = 0; i < K; ++i) printf("row %lld %.4f\n", (long long)ids[i], scores[i]);
}

static void best_documents(void) {
    /* Three documents as counts of words: 0 the, 1 fox, 2 dog, 3 sleeps. */
    const int64_t terms[] = {0, 1, 0, 2, 3, 0, 1, 3}, sizes[] = {2, 3, 3};
    const float counts[] = {1, 1, 2, 1, 1, 1, 2, 1};
    cgk_sparse_index* index = NULL;
    check(cgk_sparse_create(&index));
    check(cgk_sparse_append(index, terms, counts, sizes, 3));

    const int64_t asked[] = {1, 3};
    int64_t df[2];
    float idf[2];
    check(cgk_sparse_df(index, asked, 2, df));
    for (int i = 0; i < 2; ++i) idf[i] = logf(1.0f + (3 - df[i] + 0.5f) / (df[i] + 0.5f));

    const cgk_sparse_query query = {asked, idf, 2};
    const cgk_bm25 bm25 = {1.2, 0.75};
    float scores[2];
    int64_t ids[2];
    check(cgk_sparse_search(index, &query, &bm25, 2, NULL, 0, scores, ids, 0));
    for (int i = 0; i < 2; ++i) printf("document %lld %.4f\n", (long long)ids[i], scores[i]);
    cgk_sparse_destroy(index);
}

int main(void) {
    nearest_rows();
    best_documents();
    return 0;
}
