// Edges under neurotransmitters: weighing, one step of spreading or PageRank over incoming edges, one hop of the strongest
// ways over outgoing ones.
//
// Weighing is bound by memory, 20 bytes an edge or 11 with signals as bytes. The passes give
// a node to eight lanes: edges are read in a row, 8 to 10 bytes each, and what they gather (4 bytes of a random node) is the
// bound. A node's sum adds its lanes in order of the edges, then folds them in one tree: the same bits every time. Hops use
// an integer maximum on (strength, lowest parent), which no order of threads can change.

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "../csrc/include/context_graph/modulation.hpp"
#include "memory.cuh"
#include "modulation.cuh"

namespace cg::modulation::device {

__device__ inline bool aligned(const void* a) { return reinterpret_cast<uintptr_t>(a) % 16 == 0; }

__device__ inline void check_finite(bool finite, int* not_finite) {
    if (!finite) atomicOr(not_finite, 1);
}

}  // namespace cg::modulation::device

using namespace cg::modulation::device;

// A thread takes four edges at a time.
extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_modulation_weigh_f32(const float* base, const float* excitatory, const float* inhibitory, const float* modulatory,
                            long long n, float* out, int* not_finite) {
    const long long step = static_cast<long long>(gridDim.x) * BLOCK, at = blockIdx.x * BLOCK + threadIdx.x;
    const bool wide = aligned(base) && aligned(excitatory) && aligned(inhibitory) && aligned(modulatory) && aligned(out);
    const long long fours = wide ? n / 4 : 0;
    bool finite = true;
    for (long long i = at; i < fours; i += step) {
        const float4 b = __ldcs(reinterpret_cast<const float4*>(base) + i);
        const float4 e = __ldcs(reinterpret_cast<const float4*>(excitatory) + i);
        const float4 h = __ldcs(reinterpret_cast<const float4*>(inhibitory) + i);
        const float4 m = __ldcs(reinterpret_cast<const float4*>(modulatory) + i);
        const float4 w{__fmul_rn(b.x, factor(e.x, h.x, m.x)), __fmul_rn(b.y, factor(e.y, h.y, m.y)),
                       __fmul_rn(b.z, factor(e.z, h.z, m.z)), __fmul_rn(b.w, factor(e.w, h.w, m.w))};
        finite = finite && isfinite(w.x) && isfinite(w.y) && isfinite(w.z) && isfinite(w.w);
        __stcs(reinterpret_cast<float4*>(out) + i, w);
    }
    for (long long i = fours * 4 + at; i < n; i += step) {
        const float w = __fmul_rn(base[i], factor(excitatory[i], inhibitory[i], modulatory[i]));
        finite = finite && isfinite(w);
        out[i] = w;
    }
    check_finite(finite, not_finite);
}

// A thread takes four edges at a time, a word of each signal: a warp's loads then lie side by side.
extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_modulation_weigh_u8(const float* base, const unsigned char* excitatory, const unsigned char* inhibitory,
                           const unsigned char* modulatory, long long n, float* out, int* not_finite) {
    const long long step = static_cast<long long>(gridDim.x) * BLOCK, at = blockIdx.x * BLOCK + threadIdx.x;
    const bool wide = aligned(base) && aligned(excitatory) && aligned(inhibitory) && aligned(modulatory) && aligned(out);
    const long long fours = wide ? n / 4 : 0;
    bool finite = true;
#pragma unroll 2
    for (long long i = at; i < fours; i += step) {
        const float4 b = __ldcs(reinterpret_cast<const float4*>(base) + i);
        const uint32_t e = __ldcs(reinterpret_cast<const uint32_t*>(excitatory) + i);
        const uint32_t h = __ldcs(reinterpret_cast<const uint32_t*>(inhibitory) + i);
        const uint32_t m = __ldcs(reinterpret_cast<const uint32_t*>(modulatory) + i);
        const auto effective_weight_of = [&](float weight, int x) {
            const auto byte = [x](uint32_t four) { return static_cast<int>((four >> (8 * x)) & 255u); };
            return __fmul_rn(weight, factor(510 + 2 * byte(e) - 2 * byte(h) + byte(m)));
        };
        const float4 w{effective_weight_of(b.x, 0), effective_weight_of(b.y, 1), effective_weight_of(b.z, 2),
                       effective_weight_of(b.w, 3)};
        finite = finite && isfinite(w.x) && isfinite(w.y) && isfinite(w.z) && isfinite(w.w);
        __stcs(reinterpret_cast<float4*>(out) + i, w);
    }
    for (long long i = fours * 4 + at; i < n; i += step) {
        const int gain = 510 + 2 * static_cast<int>(excitatory[i]) - 2 * static_cast<int>(inhibitory[i]) + modulatory[i];
        const float w = __fmul_rn(base[i], factor(gain));
        finite = finite && isfinite(w);
        out[i] = w;
    }
    check_finite(finite, not_finite);
}

