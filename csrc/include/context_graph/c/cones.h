/* Entailment cones in the unit Poincare ball: an apex entails what lies in its cone. width is the K of the formula, above 0. */
#ifndef CONTEXT_GRAPH_C_CONES_H
#define CONTEXT_GRAPH_C_CONES_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out (n): 1 where the cone of an apex holds the matching point. */
cgk_status cgk_cones_contains(const cgk_rows* apexes, const cgk_rows* points, double width, uint8_t* out, int threads);
/* out (n): by how much the angle exceeds the aperture, 0 inside. */
cgk_status cgk_cones_energy(const cgk_rows* apexes, const cgk_rows* points, double width, float* out, int threads);
/* out (n): half the opening in radians; pi where the cone is the whole ball. */
cgk_status cgk_cones_aperture(const cgk_rows* apexes, double width, float* out, int threads);
/* out (q, n): 1 where the cone of apex j holds point i. */
cgk_status cgk_cones_ancestors(const cgk_rows* points, const cgk_rows* apexes, double width, uint8_t* out, int threads);
/* out (q, n): 1 where the cone of apex i holds point j. */
cgk_status cgk_cones_descendants(const cgk_rows* apexes, const cgk_rows* points, double width, uint8_t* out, int threads);

#ifdef __cplusplus
}
#endif

#endif
