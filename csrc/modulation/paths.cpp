// Strongest paths of bounded length: hop after hop from the nodes that the last hop improved and that can still matter.
//
// A way only loses strength as it goes on. Once k nodes are reached with at least a certain strength, a weaker way can
// neither be listed nor lead to one that is, so no hop goes on from more than about k nodes, however many the graph
// has.
//
// That strength is brought up to date after every node, not only after a hop: reached nodes are counted in buckets of
// their strength, and the bar is the lower edge of the bucket that the k-th lies in. The same counts put the answer in
// order. Before k nodes are reached there is a bar too, one that the first hops foretell; where it was too high, the search
// starts again without.

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "context_graph/modulation.hpp"
#include "context_graph/select.hpp"
#include "forecast.hpp"

namespace cg::modulation {
namespace {

constexpr uint32_t NONE = 0xffffffffu;
constexpr int BUCKET_SHIFT = 16;  // buckets as wide as 1/128 of a power of two
constexpr uint32_t BUCKETS = 0x7f800000u >> BUCKET_SHIFT;

// Strengths are positive and finite, so their bits are in their order.
uint32_t bucket_of(float strength) { return std::bit_cast<uint32_t>(strength) >> BUCKET_SHIFT; }
float lower_edge(uint32_t bucket) { return std::bit_cast<float>(bucket << BUCKET_SHIFT); }
// A strength and the path that has it.
uint64_t path_key(float strength, uint32_t path) { return uint64_t{std::bit_cast<uint32_t>(strength)} << 32 | path; }
float strength_of(uint64_t key) { return std::bit_cast<float>(static_cast<uint32_t>(key >> 32)); }
uint32_t path_of(uint64_t key) { return static_cast<uint32_t>(key); }

// A way to `node` of so many edges: the way `parent` and one edge more.
struct Path {
    uint32_t node, parent;
    float strength;
    int32_t edges;
};

// The best way to a node so far.
struct Best {
    float strength = 0.0f;  // 0 without one
    uint32_t path = NONE;   // its place in `paths`
};

// Grows before many are added, so that adding one asks nothing.
class Paths {
   public:
    uint32_t size() const { return size_; }
    Path& operator[](size_t i) { return paths_[i]; }
    const Path& operator[](size_t i) const { return paths_[i]; }
    const Path* begin() const { return paths_.data(); }
    const Path* end() const { return paths_.data() + size_; }
    void make_room(size_t more) {
        if (size_ + more > paths_.size()) paths_.resize(2 * (size_ + more));
    }
    // To so many, which have been written.
    void grow(uint32_t size) { size_ = size; }
    void clear() { size_ = 0; }

   private:
    std::vector<Path> paths_;
    uint32_t size_ = 0;
};

// What a search needs per node of the graph; cleared by the paths, for most nodes have none.
struct Workspace {
    std::vector<Best> best;
    Paths paths;                     // hop after hop
    std::vector<uint32_t> replaced;  // those whose node a later hop reached with more strength
    std::vector<Leaving> frontier;   // of the last hop, those that go on
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

void clear(Workspace& workspace) {
    for (const Path& path : workspace.paths) {
        workspace.counts[bucket_of(path.strength)] = 0;
        workspace.best[path.node].strength = 0.0f;
    }
    workspace.paths.clear();
    workspace.replaced.clear();
}

void release_workspace(std::unique_ptr<Workspace> workspace) {
    clear(*workspace);
    std::lock_guard<std::mutex> lock(workspace_mutex);
    if (!spare_workspace || spare_workspace->best.size() < workspace->best.size())
        spare_workspace = std::move(workspace);
}

// The k nodes with the best ways from an edge, by the buckets of their strengths.
class Ranking {
   public:
    // No way is stronger than `strongest`.
    Ranking(Workspace& workspace, int64_t k, float strongest)
        : workspace_(&workspace), counts_(workspace.counts.data()), k_(k), top_(bucket_of(strongest)) {}

    // Weaker ways are of no use; nor are those of no strength.
    float least() const { return least_; }

    bool filled() const { return above_ >= k_; }
    bool barred() const { return least_ > LEAST; }

    // Leaves out what is weaker, though fewer than k may be found then.
    void guess(float least) {
        if (bucket_of(least) == 0) return;
        lowest_ = bucket_of(least);
        least_ = lower_edge(lowest_);
        above_ = 0;
        for (uint32_t bucket = top_; bucket >= lowest_; --bucket) above_ += counts_[bucket];
    }

