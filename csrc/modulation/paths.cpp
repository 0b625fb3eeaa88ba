// Strongest paths of bounded length: hop after hop from the nodes that the last hop improved and that can still matter.
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
constexpr int64_t PREFETCH_EDGES = 16;  // edges of a node to come whose targets are fetched

// A way to `node`: the way `parent` and one edge more.
struct Path {
    uint32_t node, parent;
    float strength;
};

// What a search needs per node of the graph; cleared by what was touched, for most nodes are not.
struct Workspace {
    std::vector<float> best;         // strength of the best way so far, 0 without one
    std::vector<uint32_t> best_path;  // its place in `paths`
    std::vector<uint32_t> touched;
    std::vector<Path> paths;  // hop after hop
};

// Kept for the next search, since filling it for a large graph takes longer than the search.
std::mutex workspace_mutex;
std::unique_ptr<Workspace> spare_workspace;

std::unique_ptr<Workspace> acquire_workspace(int64_t n) {
    std::unique_ptr<Workspace> workspace;
    {
        std::lock_guard<std::mutex> lock(workspace_mutex);
        workspace = std::move(spare_workspace);
    }
    if (!workspace) workspace = std::make_unique<Workspace>();
    if (static_cast<int64_t>(workspace->best.size()) < n) {
        workspace->best.resize(n, 0.0f);
        workspace->best_path.resize(n, NONE);
    }
    return workspace;
}

void release_workspace(std::unique_ptr<Workspace> workspace) {
    for (const uint32_t node : workspace->touched) workspace->best[node] = 0.0f;
    workspace->touched.clear();
    workspace->paths.clear();
    std::lock_guard<std::mutex> lock(workspace_mutex);
    if (!spare_workspace || spare_workspace->best.size() < workspace->best.size())
        spare_workspace = std::move(workspace);
}

// Takes the path to `node` if it is the best; among paths of one hop, `first` and later, the lower parent wins a tie.
void relax(Workspace& workspace, uint32_t node, uint32_t parent, float strength, uint32_t first) {
    const float best = workspace.best[node];
    const uint32_t known = best > 0 ? workspace.best_path[node] : NONE;
    const bool same_hop = known != NONE && known >= first;
    if (strength == best) {
        if (!same_hop || parent == NONE) return;
        if (workspace.paths[workspace.paths[known].parent].node <= workspace.paths[parent].node) return;
    } else if (strength < best) {
        return;
    }
    workspace.best[node] = strength;
    if (same_hop) {
        workspace.paths[known] = {node, parent, strength};
        return;
    }
    if (best == 0) workspace.touched.push_back(node);
    workspace.best_path[node] = static_cast<uint32_t>(workspace.paths.size());
    workspace.paths.push_back({node, parent, strength});
}

// Where the best way to a node came from an edge, not from a seed, it is offered to the k best.
TopK best_of(const Workspace& workspace, uint32_t seeded, int64_t k) {
    TopK best(k);
    for (const uint32_t node : workspace.touched) {
        if (workspace.best_path[node] >= seeded) best.offer(workspace.best[node], node);
    }
    return best;
}

}  // namespace

void strongest_paths(Graph& graph, const int64_t* seeds, const float* seed_strengths, int64_t count, int hops, int64_t k,
                     float* strengths, int64_t* nodes) {
    const Csr edges = graph.csr();
    const float* weights = graph.weights();
    const int16_t* gains = graph.gains();
    std::unique_ptr<Workspace> workspace = acquire_workspace(graph.n());
    std::vector<Path>& paths = workspace->paths;
    for (int64_t i = 0; i < count; ++i) relax(*workspace, static_cast<uint32_t>(seeds[i]), NONE, seed_strengths[i], 0);
    const uint32_t seeded = static_cast<uint32_t>(paths.size());

    uint32_t begin = 0;
    float least = std::numeric_limits<float>::denorm_min();  // weaker paths are of no use; nor are those of no strength
    for (int hop = 1; hop <= hops && k > 0; ++hop) {
        const uint32_t end = static_cast<uint32_t>(paths.size());
        for (uint32_t from = begin; from < end; ++from) {
            // Edges, then the targets' strengths, are asked for some paths ahead: each is a miss of its own.
            if (from + 8 < end) __builtin_prefetch(edges.offsets + paths[from + 8].node);
            if (from + 4 < end) {
                const int64_t e = edges.offsets[paths[from + 4].node];
                __builtin_prefetch(edges.targets + e);
                __builtin_prefetch(weights + e);
            }
            if (from + 2 < end) {
                const uint32_t node = paths[from + 2].node;
                const int64_t last = std::min(edges.offsets[node] + PREFETCH_EDGES, edges.offsets[node + 1]);
                for (int64_t e = edges.offsets[node]; e < last; ++e)
                    __builtin_prefetch(&workspace->best[edges.targets[e]]);
            }
            const Path path = paths[from];
            if (path.strength < least) continue;
            const int64_t last = edges.offsets[path.node + 1];
            for (int64_t e = edges.offsets[path.node]; e < last; ++e) {
                const float factor = gains ? static_cast<float>(gains[e]) * GAIN_UNIT : 1.0f;
                const float reached = path.strength * std::min(weights[e] * factor, 1.0f);
                if (reached >= least) relax(*workspace, edges.targets[e], from, reached, end);
            }
        }
        begin = end;
        if (paths.size() == end) break;
        if (hop < hops && static_cast<int64_t>(workspace->touched.size()) >= k) {
            const std::vector<uint64_t> best = best_of(*workspace, seeded, k).finish();
            if (static_cast<int64_t>(best.size()) == k) least = score_of(best.back());
        }
    }

    std::vector<TopK> chosen(1, best_of(*workspace, seeded, k));
    std::vector<int64_t> ids(k);
    write_best(chosen, k, strengths, ids.data());
    std::fill(nodes, nodes + k * (hops + 1), -1);
    for (int64_t i = 0; i < k && ids[i] >= 0; ++i) {
        int64_t length = 0;
        int64_t* line = nodes + i * (hops + 1);
        for (uint32_t path = workspace->best_path[ids[i]]; path != NONE; path = paths[path].parent)
            line[length++] = paths[path].node;
        std::reverse(line, line + length);
    }
    release_workspace(std::move(workspace));
}

}  // namespace cg::modulation
