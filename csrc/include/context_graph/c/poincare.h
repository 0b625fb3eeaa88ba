/* The Poincare ball of curvature -c, radius 1/sqrt(c): 1e-20 <= c <= 1e20, points strictly inside. */
#ifndef CONTEXT_GRAPH_C_POINCARE_H
#define CONTEXT_GRAPH_C_POINCARE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out (n): the distance of matching rows. */
cgk_status cgk_poincare_distance(const cgk_rows* x, const cgk_rows* y, double c, float* out, int threads);
/* out (q, n): of all pairs. */
cgk_status cgk_poincare_distances(const cgk_rows* queries, const cgk_rows* rows, double c, float* out, int threads);
/* The k nearest rows of each query: distances (q, k) and ids (q, k), ties to the lowest id, padded with INFINITY and -1.
 * mask: n bytes of which 0 hides a row, or NULL. */
cgk_status cgk_poincare_nearest(const cgk_rows* queries, const cgk_rows* rows, double c, int64_t k, const uint8_t* mask,
                                float* distances, int64_t* ids, int threads);
/* out (n, d): where the geodesic from x with velocity v is after one unit of time; v has any finite numbers. */
cgk_status cgk_poincare_exp_map(const cgk_rows* x, const cgk_rows* v, double c, float* out, int threads);
/* out (n, d): the velocity that leads from x to y. */
cgk_status cgk_poincare_log_map(const cgk_rows* x, const cgk_rows* y, double c, float* out, int threads);
/* out (n, d): the Moebius sum. */
cgk_status cgk_poincare_mobius_add(const cgk_rows* x, const cgk_rows* y, double c, float* out, int threads);
/* out (n, d): rows beyond 1 - eps of the radius come back to it, 1e-6 <= eps < 1; others keep their bits. */
cgk_status cgk_poincare_project(const cgk_rows* x, double c, double eps, float* out, int threads);

#ifdef __cplusplus
}
#endif

#endif
