// Strongest paths of bounded length: hop after hop from the nodes that the last hop improved and that can still matter.
//
// A way only loses strength as it goes on. Once k nodes are reached with at least a certain strength, a weaker way can
// neither be listed nor lead to one that is, so no hop goes on from more than about k nodes, however many the graph
// has.
//
// That strength is brought up to date after every node, not only after a hop: reached nodes are counted in buckets of
// their strength, and the bar is the lower edge of the bucket that the k-th lies in. The same counts put the answer in
// order.

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <limits>
#include <mutex>
#include <vector>

#include "context_graph/modulation.hpp"
#include "context_graph/select.hpp"

namespace cg::modulation {
namespace {

constexpr uint32_t NONE = 0xffffffffu;
constexpr int64_t PREFETCH_EDGES = 16;  // edges of a node to come whose targets are fetched
constexpr int BUCKET_SHIFT = 16;         // buckets as wide as 1/128 of a power of two
constexpr uint32_t BUCKETS = 0x7f800000u >> BUCKET_SHIFT;

// Strengths are positive and finite, so their bits are in their order.
uint32_t bucket_of(float strength) { return std::bit_cast<uint32_t>(strength) >> BUCKET_SHIFT; }
float lower_edge(uint32_t bucket) { return std::bit_cast<float>(bucket << BUCKET_SHIFT); }

// A way to `node`: the way `parent` and one edge more.
struct Path {
    uint32_t node, parent;
    float strength;
};

// The best way to a node so far.
struct Best {
    float strength = 0.0f;  // 0 without one
    uint32_t path = NONE;   // its place in `paths`
};

// What a search needs per node of the graph; cleared by the paths, for most nodes have none.
struct Workspace {
    std::vector<Best> best;
    std::vector<Path> paths;         // hop after hop
    std::vector<uint32_t> frontier;  // those of the last hop that go on
    std::vector<uint32_t> counts = std::vector<uint32_t>(BUCKETS, 0);
    std::vector<uint64_t> keys, ordered;
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
    if (static_cast<int64_t>(workspace->best.size()) < n) workspace->best.resize(n);
    return workspace;
}

void release_workspace(std::unique_ptr<Workspace> workspace) {
    for (const Path& path : workspace->paths) {
        workspace->counts[bucket_of(path.strength)] = 0;
        workspace->best[path.node].strength = 0.0f;
    }
    workspace->paths.clear();
    std::lock_guard<std::mutex> lock(workspace_mutex);
    if (!spare_workspace || spare_workspace->best.size() < workspace->best.size())
        spare_workspace = std::move(workspace);
}

// The k nodes with the best ways from an edge, by the buckets of their strengths.
class Ranking {
   public:
    // No way is stronger than `strongest`.
    Ranking(Workspace& workspace, int64_t k, float strongest)
        : workspace_(workspace), counts_(workspace.counts.data()), k_(k), top_(bucket_of(strongest)) {}

    // Weaker ways are of no use; nor are those of no strength.
    float least() const { return least_; }

    // A node is reached with this strength, instead of an earlier one where that is not 0.
    void count(float earlier, float strength) {
        if (earlier > 0) {
            const uint32_t bucket = bucket_of(earlier);
            --counts_[bucket];
            above_ -= bucket >= lowest_;
        }
        ++counts_[bucket_of(strength)];
        ++above_;
    }

    // Brings the bar up to date.
    void raise() {
        if (above_ < k_) return;
        if (lowest_ == 0) {  // k nodes for the first time
            for (lowest_ = top_, above_ = counts_[top_]; above_ < k_;) above_ += counts_[--lowest_];
        }
        while (above_ - counts_[lowest_] >= k_) above_ -= counts_[lowest_++];
        least_ = std::max(least_, lower_edge(lowest_));
    }

    // After a hop. Where many strengths lie in one bucket, its edge lets too many through.
    void sharpen(uint32_t seeded) {
        if (above_ < 2 * k_) return;
        std::vector<uint64_t>& keys = collect(seeded);
        std::nth_element(keys.begin(), keys.begin() + (k_ - 1), keys.end(), std::greater<>());
        least_ = score_of(keys[k_ - 1]);
    }

