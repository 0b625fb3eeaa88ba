#include "context_graph/graph.hpp"

#include <algorithm>
#include <stdexcept>

#include "context_graph/threads.hpp"

namespace cg {
namespace {

constexpr int MIN_SHIFT = 10, MAX_SHIFT = 16;  // local numbers have 16 bits
constexpr int64_t ENOUGH_BLOCKS = 16;             // for a few threads to share evenly

template <class T>
T* in(const std::unique_ptr<Arena>& arena) {
    return static_cast<T*>(arena->data());
}

std::unique_ptr<Arena> new_arena(int64_t count, size_t size) {
    return std::make_unique<Arena>(std::max<size_t>(static_cast<size_t>(count) * size, 1));
}

}  // namespace

Graph::Graph(const Csr& edges, const float* weights, const int16_t* gains)
    : n_(edges.n), m_(edges.edges()), gained_(gains != nullptr), offsets_(edges.offsets, edges.offsets + edges.n + 1),
      targets_(edges.targets, edges.targets + m_), weights_(weights, weights + m_) {
    for (const uint32_t target : targets_) {
        if (target >= n_) throw std::invalid_argument("targets must lie in [0, n), with n the number of offsets less one");
    }
    if (gained_) gains_.assign(gains, gains + m_);

    shift_ = MIN_SHIFT;
    while (shift_ < MAX_SHIFT && (n_ >> shift_) >= ENOUGH_BLOCKS) ++shift_;
    blocks_ = (n_ + block_size() - 1) >> shift_;

    // Order by target, and by source within (a counting sort keeps the order of sources), then deal out to tiles.
    std::vector<int64_t> next(n_ + 1, 0);
    for (const uint32_t target : targets_) ++next[target + 1];
    for (int64_t i = 0; i < n_; ++i) next[i + 1] += next[i];
    std::vector<uint32_t> source(m_), edge(m_), target_of(m_);
    std::vector<int64_t> counts(blocks_ * blocks_ + 1, 0);
    for (int64_t s = 0; s < n_; ++s) {
        for (int64_t e = offsets_[s]; e < offsets_[s + 1]; ++e) {
            const uint32_t target = targets_[e];
            const int64_t at = next[target]++;
            source[at] = static_cast<uint32_t>(s);
            edge[at] = static_cast<uint32_t>(e);
            target_of[at] = target;
            ++counts[(target >> shift_) * blocks_ + (s >> shift_) + 1];
        }
    }
    for (size_t t = 1; t < counts.size(); ++t) counts[t] += counts[t - 1];
    starts_ = counts;

    sources_in_tiles_ = new_arena(m_, sizeof(uint16_t));
    targets_in_tiles_ = new_arena(m_, sizeof(uint16_t));
    weights_in_tiles_ = new_arena(m_, sizeof(float));
    if (gained_) gains_in_tiles_ = new_arena(m_, sizeof(int16_t));
    edge_of_.resize(m_);
    const uint32_t local = static_cast<uint32_t>(block_size() - 1);
    for (int64_t i = 0; i < m_; ++i) {
        const int64_t at = counts[(target_of[i] >> shift_) * blocks_ + (source[i] >> shift_)]++;
        in<uint16_t>(sources_in_tiles_)[at] = static_cast<uint16_t>(source[i] & local);
        in<uint16_t>(targets_in_tiles_)[at] = static_cast<uint16_t>(target_of[i] & local);
        in<float>(weights_in_tiles_)[at] = weights_[edge[i]];
        if (gained_) in<int16_t>(gains_in_tiles_)[at] = gains_[edge[i]];
        edge_of_[at] = edge[i];
    }
}

Tile Graph::tile(int64_t source_block, int64_t target_block) const {
    const int64_t which = target_block * blocks_ + source_block, at = starts_[which];
    return {in<uint16_t>(sources_in_tiles_) + at, in<uint16_t>(targets_in_tiles_) + at,
            in<float>(weights_in_tiles_) + at, gained_ ? in<int16_t>(gains_in_tiles_) + at : nullptr,
            starts_[which + 1] - at};
}

const float* Graph::weights() {
    std::lock_guard<std::mutex> lock(mutex_);
    if (weights_stale_) {
        const float* latest = in<float>(weights_in_tiles_);
        for (int64_t i = 0; i < m_; ++i) weights_[edge_of_[i]] = latest[i];
        weights_stale_ = false;
    }
    return weights_.data();
}

const std::vector<float>& Graph::outgoing(int threads) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (!outgoing_stale_) return outgoing_;
    outgoing_.assign(n_, 0.0f);
    split(blocks_, worth_waking(threads, m_), [&](int, int64_t begin, int64_t end) {
        std::vector<double> sums(block_size());
        for (int64_t block = begin; block < end; ++block) {
            std::fill(sums.begin(), sums.end(), 0.0);
            for (int64_t to = 0; to < blocks_; ++to) {
                const Tile edges = tile(block, to);
                for (int64_t e = 0; e < edges.m; ++e) {
                    const float factor = edges.gains ? static_cast<float>(edges.gains[e]) * GAIN_UNIT : 1.0f;
                    sums[edges.sources[e]] += edges.weights[e] * factor;
                }
            }
            for (int64_t i = block_begin(block); i < block_end(block); ++i) {
                outgoing_[i] = static_cast<float>(sums[i - block_begin(block)]);
            }
        }
    });
    outgoing_stale_ = false;
    return outgoing_;
}

void Graph::weights_changed() {
    std::lock_guard<std::mutex> lock(mutex_);
    weights_stale_ = outgoing_stale_ = true;
    on_device_.reset();
}

void Graph::set_weights(const float* weights) {
    for (int64_t i = 0; i < m_; ++i) in<float>(weights_in_tiles_)[i] = weights[edge_of_[i]];
    weights_changed();
}

std::shared_ptr<void> Graph::on_device() {
    std::lock_guard<std::mutex> lock(mutex_);
    return on_device_;
}

void Graph::keep_on_device(std::shared_ptr<void> kept) {
    std::lock_guard<std::mutex> lock(mutex_);
    on_device_ = std::move(kept);
}

size_t Graph::bytes() const {
    const size_t edge = sizeof(uint32_t) + sizeof(float) + 2 * sizeof(uint16_t) + sizeof(float) + sizeof(uint32_t) +
                        (gained_ ? 2 * sizeof(int16_t) : 0);
    return m_ * edge + (n_ + 1) * sizeof(int64_t) + starts_.size() * sizeof(int64_t) + outgoing_.size() * sizeof(float);
}

}  // namespace cg
