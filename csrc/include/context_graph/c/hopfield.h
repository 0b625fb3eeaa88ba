/* Modern Hopfield retrieval: a query moves to the softmax mixture of the patterns it resembles. */
#ifndef CONTEXT_GRAPH_C_HOPFIELD_H
#define CONTEXT_GRAPH_C_HOPFIELD_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cgk_hopfield_settings {
    double beta;       /* above 0: the higher, the sharper */
    int64_t steps;     /* updates at most, at least 1 */
    double tolerance;  /* at least 0: a query stops when it moved by at most this */
    int64_t shortlist; /* softmax over so many best scores only; 0: over all */
} cgk_hopfield_settings;

/* What a retrieval writes; every pointer but output may be NULL. */
typedef struct cgk_hopfield_result {
    float* output;      /* (q, d) */
    float* lse;         /* (q): log-sum-exp of beta times the scores at the last step */
    int64_t* steps;     /* (q): updates taken */
    uint8_t* converged; /* (q) */
    float* dropped;     /* (q): share of the softmax that a shortlist left out */
} cgk_hopfield_result;

/* patterns: CGK_F32, CGK_F16 or CGK_BF16, at least one row. mask: n bytes of which 0 hides a pattern, or NULL. */
cgk_status cgk_hopfield_retrieve(const cgk_rows* queries, const cgk_rows* patterns, const cgk_hopfield_settings* settings,
                                 const uint8_t* mask, const cgk_hopfield_result* result, int threads);
/* out (q): how far each query is from rest; an update never raises it. */
cgk_status cgk_hopfield_energy(const cgk_rows* queries, const cgk_rows* patterns, double beta, const uint8_t* mask, float* out,
                               int threads);

#ifdef __cplusplus
}
#endif

#endif