    // The keys of at most k nodes, best first. After this nothing more is counted.
    const std::vector<uint64_t>& finish(uint32_t seeded) {
        std::vector<uint64_t>& keys = collect(seeded);
        if (lowest_ == 0) {  // fewer than k, or strengths next to 0
            std::sort(keys.begin(), keys.end(), std::greater<>());
            if (static_cast<int64_t>(keys.size()) > k_) keys.resize(k_);
            return keys;
        }
        std::vector<uint64_t>& ordered = workspace_.ordered;
        ordered.resize(above_);
        deal_out(keys, ordered.data());
        uint64_t* run = ordered.data();
        for (uint32_t bucket = top_; bucket >= lowest_; --bucket) {
            uint64_t* end = ordered.data() + counts_[bucket];
            counts_[bucket] = 0;
            if (bucket == lowest_) {  // the k-th is here
                std::nth_element(run, ordered.data() + k_ - 1, end, std::greater<>());
                end = ordered.data() + k_;
            }
            if (end - run > 1) std::sort(run, end, std::greater<>());
            run = end;
        }
        ordered.resize(k_);
        return ordered;
    }

   private:
    // Each key to its bucket's place, the strongest bucket first; counts become the places behind each bucket's keys.
    void deal_out(const std::vector<uint64_t>& keys, uint64_t* ordered) {
        uint32_t place = 0;
        for (uint32_t bucket = top_; bucket >= lowest_; --bucket) {
            const uint32_t size = counts_[bucket];
            counts_[bucket] = place;
            place += size;
        }
        for (const uint64_t key : keys) ordered[counts_[bucket_of(score_of(key))]++] = key;
    }

    // Of all nodes that may be among the k best; a seed is one if an edge leads to it with more than its own strength.
    std::vector<uint64_t>& collect(uint32_t seeded) {
        const std::vector<Path>& paths = workspace_.paths;
        std::vector<uint64_t>& keys = workspace_.keys;
        keys.clear();
        for (uint32_t i = seeded; i < paths.size(); ++i) {
            if (paths[i].strength >= least_ && workspace_.best[paths[i].node].path == i)
                keys.push_back(key_of(paths[i].strength, paths[i].node));
        }
        return keys;
    }

