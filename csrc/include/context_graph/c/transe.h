/* Facts as translations: head + relation lies near the tail. */
#ifndef CONTEXT_GRAPH_C_TRANSE_H
#define CONTEXT_GRAPH_C_TRANSE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cgk_transe_norm { CGK_TRANSE_L1 = 1, CGK_TRANSE_L2 = 2 } cgk_transe_norm;

/* out (n): -|head + relation - tail| of matching rows. */
cgk_status cgk_transe_score(const cgk_rows* heads, const cgk_rows* relations, const cgk_rows* tails, cgk_transe_norm norm,
                            float* out, int threads);
/* The k tails nearest to each head + relation: scores (q, k) and ids (q, k), best first, ties to the lowest id, padded with
 * -INFINITY and -1. mask: n bytes of which 0 hides a tail, or NULL. */
cgk_status cgk_transe_nearest(const cgk_rows* heads, const cgk_rows* relations, const cgk_rows* tails, cgk_transe_norm norm,
                              int64_t k, const uint8_t* mask, float* scores, int64_t* ids, int threads);

#ifdef __cplusplus
}
#endif

#endif
