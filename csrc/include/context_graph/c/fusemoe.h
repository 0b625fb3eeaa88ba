/* A mixture of experts: a gate that chooses by distance, and the chosen experts' weighted sum. */
#ifndef CONTEXT_GRAPH_C_FUSEMOE_H
#define CONTEXT_GRAPH_C_FUSEMOE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cgk_gate { CGK_GATE_LAPLACE = 0, CGK_GATE_SOFTMAX = 1, CGK_GATE_COSINE = 2 } cgk_gate;

/* The k best present experts of each row, best first, ties to the lowest id, and the softmax of score / temperature over them:
 * weights (n, k) and ids (n, k), padded with 0 and -1. experts: e rows. present: a byte an expert, 0 where it is absent, or
 * NULL; the same bytes for all rows where present_stride is 0, else `present_stride` bytes further on for the next row. */
cgk_status cgk_fusemoe_gate(const cgk_rows* x, const cgk_rows* experts, cgk_gate kind, int64_t k, double temperature,
                            const uint8_t* present, int64_t present_stride, float* weights, int64_t* ids, int threads);

/* Row i for expert e begins at data + i * row_stride + e * expert_stride, in numbers; expert_stride 0: one row for all. */
typedef struct cgk_fusemoe_inputs {
    const float* data;
    int64_t n, row_stride, expert_stride;
} cgk_fusemoe_inputs;

/* (experts, dout, din) without gaps; CGK_F32, CGK_F16 or CGK_BF16. */
typedef struct cgk_fusemoe_projections {
    const void* data;
    int64_t experts, dout, din;
    cgk_element element;
} cgk_fusemoe_projections;

/* out (n, dout) = sum over j < k of weights[i, j] * (P_{ids[i, j]} x_i + bias), experts in rising order; id -1 is nothing.
 * bias: (experts, dout) or NULL. */
cgk_status cgk_fusemoe_fuse(const cgk_fusemoe_inputs* inputs, const cgk_fusemoe_projections* projections, const float* bias,
                            const int64_t* ids, const float* weights, int64_t k, float* out, int threads);

#ifdef __cplusplus
}
#endif

#endif