    Workspace& workspace_;
    uint32_t* counts_;
    int64_t k_, above_ = 0;              // nodes from the lowest bucket on
    uint32_t lowest_ = 0, top_;
    float least_ = std::numeric_limits<float>::denorm_min();
};

// Takes the way to a seed if it is the best.
void start(Workspace& workspace, uint32_t node, float strength) {
    Best& best = workspace.best[node];
    if (strength <= best.strength) return;
    if (best.strength > 0) {
        workspace.paths[best.path].strength = best.strength = strength;
        return;
    }
    best = {strength, static_cast<uint32_t>(workspace.paths.size())};
    workspace.paths.push_back({node, NONE, strength});
}

// Takes the path to `node` if it is the best; among paths of one hop, `first` and later, the lower parent wins a tie.
inline void relax(Workspace& workspace, Ranking& ranking, uint32_t node, uint32_t parent, float strength,
                  uint32_t seeded, uint32_t first) {
    Best& best = workspace.best[node];
    if (strength < best.strength) return;
    std::vector<Path>& paths = workspace.paths;
    const float earlier = best.strength;
    const bool same_hop = earlier > 0 && best.path >= first;
    if (strength == earlier) {
        if (same_hop && paths[parent].node < paths[paths[best.path].parent].node) paths[best.path].parent = parent;
        return;
    }
    ranking.count(earlier > 0 && best.path >= seeded ? earlier : 0.0f, strength);
    best.strength = strength;
    if (same_hop) {
        paths[best.path] = {node, parent, strength};
        return;
    }
    best.path = static_cast<uint32_t>(paths.size());
    paths.push_back({node, parent, strength});
}

// A way that an edge gives.
struct Reached {
    uint32_t node;
    float strength;
};

// Those edges of [begin, end) that carry at least `least` of a path's strength; no branch, for none could be foretold.
template <bool GAINED>
int64_t follow(const Csr& edges, const float* weights, const int16_t* gains, int64_t begin, int64_t end, float strength,
               float least, Reached* out) {
    int64_t count = 0;
    for (int64_t e = begin; e < end; ++e) {
        const float factor = GAINED ? static_cast<float>(gains[e]) * GAIN_UNIT : 1.0f;
        const float reached = strength * std::min(weights[e] * factor, 1.0f);
        out[count] = {edges.targets[e], reached};
        count += reached >= least;
    }
    return count;
}

// Edges, then the targets' best ways, are asked for some paths ahead: each is a miss of its own.
void fetch_ahead(const Workspace& workspace, const Csr& edges, const float* weights, size_t at) {
    const std::vector<uint32_t>& frontier = workspace.frontier;
    const auto node = [&](size_t i) { return workspace.paths[frontier[i]].node; };
    if (at + 8 < frontier.size()) __builtin_prefetch(edges.offsets + node(at + 8));
    if (at + 4 < frontier.size()) {
        const int64_t e = edges.offsets[node(at + 4)];
        __builtin_prefetch(edges.targets + e);
        __builtin_prefetch(weights + e);
    }
    if (at + 2 < frontier.size()) {
        const int64_t first = edges.offsets[node(at + 2)];
        const int64_t last = std::min(first + PREFETCH_EDGES, edges.offsets[node(at + 2) + 1]);
        for (int64_t e = first; e < last; ++e) __builtin_prefetch(&workspace.best[edges.targets[e]]);
    }
}

// One hop from the paths [begin, end).
void hop_on(Workspace& workspace, Ranking& ranking, Graph& graph, const float* weights, uint32_t seeded, uint32_t begin,
            uint32_t end) {
    constexpr int64_t BLOCK = 64;
    const Csr edges = graph.csr();
    const int16_t* gains = graph.gains();
    const auto follow_edges = gains ? follow<true> : follow<false>;
    std::array<Reached, BLOCK> reached;
    workspace.frontier.clear();
    for (uint32_t from = begin; from < end; ++from) {
        if (workspace.paths[from].strength >= ranking.least()) workspace.frontier.push_back(from);
    }
    for (size_t at = 0; at < workspace.frontier.size(); ++at) {
        fetch_ahead(workspace, edges, weights, at);
        const uint32_t from = workspace.frontier[at];
        const Path path = workspace.paths[from];
        if (path.strength < ranking.least()) continue;
        const int64_t last = edges.offsets[path.node + 1];
        for (int64_t e = edges.offsets[path.node]; e < last; e += BLOCK) {
            const int64_t count = follow_edges(edges, weights, gains, e, std::min(e + BLOCK, last), path.strength,
                                               ranking.least(), reached.data());
            for (int64_t i = 0; i < count; ++i)
                relax(workspace, ranking, reached[i].node, from, reached[i].strength, seeded, end);
            ranking.raise();
        }
    }
}

}  // namespace

void strongest_paths(Graph& graph, const int64_t* seeds, const float* seed_strengths, int64_t count, int hops,
                     int64_t k, float* strengths, int64_t* nodes) {
    const float* weights = graph.weights();
    std::unique_ptr<Workspace> workspace = acquire_workspace(graph.n());
    std::vector<Path>& paths = workspace->paths;
    for (int64_t i = 0; i < count; ++i) start(*workspace, static_cast<uint32_t>(seeds[i]), seed_strengths[i]);
    const uint32_t seeded = static_cast<uint32_t>(paths.size());
    Ranking ranking(*workspace, k, count ? *std::max_element(seed_strengths, seed_strengths + count) : 0.0f);

    uint32_t begin = 0;
    for (int hop = 1; hop <= hops && k > 0; ++hop) {
        const uint32_t end = static_cast<uint32_t>(paths.size());
        hop_on(*workspace, ranking, graph, weights, seeded, begin, end);
        begin = end;
        if (paths.size() == end) break;
        if (hop < hops) ranking.sharpen(seeded);
    }

    const std::vector<uint64_t>& keys = ranking.finish(seeded);
    std::fill(strengths, strengths + k, -std::numeric_limits<float>::infinity());
    std::fill(nodes, nodes + k * (hops + 1), -1);
    for (size_t i = 0; i < keys.size(); ++i) {
        strengths[i] = score_of(keys[i]);
        int64_t length = 0;
        int64_t* line = nodes + i * (hops + 1);
        for (uint32_t path = workspace->best[id_of(keys[i])].path; path != NONE; path = paths[path].parent)
            line[length++] = paths[path].node;
        std::reverse(line, line + length);
    }
    release_workspace(std::move(workspace));
}

}  // namespace cg::modulation
