/* Edges under neurotransmitters: what an edge weighs now, and what flows along it. */
#ifndef CONTEXT_GRAPH_C_MODULATION_H
#define CONTEXT_GRAPH_C_MODULATION_H

#include "base.h"
#include "graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out[i] = base[i] * (1 + e[i] - i[i] + m[i] / 2), n numbers. */
cgk_status cgk_modulation_effective_weight(const float* base, const float* excitatory, const float* inhibitory,
                                           const float* modulatory, int64_t n, float* out, int threads);
/* The same of signals kept as bytes, 255 for 1. */
cgk_status cgk_modulation_effective_weight_bytes(const float* base, const uint8_t* excitatory, const uint8_t* inhibitory,
                                                 const uint8_t* modulatory, int64_t n, float* out, int threads);

/* steps times a <- keep * a + (1 - keep) * (what each node receives); a node sends along its edges at most what it has.
 * activation: one a node, changed in place. keep in [0, 1]. */
cgk_status cgk_modulation_spread(cgk_graph* graph, float* activation, int steps, float keep, int threads);

/* Personalised PageRank. seeds: one a node, at least 0, not all 0; they are scaled to a sum of 1. Ends after `iterations`, or
 * once the ranks changed by at most `tolerance` in all. done and change tell when and by how much at last; both may be NULL. */
cgk_status cgk_modulation_pagerank(cgk_graph* graph, const float* seeds, float damping, int iterations, double tolerance,
                                   float* ranks, int* done, double* change, int threads);

/* The k nodes with the strongest way from a seed of at most `hops` edges: strengths (k) and nodes (k, hops + 1), the way from
 * the seed on, padded with -INFINITY and -1. A way is worth the seed's strength times the product of min(1, effective weight).
 * seed_strengths: above 0, or NULL for 1. */
cgk_status cgk_modulation_strongest_paths(cgk_graph* graph, const int64_t* seeds, const float* seed_strengths, int64_t count,
                                          int hops, int64_t k, float* strengths, int64_t* nodes);

#ifdef __cplusplus
}
#endif

#endif
