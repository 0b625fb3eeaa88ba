/* A directed graph with weighted edges, kept in the layout that passes over all edges like. */
#ifndef CONTEXT_GRAPH_C_GRAPH_H
#define CONTEXT_GRAPH_C_GRAPH_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Edges by source: those of node s are offsets[s] <= e < offsets[s + 1]; offsets (n + 1) rise from 0, targets lie below n.
 * Fewer than 2^31 - 1 nodes and 2^32 - 1 edges. */
typedef struct cgk_edges {
    const int64_t* offsets;
    const uint32_t* targets;
    int64_t n;
} cgk_edges;

/* Calls on one graph that change its weights exclude all others; those that do not may run at once. */
typedef struct cgk_graph cgk_graph;

/* Copies everything. weights: one an edge, finite and at least 0. The three signals: bytes, 255 for 1, one an edge; all of
 * them or all NULL. cgk_graph_destroy frees what comes back; of NULL it does nothing. */
cgk_status cgk_graph_create(const cgk_edges* edges, const float* weights, const uint8_t* excitatory, const uint8_t* inhibitory,
                            const uint8_t* modulatory, cgk_graph** out);
void cgk_graph_destroy(cgk_graph* graph);
int64_t cgk_graph_nodes(const cgk_graph* graph);
int64_t cgk_graph_edges(const cgk_graph* graph);
/* out: one an edge, by source. */
cgk_status cgk_graph_weights(cgk_graph* graph, float* out);

#ifdef __cplusplus
}
#endif

#endif