// The part of what a node sends along an edge: 1 / max(least, sum of its effective weights), 0 where that is 0.
extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_modulation_shares(const long long* offsets, const float* weights, const int16_t* gains, unsigned n, float least,
                         float* shares) {
    each_node(n, [&](unsigned node, bool there) {
        const long long first = there ? offsets[node] : 0, last = there ? offsets[node + 1] : 0;
        double sum = 0;
        for (long long e = first + lane_of() % TEAM; e < last; e += TEAM) sum += effective(weights, gains, e);
        sum = team_sum(sum);
        if (!there || lane_of() % TEAM != 0) return;
        const float whole = fmaxf(static_cast<float>(sum), least);
        shares[node] = whole > 0 ? __fdiv_rn(1.0f, whole) : 0.0f;
    });
}

// after = keep * before + (1 - keep) * what comes in. offsets, sources, weights, gains: incoming edges by target.
extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_modulation_spread(const long long* offsets, const unsigned* sources, const float* weights, const int16_t* gains,
                         const float* shares, const float* before, unsigned n, float keep, float* after,
                         int* not_finite) {
    bool finite = true;
    each_node(n, [&](unsigned node, bool there) {
        const long long first = there ? offsets[node] : 0, last = there ? offsets[node + 1] : 0;
        float sum = 0;
        for (long long e = first + lane_of() % TEAM; e < last; e += TEAM) {
            const unsigned source = __ldg(sources + e);
            sum = fmaf(effective(weights, gains, e), __ldg(before + source) * __ldg(shares + source), sum);
        }
        sum = team_sum(sum);
        if (!there || lane_of() % TEAM != 0) return;
        const float found = keep * before[node] + (1.0f - keep) * sum;
        finite = finite && isfinite(found);
        after[node] = found;
    });
    check_finite(finite, not_finite);
}

// after = back * seeds + damping * what comes in. totals (gridDim.x, 2): this block's part of sum |after - before|, and of
// what nodes hold that send nothing on.
extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_modulation_rank(const long long* offsets, const unsigned* sources, const float* weights, const int16_t* gains,
                       const float* shares, const float* seeds, const float* before, unsigned n, float damping,
                       const float* back_to_seeds, const int* progress, float* after, double* totals) {
    if (progress[1] != 0) return;  // the same for all threads
    __shared__ double parts[2 * WARPS];
    const float back = *back_to_seeds;
    double change = 0, idle = 0;
    each_node(n, [&](unsigned node, bool there) {
        const long long first = there ? offsets[node] : 0, last = there ? offsets[node + 1] : 0;
        float sum = 0;
        for (long long e = first + lane_of() % TEAM; e < last; e += TEAM) {
            const unsigned source = __ldg(sources + e);
            sum = fmaf(effective(weights, gains, e), __ldg(before + source) * __ldg(shares + source), sum);
        }
        sum = team_sum(sum);
        if (!there || lane_of() % TEAM != 0) return;
        const float found = back * seeds[node] + damping * sum;
        change += fabs(static_cast<double>(found) - before[node]);
        if (shares[node] == 0) idle += found;
        after[node] = found;
    });
    change = warp_sum(change);
    idle = warp_sum(idle);
    if (lane_of() == 0) {
        parts[warp_of()] = change;
        parts[WARPS + warp_of()] = idle;
    }
    __syncthreads();
    if (threadIdx.x < 2) {
        double total = 0;
        for (int w = 0; w < WARPS; ++w) total += parts[threadIdx.x * WARPS + w];
        totals[blockIdx.x * 2 + threadIdx.x] = total;
    }
}

