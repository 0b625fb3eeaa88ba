#pragma once
// Edges under neurotransmitters: what an edge weighs now, and what flows along it.

#include <cstdint>

#include "dispatch.hpp"
#include "gpu.hpp"
#include "graph.hpp"

namespace cg::modulation {

// Edges by which a search leaves the end of a path, at most Reached::EDGES.
struct Leaving {
    int64_t first;
    uint32_t count, path;
    float strength;
};

// What edges give, until it is taken: where they lead, by which path and with how much of its strength.
struct Reached {
    static constexpr int64_t EDGES = 64;
    static constexpr int64_t ROOM = 2 * EDGES + 16;  // whole vectors are written
    uint32_t nodes[ROOM], paths[ROOM];
    float strengths[ROOM];
    int64_t count = 0;
};

// Edges are asked for some paths ahead. Most nodes have few, which lie in up to two lines of the cache.
inline void fetch_leaving(const uint32_t* targets, const float* weights, const Leaving* path, const Leaving* end) {
    constexpr int64_t AHEAD = 4, USUAL_EDGES = 15;
    if (end - path <= AHEAD) return;
    const int64_t first = path[AHEAD].first;
    __builtin_prefetch(targets + first);
    __builtin_prefetch(weights + first);
    __builtin_prefetch(targets + first + USUAL_EDGES);
    __builtin_prefetch(weights + first + USUAL_EDGES);
}

// A backend. Every product and sum is rounded by itself, in the same order here as there, so all give the same bits.
struct Kernel {
    // out[i] = base[i] * (((1 + e[i]) - i[i]) + 0.5 m[i]); true where all of it is finite.
    bool (*effective_weight)(const float* base, const float* excitatory, const float* inhibitory,
                             const float* modulatory, int64_t n, float* out);
    // The same of bytes, 255 for 1: out[i] = base[i] * ((510 + 2e - 2i + m) / 510), the sum an exact integer.
    bool (*effective_weight_bytes)(const float* base, const uint8_t* excitatory, const uint8_t* inhibitory,
                                   const uint8_t* modulatory, int64_t n, float* out);
    // to[target] += effective weight * from[source], edge after edge; both point at the tile's blocks.
    void (*flow)(const Tile& edges, const float* from, float* to);
    // Follows paths until more than `enough` edges that carry at least `least`, above 0, were found or the paths end; returns
    // the first that was not followed. gains may be null.
    const Leaving* (*follow)(const uint32_t* targets, const float* weights, const int16_t* gains, const Leaving* path,
                             const Leaving* end, float least, int64_t enough, Reached& reached);
};
extern const Kernel kernel_scalar, kernel_avx2, kernel_avx512;
// The scalar `follow`, which AVX2 takes too: without an instruction that packs lanes, vectors gain nothing on few edges.
const Leaving* follow_one_by_one(const uint32_t* targets, const float* weights, const int16_t* gains,
                                 const Leaving* path, const Leaving* end, float least, int64_t enough,
                                 Reached& reached);
// The table of one of them, and of the one that best_isa() names; BackendUnavailable where it is not usable here.
const Kernel& kernel_of(Isa isa);
const Kernel& best_kernel();

bool effective_weight(const Kernel& kernel, const float* base, const float* excitatory, const float* inhibitory,
                      const float* modulatory, int64_t n, float* out, int threads);
bool effective_weight(const Kernel& kernel, const float* base, const uint8_t* excitatory, const uint8_t* inhibitory,
                      const uint8_t* modulatory, int64_t n, float* out, int threads);

// steps times a <- keep * a + (1 - keep) * (what each node receives). A node sends along its edges at most what it has:
// effective weights are divided by their sum where that exceeds 1. activation: n numbers, changed in place.
void spread(const Kernel& kernel, Graph& graph, float* activation, int steps, float keep, int threads);

struct Ranked {
    int iterations;
    double change;  // sum of absolute differences in the last iteration
};
// Personalised PageRank: r <- (1 - damping) seeds + damping (what each node receives), edges divided by their source's sum;
// what nodes without weight hold goes back to the seeds. seeds: at least 0, sum 1. ranks: out.
Ranked pagerank(const Kernel& kernel, Graph& graph, const float* seeds, float damping, int iterations, double tolerance,
                float* ranks, int threads);

// The k nodes with the strongest way from a seed of at most `hops` edges. A way is worth the seed's strength times the product
// of min(1, effective weight); equal paths prefer fewer hops. strengths (k) and nodes (k, hops + 1): the way from the seed on,
// padded with -1; strengths padded with -inf. A seed is listed only where another seed reaches it with more than its own.
void strongest_paths(const Kernel& kernel, Graph& graph, const int64_t* seeds, const float* seed_strengths, int64_t count, int hops, int64_t k,
                     float* strengths, int64_t* nodes);

#ifdef CG_HAS_CUDA
// The same on a device; pointers of the host or the device, a cudaStream_t or null. Sums agree to rounding.
bool effective_weight_cuda(const float* base, const float* excitatory, const float* inhibitory, const float* modulatory,
                           int64_t n, float* out, const gpu::Context& context = {});
bool effective_weight_cuda(const float* base, const uint8_t* excitatory, const uint8_t* inhibitory,
                           const uint8_t* modulatory, int64_t n, float* out, const gpu::Context& context = {});
void spread_cuda(Graph& graph, float* activation, int steps, float keep, const gpu::Context& context = {});
Ranked pagerank_cuda(Graph& graph, const float* seeds, float damping, int iterations, double tolerance, float* ranks,
                     const gpu::Context& context = {});
// Host pointers.
void strongest_paths_cuda(Graph& graph, const int64_t* seeds, const float* seed_strengths, int64_t count, int hops,
                          int64_t k, float* strengths, int64_t* nodes, const gpu::Context& context = {});
#endif

}  // namespace cg::modulation
