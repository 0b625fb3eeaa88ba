#pragma once
// What fires together wires together: weights learn from what their two ends did.

#include <cstdint>

#include "dispatch.hpp"
#include "gpu.hpp"
#include "graph.hpp"

namespace cg::hebbian {

// With g = rate * pre * post:  plain  w + g - decay w     (grows without end where nothing clamps it)
//                              soft   w + g (1 - w) - decay w     (never passes 1)
//                              oja    w + rate * post (pre - post w) - decay w     (settles at pre / post)
enum class Kind { plain = 0, soft = 1, oja = 2 };

struct Rule {
    Kind kind;
    float rate, decay, least, most;  // clamped to [least, most] at the end
};

// A backend. Each product and sum is rounded by itself in one order, so all give the same bits. False where a weight is not
// finite afterwards.
struct Kernel {
    // The edges of the sources begin <= s < end, in place; weights as the edges' targets.
    bool (*rows)(float* weights, const Csr& edges, int64_t begin, int64_t end, const float* pre, const float* post,
                 const Rule& rule);
    // The edges of a tile, in place; pre and post point at its blocks.
    bool (*tile)(const Tile& edges, const float* pre, const float* post, const Rule& rule);
};
extern const Kernel kernel_scalar, kernel_avx2, kernel_avx512;
// The table of one of them, and of the one that best_isa() names; BackendUnavailable where it is not usable here.
const Kernel& kernel_of(Isa isa);
const Kernel& best_kernel();

// weights: one an edge, changed in place. pre, post: n numbers. `normalise` then divides the weights of each source by their
// sum, where that is above 0. Throws where a weight is not finite afterwards; the weights are then of no use.
void update(const Kernel& kernel, float* weights, const Csr& edges, const float* pre, const float* post,
            const Rule& rule, bool normalise, int threads);
// The same to the weights that a graph keeps.
void update(const Kernel& kernel, Graph& graph, const float* pre, const float* post, const Rule& rule, bool normalise,
            int threads);

#ifdef CG_HAS_CUDA
// On a device; the arrays of edges, pre and post may lie there or on the host. A graph's weights go there and back.
void update_cuda(float* weights, const Csr& edges, const float* pre, const float* post, const Rule& rule, bool normalise,
                 const gpu::Context& context = {});
void update_cuda(Graph& graph, const float* pre, const float* post, const Rule& rule, bool normalise,
                 const gpu::Context& context = {});
#endif

}  // namespace cg::hebbian