// One block, before the first iteration (no blocks of it; what idle nodes hold is taken here) and after each: what goes back to
// the seeds next, and whether there is a next. progress: iterations done, and 1 where ranks have settled, 2 where they are not finite.
extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_modulation_progress(const double* totals, int blocks, const float* shares, const float* seeds, unsigned n, float damping,
                           double tolerance, float* back_to_seeds, double* change, int* progress) {
    __shared__ double parts[2 * WARPS];
    if (progress[1] != 0) return;  // the same for all threads
    double changed = 0, idle = 0;
    for (int b = threadIdx.x; b < blocks; b += BLOCK) {
        changed += totals[2 * b];
        idle += totals[2 * b + 1];
    }
    if (blocks == 0) {
        for (unsigned i = threadIdx.x; i < n; i += BLOCK) idle += shares[i] == 0 ? seeds[i] : 0.0f;
    }
    changed = warp_sum(changed);
    idle = warp_sum(idle);
    if (lane_of() == 0) {
        parts[warp_of()] = changed;
        parts[WARPS + warp_of()] = idle;
    }
    __syncthreads();  // and all have read `progress`
    if (threadIdx.x != 0) return;
    changed = idle = 0;
    for (int w = 0; w < WARPS; ++w) {
        changed += parts[w];
        idle += parts[WARPS + w];
    }
    *back_to_seeds = static_cast<float>((1.0 - damping) + damping * idle);
    if (blocks == 0) return;
    *change = changed;
    ++progress[0];
    progress[1] = !isfinite(changed) ? 2 : changed <= tolerance ? 1 : 0;
}

// One hop from the nodes that the last one improved. A key is a strength's bits above the inverted parent, 0 for none.
// best: strengths before this hop, only read. offsets, targets, weights, gains: outgoing edges by source.
extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_modulation_relax(const long long* offsets, const unsigned* targets, const float* weights, const int16_t* gains,
                        const uint64_t* improved, const float* best, unsigned n, uint64_t* keys) {
    each_node(n, [&](unsigned node, bool there) {
        const uint64_t key = there ? improved[node] : 0;
        if (key == 0) return;
        const float strength = __uint_as_float(static_cast<uint32_t>(key >> 32));
        for (long long e = offsets[node] + lane_of() % TEAM; e < offsets[node + 1]; e += TEAM) {
            const unsigned target = __ldg(targets + e);
            const float reached = __fmul_rn(strength, fminf(effective(weights, gains, e), 1.0f));
            if (!(reached > best[target])) continue;
            const uint64_t found = static_cast<uint64_t>(__float_as_uint(reached)) << 32 | (0xffffffffu - node);
            atomicMax(reinterpret_cast<unsigned long long*>(keys + target), static_cast<unsigned long long>(found));
        }
    });
}

// What the hop found becomes the best; any[0] is set where it found anything.
extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_modulation_settle(const uint64_t* keys, unsigned n, float* best, int* any) {
    bool found = false;
    for (unsigned i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK) {
        if (keys[i] == 0) continue;
        best[i] = __uint_as_float(static_cast<uint32_t>(keys[i] >> 32));
        found = true;
    }
    if (found) atomicOr(any, 1);
}

namespace cg::modulation {

using namespace cg::cuda;

namespace {

template <class NT, class Kernel>
bool effective_weight_of(Kernel kernel, const float* base, const NT* excitatory, const NT* inhibitory,
                         const NT* modulatory, int64_t n, float* out, const gpu::Context& context) {
    if (n == 0) return true;
    Work work(context);
    const In<float> b(base, n, work.stream);
    const In<NT> e(excitatory, n, work.stream), i(inhibitory, n, work.stream), m(modulatory, n, work.stream);
    const Out<float> found(out, n, work);
    bool finite = true;
    int* const not_finite = work.flag([&finite](unsigned) { finite = false; });
    constexpr int64_t a_block = 4 * BLOCK;
    const auto blocks = std::clamp<int64_t>((n + a_block - 1) / a_block, 1, int64_t{6} * processors());
    kernel<<<static_cast<unsigned>(blocks), BLOCK, 0, work.stream>>>(b.get(), e.get(), i.get(), m.get(), n, found.get(),
                                                                not_finite);
    launched("cg_modulation_weigh");
    found.finish();
    work.end();
    return finite;
}

// How many iterations of PageRank are launched before the host looks whether ranks have settled.
constexpr int ITERATIONS_A_LOOK = 8;

// A graph's edges on the device: outgoing by source, incoming by target. Kept with the graph until its weights change.
struct OnDevice {
    struct Edges {
        Lasting<long long> offsets;
        Lasting<unsigned> ends;
        Lasting<float> weights;
        Lasting<int16_t> gains;
        bool gained;

