// Hebbian learning: eight lanes a source, its edges in a row.
//
// An edge moves 12 bytes (weight in and out, target) and gathers 4 of a random node, which is the bound. A weight is written by
// the lane that read it: no atomics. Products and sums are rounded one by one in the CPU's order, so weights have its bits; a
// row's sum for normalising adds lanes in float64 and folds them in one tree.

#include <cuda_runtime.h>

#include <stdexcept>
#include <vector>

#include "../csrc/include/context_graph/hebbian.hpp"
#include "check.cuh"
#include "memory.cuh"
#include "modulation.cuh"

namespace cg::hebbian::device {

using namespace cg::modulation::device;

// What was looked at on the device before: flags that hold the lowest entry that is not allowed.
constexpr int LOOKS = 4;
constexpr unsigned NOTHING = 0xffffffffu;

template <int KIND>
__device__ inline float learned(float weight, float pre, float post, const Rule& rule) {
    float gain;
    if (KIND == static_cast<int>(Kind::oja)) {
        gain = __fmul_rn(__fmul_rn(rule.rate, post), __fsub_rn(pre, __fmul_rn(post, weight)));
    } else {
        gain = __fmul_rn(__fmul_rn(rule.rate, pre), post);
        if (KIND == static_cast<int>(Kind::soft)) gain = __fmul_rn(gain, __fsub_rn(1.0f, weight));
    }
    const float next = __fsub_rn(__fadd_rn(weight, gain), __fmul_rn(rule.decay, weight));
    const float raised = next < rule.least ? rule.least : next;  // NaN stays NaN
    return raised > rule.most ? rule.most : raised;
}

template <int KIND>
__device__ inline void update(float* weights, const long long* offsets, const unsigned* targets, const float* pre,
                              const float* post, unsigned n, const Rule& rule, bool normalise, const unsigned* refused,
                              int* not_finite) {
    for (int look = 0; refused != nullptr && look < LOOKS; ++look) {
        if (refused[look] != NOTHING) return;  // the same for all threads
    }
    bool finite = true;
    each_node(n, [&](unsigned node, bool there) {
        const long long first = there ? offsets[node] : 0, last = there ? offsets[node + 1] : 0;
        const float before = there ? pre[node] : 0.0f;
        double sum = 0;
        for (long long e = first + lane_of() % TEAM; e < last; e += TEAM) {
            const float weight = learned<KIND>(weights[e], before, __ldg(post + __ldg(targets + e)), rule);
            finite = finite && isfinite(weight);
            sum += weight;
            weights[e] = weight;
        }
        if (!normalise) return;  // the same for all threads
        sum = team_sum(sum);
        const float scale = sum > 0 ? static_cast<float>(1.0 / sum) : 1.0f;
        for (long long e = first + lane_of() % TEAM; e < last; e += TEAM) weights[e] = __fmul_rn(weights[e], scale);
    });
    if (!finite) atomicOr(not_finite, 1);
}

}  // namespace cg::hebbian::device

using namespace cg::hebbian::device;

#define CG_UPDATE(name, KIND)                                                                                         \
    extern "C" __global__ void __launch_bounds__(BLOCK)                                                               \
        cg_hebbian_update_##name(float* weights, const long long* offsets, const unsigned* targets, const float* pre, \
                                 const float* post, unsigned n, float rate, float decay, float least, float most,     \
                                 int normalise, const unsigned* refused, int* not_finite) {                           \
        const cg::hebbian::Rule rule{static_cast<cg::hebbian::Kind>(KIND), rate, decay, least, most};                 \
        update<KIND>(weights, offsets, targets, pre, post, n, rule, normalise != 0, refused, not_finite);             \
    }

CG_UPDATE(plain, 0)
CG_UPDATE(soft, 1)
CG_UPDATE(oja, 2)