    // A node is reached with this strength, which is not below the bar; the caller adds up how many are.
    void count(float strength) { ++counts_[bucket_of(strength)]; }
    // One was, with this strength; whether it still counts is for the caller to subtract.
    bool uncount(float strength) {
        const uint32_t bucket = bucket_of(strength);
        --counts_[bucket];
        return bucket >= lowest_;
    }
    void add(int64_t counted) { above_ += counted; }

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
        const std::span<uint64_t> keys = collect(seeded);
        std::nth_element(keys.begin(), keys.begin() + (k_ - 1), keys.end(), Better{workspace_->paths});
        least_ = strength_of(keys[k_ - 1]);
    }

    // The keys of the best paths to at most k nodes, the best first. After this nothing more is counted.
    std::span<const uint64_t> finish(uint32_t seeded) {
        const std::span<uint64_t> keys = collect(seeded);
        const Better better{workspace_->paths};
        if (lowest_ == 0) {  // fewer than k, or strengths next to 0
            std::sort(keys.begin(), keys.end(), better);
            return keys.first(std::min<size_t>(keys.size(), k_));
        }
        workspace_->ordered.resize(std::max<size_t>(workspace_->ordered.size(), above_));
        uint64_t* const ordered = workspace_->ordered.data();
        if (deal_out(keys, ordered) <= FEW) {
            insert_sorted(ordered, ordered + above_, better);
        } else {
            sort_runs(ordered, better);
        }
        std::fill(counts_ + lowest_, counts_ + top_ + 1, 0);
        return {ordered, static_cast<size_t>(k_)};
    }

   private:
    static constexpr uint32_t FEW = 16;  // keys that are quickly put in order one by one
    static constexpr float LEAST = std::numeric_limits<float>::denorm_min();

    // The stronger path, then the one to the lower node.
    struct Better {
        const Paths& paths;
        bool operator()(uint64_t a, uint64_t b) const {
            if (a >> 32 != b >> 32) return a > b;
            return paths[path_of(a)].node < paths[path_of(b)].node;
        }
    };

    // Of keys that are nearly in order.
    static void insert_sorted(uint64_t* begin, uint64_t* end, const Better& better) {
        for (uint64_t* at = begin + 1; at < end; ++at) {
            const uint64_t key = *at;
            uint64_t* to = at;
            for (; to > begin && better(key, to[-1]); --to) *to = to[-1];
            *to = key;
        }
    }

    // Each bucket's keys; in the lowest, only those that come before the k-th.
    void sort_runs(uint64_t* ordered, const Better& better) {
        uint64_t* run = ordered;
        for (uint32_t bucket = top_; bucket >= lowest_; --bucket) {
            uint64_t* end = ordered + counts_[bucket];
            if (bucket == lowest_) {
                std::nth_element(run, ordered + k_ - 1, end, better);
                end = ordered + k_;
            }
            std::sort(run, end, better);
            run = end;
        }
    }

    // Each key to its bucket's place, the strongest bucket first; counts become the places behind each bucket's keys.
    // Returns how many the fullest holds.
    uint32_t deal_out(std::span<const uint64_t> keys, uint64_t* ordered) {
        uint32_t place = 0, most = 0;
        for (uint32_t bucket = top_; bucket >= lowest_; --bucket) {
            const uint32_t size = counts_[bucket];
            counts_[bucket] = place;
            place += size;
            most = std::max(most, size);
        }
        for (const uint64_t key : keys) ordered[counts_[bucket_of(strength_of(key))]++] = key;
        return most;
    }

    // Of all nodes that may be among the k best; a seed is one if an edge leads to it with more than its own strength.
    std::span<uint64_t> collect(uint32_t seeded) {
        const Paths& paths = workspace_->paths;
        workspace_->keys.resize(std::max<size_t>(workspace_->keys.size(), paths.size() + 1));
        uint64_t* const keys = workspace_->keys.data();
        // Replaced paths are skipped by their place: their strength may still be asked for, by the next hop.
        std::vector<uint32_t>& replaced = workspace_->replaced;
        std::sort(replaced.begin(), replaced.end());
        size_t count = 0;
        uint32_t i = seeded;
        const auto up_to = [&](uint32_t end) {  // no branch, for none could be foretold
            for (; i < end; ++i) {
                keys[count] = path_key(paths[i].strength, i);
                count += paths[i].strength >= least_;
            }
        };
        for (const uint32_t skipped : replaced) {
            up_to(skipped);
            i = std::max(i, skipped + 1);
        }
        up_to(paths.size());
        return {keys, count};
    }