        const int16_t* gain_data() const { return gained ? gains.get() : nullptr; }
    };
    Edges outgoing, incoming;

    static Edges upload(const int64_t* offsets, const uint32_t* ends, const float* weights, const int16_t* gains,
                        int64_t n, int64_t m) {
        Edges edges{Lasting<long long>(n + 1), Lasting<unsigned>(m), Lasting<float>(m), Lasting<int16_t>(gains ? m : 0),
                    gains != nullptr};
        check(cudaMemcpy(edges.offsets.get(), offsets, (n + 1) * sizeof(int64_t), cudaMemcpyHostToDevice), "offsets");
        if (m == 0) return edges;
        check(cudaMemcpy(edges.ends.get(), ends, m * sizeof(uint32_t), cudaMemcpyHostToDevice), "edges");
        check(cudaMemcpy(edges.weights.get(), weights, m * sizeof(float), cudaMemcpyHostToDevice), "weights");
        if (gains) check(cudaMemcpy(edges.gains.get(), gains, m * sizeof(int16_t), cudaMemcpyHostToDevice), "gains");
        return edges;
    }

    explicit OnDevice(Graph& graph) : outgoing(out_of(graph)), incoming(into(graph)) {
        wait(nullptr);  // a call on any stream finds them
    }

   private:
    static Edges out_of(Graph& graph) {
        const Csr edges = graph.csr();
        return upload(edges.offsets, edges.targets, graph.weights(), graph.gains(), graph.n(), graph.m());
    }

    // A counting sort by target keeps the order of sources.
    static Edges into(Graph& graph) {
        const Csr edges = graph.csr();
        const float* weights = graph.weights();
        const int16_t* gains = graph.gains();
        const int64_t n = graph.n(), m = graph.m();
        std::vector<int64_t> offsets(n + 1, 0);
        for (int64_t e = 0; e < m; ++e) ++offsets[edges.targets[e] + 1];
        std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
        std::vector<int64_t> next(offsets.begin(), offsets.end());
        std::vector<uint32_t> sources(m);
        std::vector<float> in_weights(m);
        std::vector<int16_t> in_gains(gains ? m : 0);
        for (int64_t s = 0; s < n; ++s) {
            for (int64_t e = edges.offsets[s]; e < edges.offsets[s + 1]; ++e) {
                const int64_t at = next[edges.targets[e]]++;
                sources[at] = static_cast<uint32_t>(s);
                in_weights[at] = weights[e];
                if (gains) in_gains[at] = gains[e];
            }
        }
        return upload(offsets.data(), sources.data(), in_weights.data(), gains ? in_gains.data() : nullptr, n, m);
    }
};

std::shared_ptr<OnDevice> resident(Graph& graph) {
    auto kept = std::static_pointer_cast<OnDevice>(graph.on_device());
    if (!kept) {
        kept = std::make_shared<OnDevice>(graph);
        graph.keep_on_device(kept);
    }
    return kept;
}

Buffer<float> shares_of(const OnDevice& edges, int64_t n, float least, Stream stream) {
    Buffer<float> shares(n, stream);
    cg_modulation_shares<<<blocks_of_teams(n), BLOCK, 0, stream>>>(edges.outgoing.offsets.get(), edges.outgoing.weights.get(),
                                                             edges.outgoing.gain_data(), static_cast<unsigned>(n), least,
                                                             shares.get());
    launched("cg_modulation_shares");
    return shares;
}

void copy(void* to, const void* from, size_t bytes, Stream stream) {
    if (bytes > 0) check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream), "copy");
}

}  // namespace

