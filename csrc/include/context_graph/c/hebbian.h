/* What fires together wires together: weights learn from what their two ends did. */
#ifndef CONTEXT_GRAPH_C_HEBBIAN_H
#define CONTEXT_GRAPH_C_HEBBIAN_H

#include "base.h"
#include "graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* With g = rate * pre * post:  plain  w + g - decay w;  soft  w + g (1 - w) - decay w;
 * oja  w + rate * post (pre - post w) - decay w. */
typedef enum cgk_hebbian_kind { CGK_HEBBIAN_PLAIN = 0, CGK_HEBBIAN_SOFT = 1, CGK_HEBBIAN_OJA = 2 } cgk_hebbian_kind;

typedef struct cgk_hebbian_rule {
    cgk_hebbian_kind kind;
    float rate, decay;
    float min_weight, max_weight; /* weights are clamped to these at the end */
    int normalise;                /* 1: then divides the weights of each source by their sum, where that is above 0 */
} cgk_hebbian_rule;

/* weights: one an edge, changed in place; pre and post: one a node. After CGK_DOMAIN for a weight that is not finite the
 * weights are of no use; for pre or post that are not finite nothing was changed. */
cgk_status cgk_hebbian_update(float* weights, const cgk_edges* edges, const float* pre, const float* post,
                              const cgk_hebbian_rule* rule, int threads);
/* The same to the weights that a graph keeps; min_weight is at least 0. */
cgk_status cgk_hebbian_learn(cgk_graph* graph, const float* pre, const float* post, const cgk_hebbian_rule* rule, int threads);

#ifdef __cplusplus
}
#endif

#endif
