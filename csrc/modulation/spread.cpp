// Passes over all edges. A thread owns whole blocks of targets, so every sum is added up by one thread, in order of source.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>
#include <vector>

#include "context_graph/modulation.hpp"
#include "context_graph/threads.hpp"
#include "finite.hpp"

namespace cg::modulation {
namespace {

constexpr int64_t SLICE = 1 << 18;  // edges between two looks at the work left

template <class NT>
bool effective_weight_of(bool (*kernel)(const float*, const NT*, const NT*, const NT*, int64_t, float*),
                         const float* base, const NT* excitatory, const NT* inhibitory, const NT* modulatory, int64_t n,
                         float* out, int threads) {
    std::atomic<bool> finite{true};
    split((n + SLICE - 1) / SLICE, worth_waking(threads, n), [&](int, int64_t begin, int64_t end) {
        const int64_t from = begin * SLICE, count = std::min(end * SLICE, n) - from;
        if (!kernel(base + from, excitatory + from, inhibitory + from, modulatory + from, count, out + from)) {
            finite = false;
        }
    });
    return finite;
}

// Calls visit(block) for every block of targets, each once.
template <class Visit>
void each_block(const Graph& graph, int threads, const Visit& visit) {
    std::atomic<int64_t> next{0};
    run_tasks(worth_waking(threads, graph.m() + graph.n()), [&](int) {
        for (int64_t block; (block = next++) < graph.blocks();) visit(block);
    });
}

// One number a node, on huge pages: what is gathered at random misses the page table else.
struct Column {
    explicit Column(int64_t n) : arena(std::max<size_t>(n * sizeof(float), 1)), data(static_cast<float*>(arena.data())) {}
    float& operator[](int64_t i) { return data[i]; }

    Arena arena;
    float* data;
};

// What each node of the block receives.
void gather(const Kernel& kernel, const Graph& graph, int64_t block, const float* from, float* to) {
    std::fill(to + graph.block_begin(block), to + graph.block_end(block), 0.0f);
    for (int64_t source = 0; source < graph.blocks(); ++source) {
        kernel.flow(graph.tile(source, block), from + graph.block_begin(source), to + graph.block_begin(block));
    }
}

}  // namespace

bool effective_weight(const Kernel& kernel, const float* base, const float* excitatory, const float* inhibitory,
                      const float* modulatory, int64_t n, float* out, int threads) {
    return effective_weight_of(kernel.effective_weight, base, excitatory, inhibitory, modulatory, n, out, threads);
}

bool effective_weight(const Kernel& kernel, const float* base, const uint8_t* excitatory, const uint8_t* inhibitory,
                      const uint8_t* modulatory, int64_t n, float* out, int threads) {
    return effective_weight_of(kernel.effective_weight_bytes, base, excitatory, inhibitory, modulatory, n, out,
                               threads);
}

void spread(const Kernel& kernel, Graph& graph, float* activation, int steps, float keep, int threads) {
    if (steps == 0) return;
    const int64_t n = graph.n();
    const float give = 1.0f - keep;
    const std::vector<float>& outgoing = graph.outgoing(threads);
    Column shares(n), sent(n), sent_next(n), received(n);
    for (int64_t i = 0; i < n; ++i) {
        shares[i] = outgoing[i] > 1.0f ? 1.0f / outgoing[i] : 1.0f;
        sent[i] = activation[i] * shares[i];
    }
    for (int step = 0; step < steps; ++step) {
        each_block(graph, threads, [&](int64_t block) {
            gather(kernel, graph, block, sent.data, received.data);
            for (int64_t i = graph.block_begin(block); i < graph.block_end(block); ++i) {
                activation[i] = keep * activation[i] + give * received[i];
                sent_next[i] = activation[i] * shares[i];
            }
        });
        std::swap(sent.data, sent_next.data);
    }
    require_finite(activation, n);
}

Ranked pagerank(const Kernel& kernel, Graph& graph, const float* seeds, float damping, int iterations, double tolerance,
                float* ranks, int threads) {
    const int64_t n = graph.n();
    const std::vector<float>& outgoing = graph.outgoing(threads);
    Column shares(n), sent(n), sent_next(n), received(n);
    double idle = 0;  // held by nodes that send nothing
    for (int64_t i = 0; i < n; ++i) {
        shares[i] = outgoing[i] > 0 ? 1.0f / outgoing[i] : 0.0f;
        ranks[i] = seeds[i];
        sent[i] = ranks[i] * shares[i];
        if (shares[i] == 0) idle += ranks[i];
    }
    std::vector<double> changes(graph.blocks()), idles(graph.blocks());
    Ranked ranked{0, 0};
    while (ranked.iterations < iterations) {
        const float back = static_cast<float>((1.0 - damping) + damping * idle);
        each_block(graph, threads, [&](int64_t block) {
            gather(kernel, graph, block, sent.data, received.data);
            double change = 0, kept = 0;
            for (int64_t i = graph.block_begin(block); i < graph.block_end(block); ++i) {
                const float rank = back * seeds[i] + damping * received[i];
                change += std::fabs(rank - ranks[i]);
                if (shares[i] == 0) kept += rank;
                ranks[i] = rank;
                sent_next[i] = rank * shares[i];
            }
            changes[block] = change;
            idles[block] = kept;
        });
        std::swap(sent.data, sent_next.data);
        ranked = {ranked.iterations + 1, 0};
        idle = 0;
        for (int64_t block = 0; block < graph.blocks(); ++block) {
            ranked.change += changes[block];
            idle += idles[block];
        }
        if (ranked.change <= tolerance) break;
    }
    require_finite(ranks, n);
    return ranked;
}

}  // namespace cg::modulation