namespace cg::hebbian {

using namespace cg::cuda;

namespace {

// A look at `count` values on the device; host arrays are the caller's to look at.
template <class T, class Kernel>
unsigned* look(Work& work, const T* values, int64_t count, Kernel kernel, Work::Refuse refuse) {
    unsigned* const bad = work.lowest_row(std::move(refuse));
    if (!on_device(values) || count == 0) return bad;
    kernel(static_cast<unsigned>((count + BLOCK - 1) / BLOCK), values, static_cast<unsigned>(count), bad);
    return bad;
}

// Before a weight is changed: the flags of targets, pre, post and offsets side by side, from the first on. Null where all lie on
// the host.
const unsigned* looks(Work& work, const Csr& edges, int64_t m, const float* pre, const float* post) {
    if (!on_device(edges.offsets) && !on_device(edges.targets) && !on_device(pre) && !on_device(post)) return nullptr;
    const auto stream = work.stream;
    const auto refuse = [](const char* name, const std::string& wanted) {
        return [=](unsigned entry) {
            throw std::domain_error(std::string(name) + " must " + wanted + ", got another at " + std::to_string(entry) +
                                    "; no weight was changed");
        };
    };
    const auto finite = [=](unsigned blocks, const float* values, unsigned count, unsigned* bad) {
        cg_check_finite<<<blocks, BLOCK, 0, stream>>>(values, count, bad);
        launched("cg_check_finite");
    };
    unsigned* const first = look(work, edges.targets, m, [=, n = static_cast<unsigned>(edges.n)](
                                     unsigned blocks, const uint32_t* targets, unsigned count, unsigned* bad) {
        cg_check_nodes<<<blocks, BLOCK, 0, stream>>>(targets, count, n, bad);
        launched("cg_check_nodes");
    }, refuse("targets", "lie in [0, " + std::to_string(edges.n) + ")"));
    look(work, pre, edges.n, finite, refuse("pre", "be finite"));
    look(work, post, edges.n, finite, refuse("post", "be finite"));
    if (!on_device(edges.offsets)) work.lowest_row([](unsigned) {});  // in the place of theirs
    return first;
}

}  // namespace

void update_cuda(float* weights, const Csr& edges, const float* pre, const float* post, const Rule& rule, bool normalise,
                 const gpu::Context& context) {
    // Edges on the device say only there how many they are.
    const int64_t n = edges.n, m = edges.edges();
    if (m == 0) return;
    Work work(context);
    const unsigned* const refused = looks(work, edges, m, pre, post);
    const Offsets offsets(edges.offsets, n, m, "weights", work);
    const In<unsigned> targets(edges.targets, m, work.stream);
    const In<float> before(pre, n, work.stream), after(post, n, work.stream);
    const Out<float> learning(weights, m, work);
    if (learning.get() != weights) {
        check(cudaMemcpyAsync(learning.get(), weights, m * sizeof(float), cudaMemcpyHostToDevice, work.stream), "weights");
    }
    int* const not_finite = work.not_finite();
    const auto kernel = rule.kind == Kind::plain ? cg_hebbian_update_plain
                        : rule.kind == Kind::soft ? cg_hebbian_update_soft
                                                  : cg_hebbian_update_oja;
    kernel<<<blocks_of_teams(n), BLOCK, 0, work.stream>>>(learning.get(), offsets.get(), targets.get(), before.get(),
                                                                after.get(), static_cast<unsigned>(n), rule.rate,
                                                                rule.decay, rule.least, rule.most, normalise,
                                                                refused, not_finite);
    launched("cg_hebbian_update");
    learning.finish();
    work.end();
}

void update_cuda(Graph& graph, const float* pre, const float* post, const Rule& rule, bool normalise, const gpu::Context& context) {
    std::vector<float> weights(graph.weights(), graph.weights() + graph.m());
    update_cuda(weights.data(), graph.csr(), pre, post, rule, normalise, context);
    graph.set_weights(weights.data());
}

}  // namespace cg::hebbian
