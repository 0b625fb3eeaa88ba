// Strongest ways of bounded length: hop after hop from the nodes that the last hop improved and that can still matter.
//
// A way only loses strength as it goes on. Once k nodes are reached with at least a certain strength, a weaker way can neither
// be listed nor lead to one that is, so no hop goes on from more than about k nodes, however many the graph has.

#include <algorithm>
#include <limits>
#include <mutex>
#include <vector>

#include "context_graph/modulation.hpp"
#include "context_graph/select.hpp"

namespace cg::modulation {
namespace {

constexpr uint32_t NONE = 0xffffffffu;
constexpr int64_t LOOKED_AHEAD = 16;  // edges of a node to come whose targets are fetched

// A way to `node`: the way `parent` and one edge more.
struct Way {
    uint32_t node, parent;
    float strength;
};

// What a search needs per node of the graph; cleared by what was touched, for most nodes are not.
struct Desk {
    std::vector<float> best;         // strength of the best way so far, 0 without one
    std::vector<uint32_t> best_way;  // its place in `ways`
    std::vector<uint32_t> touched;
    std::vector<Way> ways;           // hop after hop
};

// Kept for the next search, since filling it for a large graph takes longer than the search.
std::mutex desk_mutex;
std::unique_ptr<Desk> spare_desk;

std::unique_ptr<Desk> take_desk(int64_t n) {
    std::unique_ptr<Desk> desk;
    {
        std::lock_guard<std::mutex> lock(desk_mutex);
        desk = std::move(spare_desk);
    }
    if (!desk) desk = std::make_unique<Desk>();
    if (static_cast<int64_t>(desk->best.size()) < n) {
        desk->best.resize(n, 0.0f);
        desk->best_way.resize(n, NONE);
    }
    return desk;
}

void give_back(std::unique_ptr<Desk> desk) {
    for (const uint32_t node : desk->touched) desk->best[node] = 0.0f;
    desk->touched.clear();
    desk->ways.clear();
    std::lock_guard<std::mutex> lock(desk_mutex);
    if (!spare_desk || spare_desk->best.size() < desk->best.size()) spare_desk = std::move(desk);
}

// Takes the way to `node` if it is the best; among ways of one hop, `first` and later, the lower parent wins a tie.
void improve(Desk& desk, uint32_t node, uint32_t parent, float strength, uint32_t first) {
    const float best = desk.best[node];
    const uint32_t known = best > 0 ? desk.best_way[node] : NONE;
    const bool same_hop = known != NONE && known >= first;
    if (strength == best) {
        if (!same_hop || parent == NONE) return;
        if (desk.ways[desk.ways[known].parent].node <= desk.ways[parent].node) return;
    } else if (strength < best) {
        return;
    }
    desk.best[node] = strength;
    if (same_hop) {
        desk.ways[known] = {node, parent, strength};
        return;
    }
    if (best == 0) desk.touched.push_back(node);
    desk.best_way[node] = static_cast<uint32_t>(desk.ways.size());
    desk.ways.push_back({node, parent, strength});
}

// Where the best way to a node came from an edge, not from a seed, it is offered to the k best.
TopK best_of(const Desk& desk, uint32_t seeded, int64_t k) {
    TopK best(k);
    for (const uint32_t node : desk.touched) {
        if (desk.best_way[node] >= seeded) best.offer(desk.best[node], node);
    }
    return best;
}

}  // namespace

void strongest_paths(Graph& graph, const int64_t* seeds, const float* seed_strengths, int64_t count, int hops, int64_t k,
                     float* strengths, int64_t* nodes) {
    const Csr edges = graph.csr();
    const float* weights = graph.weights();
    const int16_t* gains = graph.gains();
    std::unique_ptr<Desk> desk = take_desk(graph.n());
    std::vector<Way>& ways = desk->ways;
    for (int64_t i = 0; i < count; ++i) improve(*desk, static_cast<uint32_t>(seeds[i]), NONE, seed_strengths[i], 0);
    const uint32_t seeded = static_cast<uint32_t>(ways.size());

    uint32_t begin = 0;
    float least = std::numeric_limits<float>::denorm_min();  // weaker ways are of no use; nor are those of no strength
    for (int hop = 1; hop <= hops && k > 0; ++hop) {
        const uint32_t end = static_cast<uint32_t>(ways.size());
        for (uint32_t from = begin; from < end; ++from) {
            // Edges, then the targets' strengths, are asked for some ways ahead: each is a miss of its own.
            if (from + 8 < end) __builtin_prefetch(edges.offsets + ways[from + 8].node);
            if (from + 4 < end) {
                const int64_t e = edges.offsets[ways[from + 4].node];
                __builtin_prefetch(edges.targets + e);
                __builtin_prefetch(weights + e);
            }
            if (from + 2 < end) {
                const uint32_t node = ways[from + 2].node;
                const int64_t last = std::min(edges.offsets[node] + LOOKED_AHEAD, edges.offsets[node + 1]);
                for (int64_t e = edges.offsets[node]; e < last; ++e) __builtin_prefetch(&desk->best[edges.targets[e]]);
            }
            const Way way = ways[from];
            if (way.strength < least) continue;
            const int64_t last = edges.offsets[way.node + 1];
            for (int64_t e = edges.offsets[way.node]; e < last; ++e) {
                const float factor = gains ? static_cast<float>(gains[e]) * GAIN_UNIT : 1.0f;
                const float reached = way.strength * std::min(weights[e] * factor, 1.0f);
                if (reached >= least) improve(*desk, edges.targets[e], from, reached, end);
            }
        }
        begin = end;
        if (ways.size() == end) break;
        if (hop < hops && static_cast<int64_t>(desk->touched.size()) >= k) {
            const std::vector<uint64_t> best = best_of(*desk, seeded, k).finish();
            if (static_cast<int64_t>(best.size()) == k) least = score_of(best.back());
        }
    }

    std::vector<TopK> chosen(1, best_of(*desk, seeded, k));
    std::vector<int64_t> ids(k);
    write_best(chosen, k, strengths, ids.data());
    std::fill(nodes, nodes + k * (hops + 1), -1);
    for (int64_t i = 0; i < k && ids[i] >= 0; ++i) {
        int64_t length = 0;
        int64_t* line = nodes + i * (hops + 1);
        for (uint32_t way = desk->best_way[ids[i]]; way != NONE; way = ways[way].parent) line[length++] = ways[way].node;
        std::reverse(line, line + length);
    }
    give_back(std::move(desk));
}

}  // namespace cg::modulation