    Workspace* workspace_;
    uint32_t* counts_;
    int64_t k_, above_ = 0;              // nodes from the lowest bucket on
    uint32_t lowest_ = 0, top_;
    float least_ = LEAST;
};

// Takes the way to a seed if it is the best.
void start(Workspace& workspace, uint32_t node, float strength) {
    Best& best = workspace.best[node];
    if (strength <= best.strength) return;
    if (best.strength > 0) {
        workspace.paths[best.path].strength = best.strength = strength;
        return;
    }
    best = {strength, workspace.paths.size()};
    workspace.paths.make_room(1);
    workspace.paths[best.path] = {node, NONE, strength, 0};
    workspace.paths.grow(best.path + 1);
}

// Takes all that was reached, each path if it is its node's best; among paths of one hop, `first` and later, the lower parent
// wins a tie. The targets are asked for together: each is a miss of its own.
void take(Workspace& workspace, Ranking& ranking, Reached& reached, uint32_t seeded, uint32_t first) {
    Best* const best_of = workspace.best.data();
    Paths& paths = workspace.paths;
    paths.make_room(reached.count);
    for (int64_t i = 0; i < reached.count; ++i) __builtin_prefetch(best_of + reached.nodes[i]);
    // In registers: in memory, each path would wait for the one before.
    uint32_t size = paths.size();
    int64_t counted = 0;
    for (int64_t i = 0; i < reached.count; ++i) {
        const float strength = reached.strengths[i];
        const uint32_t node = reached.nodes[i], parent = reached.paths[i];
        Best& best = best_of[node];
        const float earlier = best.strength;
        if (strength < earlier) continue;
        const bool same_hop = earlier > 0 && best.path >= first;
        if (strength == earlier) {
            if (same_hop && paths[parent].node < paths[paths[best.path].parent].node) paths[best.path].parent = parent;
            continue;
        }
        if (earlier > 0 && best.path >= seeded) counted -= ranking.uncount(earlier);
        ranking.count(strength);
        ++counted;
        best.strength = strength;
        if (same_hop) {
            paths[best.path].parent = parent;
            paths[best.path].strength = strength;
            continue;
        }
        if (earlier > 0) workspace.replaced.push_back(best.path);
        best.path = size;
        paths[size++] = {node, parent, strength, paths[parent].edges + 1};
    }
    paths.grow(size);
    reached.count = 0;
    ranking.add(counted);
    ranking.raise();
}

// The edges of the paths [begin, end) that are at least as strong as the bar. Those of twice its strength come first: what
// they find raises it for the others.
void leave(Workspace& workspace, const int64_t* offsets, float least, uint32_t begin, uint32_t end) {
    const Paths& paths = workspace.paths;
    std::vector<Leaving>& frontier = workspace.frontier;
    frontier.clear();
    const float strong = 2 * least;
    const auto add = [&](const auto& goes) {
        for (uint32_t i = begin; i < end; ++i) {
            const Path& path = paths[i];
            if (!goes(path.strength)) continue;
            int64_t first = offsets[path.node];
            const int64_t last = offsets[path.node + 1];
            for (; last - first > Reached::EDGES; first += Reached::EDGES)
                frontier.push_back({first, static_cast<uint32_t>(Reached::EDGES), i, path.strength});
            frontier.push_back({first, static_cast<uint32_t>(last - first), i, path.strength});
        }
    };
    add([&](float strength) { return strength >= strong; });
    add([&](float strength) { return strength >= least && strength < strong; });
}

// The hop from the paths [begin, end).
void hop_on(const Kernel& kernel, Workspace& workspace, Ranking& ranking, Graph& graph, const float* weights, int64_t k,
            uint32_t seeded, uint32_t begin, uint32_t end) {
    const Csr edges = graph.csr();
    const int64_t enough = std::min(Reached::EDGES, k / 8);  // for few nodes the bar must rise at once
    leave(workspace, edges.offsets, ranking.least(), begin, end);
    Reached reached;
    const Leaving* path = workspace.frontier.data();
    const Leaving* const last = path + workspace.frontier.size();
    while (path != last) {
        path = kernel.follow(edges.targets, weights, graph.gains(), path, last, ranking.least(), enough, reached);
        take(workspace, ranking, reached, seeded, end);
    }
}

// The bar that the paths so far foretell, those from `begin` on being the frontier; 0 where they are too few to tell.
float foretold(const Workspace& workspace, int64_t k, uint32_t seeded, uint32_t begin, int hops, float strongest) {
    constexpr uint32_t FEWEST = 8;      // nodes whose edges were followed
    constexpr float MARGIN = 1.25f;     // too low a bar costs some time, too high a one a second search
    const Paths& paths = workspace.paths;
    if (begin < FEWEST) return 0;
    Forecast forecast(strongest);
    for (uint32_t i = seeded; i < paths.size(); ++i) {
        forecast.add_found(paths[i].strength);
        forecast.add_factor(paths[i].strength / paths[paths[i].parent].strength);
        if (i >= begin) forecast.add_frontier(paths[i].strength);
    }
    return forecast.strength_of(MARGIN * static_cast<float>(k), static_cast<float>(begin), hops);
}

// What a search is asked for.
struct Asked {
    const int64_t* seeds;
    const float* strengths;
    int64_t count;
    int hops;
    int64_t k;
};

// Fills the workspace, and says how many of its paths are the seeds'; nothing where a bar that was foretold left too few.
std::optional<uint32_t> search(const Kernel& kernel, Workspace& workspace, Ranking& ranking, Graph& graph,
                               const Asked& asked, float strongest, bool foretell) {
    const float* weights = graph.weights();
    Paths& paths = workspace.paths;
    for (int64_t i = 0; i < asked.count; ++i)
        start(workspace, static_cast<uint32_t>(asked.seeds[i]), asked.strengths[i]);
    const uint32_t seeded = paths.size();
    bool guessed = false;
    uint32_t begin = 0;
    for (int hop = 1; hop <= asked.hops && asked.k > 0; ++hop) {
        const uint32_t end = paths.size();
        if (foretell && !ranking.filled() && !ranking.barred()) {
            const float bar = foretold(workspace, asked.k, seeded, begin, asked.hops - hop + 1, strongest);
            ranking.guess(bar);
            guessed = ranking.barred();
        }
        hop_on(kernel, workspace, ranking, graph, weights, asked.k, seeded, begin, end);
        begin = end;
        if (paths.size() == end) break;
        if (hop < asked.hops) ranking.sharpen(seeded);
    }
    if (guessed && !ranking.filled()) return std::nullopt;
    return seeded;
}

// The way along each of the paths, padded.
void write_ways(const Paths& paths, std::span<const uint64_t> keys, int hops, float* strengths, int64_t* nodes) {
    for (size_t i = 0; i < keys.size(); ++i, nodes += hops + 1) {
        strengths[i] = strength_of(keys[i]);
        uint32_t path = path_of(keys[i]);
        const int edges = paths[path].edges;
        for (int at = hops; at > 0; --at) {  // as many steps for each, so that none is a surprise
            const Path& here = paths[path];
            nodes[at] = at <= edges ? int64_t{here.node} : -1;
            path = at <= edges ? here.parent : path;
        }
        nodes[0] = paths[path].node;
    }
}

}  // namespace

void strongest_paths(const Kernel& kernel, Graph& graph, const int64_t* seeds, const float* seed_strengths,
                     int64_t count, int hops, int64_t k, float* strengths, int64_t* nodes) {
    std::unique_ptr<Workspace> workspace = acquire_workspace(graph.n());
    const Asked asked{seeds, seed_strengths, count, hops, k};
    const float strongest = count ? *std::max_element(seed_strengths, seed_strengths + count) : 0.0f;
    Ranking ranking(*workspace, k, strongest);
    std::optional<uint32_t> seeded = search(kernel, *workspace, ranking, graph, asked, strongest, true);
    if (!seeded) {
        clear(*workspace);
        ranking = Ranking(*workspace, k, strongest);
        seeded = search(kernel, *workspace, ranking, graph, asked, strongest, false);
    }
    const std::span<const uint64_t> keys = ranking.finish(*seeded);
    write_ways(workspace->paths, keys, hops, strengths, nodes);
    const int64_t found = static_cast<int64_t>(keys.size());
    std::fill(strengths + found, strengths + k, -std::numeric_limits<float>::infinity());
    std::fill(nodes + found * (hops + 1), nodes + k * (hops + 1), -1);
    release_workspace(std::move(workspace));
}

}  // namespace cg::modulation