bool effective_weight_cuda(const float* base, const float* excitatory, const float* inhibitory, const float* modulatory,
                           int64_t n, float* out, const gpu::Context& context) {
    return effective_weight_of(cg_modulation_weigh_f32, base, excitatory, inhibitory, modulatory, n, out, context);
}

bool effective_weight_cuda(const float* base, const uint8_t* excitatory, const uint8_t* inhibitory,
                           const uint8_t* modulatory, int64_t n, float* out, const gpu::Context& context) {
    return effective_weight_of(cg_modulation_weigh_u8, base, excitatory, inhibitory, modulatory, n, out, context);
}

void spread_cuda(Graph& graph, float* activation, int steps, float keep, const gpu::Context& context) {
    const int64_t n = graph.n();
    if (n == 0 || steps == 0) return;
    Work work(context);
    const auto edges = resident(graph);
    const Buffer<float> shares = shares_of(*edges, n, 1.0f, work.stream), first(n, work.stream), second(n, work.stream);
    float *before = first.get(), *after = second.get();
    copy(before, activation, n * sizeof(float), work.stream);
    int* const not_finite = work.not_finite();
    for (int step = 0; step < steps; ++step) {
        cg_modulation_spread<<<blocks_of_teams(n), BLOCK, 0, work.stream>>>(
            edges->incoming.offsets.get(), edges->incoming.ends.get(), edges->incoming.weights.get(),
            edges->incoming.gain_data(), shares.get(), before, static_cast<unsigned>(n), keep, after, not_finite);
        launched("cg_modulation_spread");
        std::swap(before, after);
    }
    copy(activation, before, n * sizeof(float), work.stream);
    if (!on_device(activation)) work.brings_home();
    work.end();
}

Ranked pagerank_cuda(Graph& graph, const float* seeds, float damping, int iterations, double tolerance, float* ranks,
                     const gpu::Context& context) {
    const int64_t n = graph.n();
    Ranked ranked{0, 0};
    if (n == 0) return ranked;
    Work work(context);
    const auto edges = resident(graph);
    const unsigned blocks = blocks_of_teams(n);
    const Buffer<float> shares = shares_of(*edges, n, 0.0f, work.stream), start(n, work.stream), first(n, work.stream), second(n, work.stream);
    const Buffer<double> totals(2 * blocks, work.stream), change(1, work.stream);
    const Buffer<float> back(1, work.stream);
    const Buffer<int> progress(2, work.stream);
    copy(start.get(), seeds, n * sizeof(float), work.stream);
    copy(first.get(), start.get(), n * sizeof(float), work.stream);
    check(cudaMemsetAsync(progress.get(), 0, 2 * sizeof(int), work.stream), "progress");
    check(cudaMemsetAsync(change.get(), 0, sizeof(double), work.stream), "progress");
    const auto advance = [&](int parts) {
        cg_modulation_progress<<<1, BLOCK, 0, work.stream>>>(totals.get(), parts, shares.get(), start.get(), static_cast<unsigned>(n),
                                                             damping, tolerance, back.get(), change.get(), progress.get());
        launched("cg_modulation_progress");
    };
    advance(0);
    float* const sides[2] = {first.get(), second.get()};
    for (int launches = 0; launches < iterations;) {
        // What is launched after the last iteration that counts does nothing.
        for (const int stop = std::min(iterations - launches, ITERATIONS_A_LOOK) + launches; launches < stop; ++launches) {
            cg_modulation_rank<<<blocks, BLOCK, 0, work.stream>>>(
                edges->incoming.offsets.get(), edges->incoming.ends.get(), edges->incoming.weights.get(),
                edges->incoming.gain_data(), shares.get(), start.get(), sides[launches % 2], static_cast<unsigned>(n), damping,
                back.get(), progress.get(), sides[(launches + 1) % 2], totals.get());
            launched("cg_modulation_rank");
            advance(static_cast<int>(blocks));
        }
        const HostIn<int> done(progress.get(), 2, work.stream);
        ranked.iterations = done.get()[0];
        if (done.get()[1] == 2) throw std::domain_error("a rank is not finite: a weight or seed is too large");
        if (done.get()[1] == 1) break;
    }
    ranked.change = fetch(change.get(), work.stream);
    copy(ranks, sides[ranked.iterations % 2], n * sizeof(float), work.stream);
    wait(work.stream);
    return ranked;
}

void strongest_paths_cuda(Graph& graph, const int64_t* seeds, const float* seed_strengths, int64_t count, int hops,
                          int64_t k, float* strengths, int64_t* nodes, const gpu::Context& context) {
    const int64_t n = graph.n();
    std::fill(nodes, nodes + k * (hops + 1), -1);
    std::vector<uint64_t> initial_keys(n, 0);
    std::vector<float> best(n, 0.0f);
    for (int64_t i = 0; i < count; ++i) best[seeds[i]] = std::max(best[seeds[i]], seed_strengths[i]);
    for (int64_t i = 0; i < n; ++i) {
        uint32_t bits;
        std::memcpy(&bits, &best[i], sizeof(bits));
        initial_keys[i] = static_cast<uint64_t>(bits) << 32;
    }
    std::vector<std::vector<uint64_t>> found(1, initial_keys);
    if (n > 0 && count > 0) {
        Work work(context);
        const auto edges = resident(graph);
        const Buffer<float> strongest(n, work.stream);
        const Buffer<uint64_t> improved(n, work.stream), keys(n, work.stream);
        copy(strongest.get(), best.data(), n * sizeof(float), work.stream);
        copy(improved.get(), initial_keys.data(), n * sizeof(uint64_t), work.stream);
        const Buffer<int> any(1, work.stream);
        uint64_t *from = improved.get(), *to = keys.get();
        for (int hop = 0; hop < hops; ++hop) {
            check(cudaMemsetAsync(any.get(), 0, sizeof(int), work.stream), "flag");
            check(cudaMemsetAsync(to, 0, n * sizeof(uint64_t), work.stream), "keys");
            cg_modulation_relax<<<blocks_of_teams(n), BLOCK, 0, work.stream>>>(
                edges->outgoing.offsets.get(), edges->outgoing.ends.get(), edges->outgoing.weights.get(),
                edges->outgoing.gain_data(), from, strongest.get(), static_cast<unsigned>(n), to);
            launched("cg_modulation_relax");
            cg_modulation_settle<<<blocks_of_teams(n), BLOCK, 0, work.stream>>>(to, static_cast<unsigned>(n), strongest.get(), any.get());
            launched("cg_modulation_settle");
            if (!fetch(any.get(), work.stream)) break;
            found.emplace_back(n);
            copy(found.back().data(), to, n * sizeof(uint64_t), work.stream);
            wait(work.stream);
            std::swap(from, to);
        }
    }
    // The last hop that improved a node holds its best way.
    std::vector<int> hop_of(n, 0);
    for (size_t hop = 1; hop < found.size(); ++hop) {
        for (int64_t i = 0; i < n; ++i) hop_of[i] = found[hop][i] != 0 ? static_cast<int>(hop) : hop_of[i];
    }
    std::vector<int64_t> ids;
    for (int64_t i = 0; i < n; ++i) {
        if (hop_of[i] != 0) ids.push_back(i);
    }
    const auto strength_bits = [&](int64_t node) { return static_cast<uint32_t>(found[hop_of[node]][node] >> 32); };
    const int64_t listed = std::min<int64_t>(k, ids.size());
    std::partial_sort(ids.begin(), ids.begin() + listed, ids.end(), [&](int64_t a, int64_t b) {
        return strength_bits(a) != strength_bits(b) ? strength_bits(a) > strength_bits(b) : a < b;
    });
    std::fill(strengths, strengths + k, -std::numeric_limits<float>::infinity());
    for (int64_t i = 0; i < listed; ++i) {
        int64_t node = ids[i];
        const uint32_t bits = strength_bits(node);
        std::memcpy(strengths + i, &bits, sizeof(bits));
        for (int hop = hop_of[node]; hop >= 0; --hop) {
            nodes[i * (hops + 1) + hop] = node;
            node = 0xffffffffu - static_cast<uint32_t>(found[hop][node]);
        }
    }
}

}  // namespace cg::modulation
