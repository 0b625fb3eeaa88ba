#pragma once
// A directed graph with weighted edges, laid out twice: by source for walks along a few edges, and in tiles for passes over
// all of them.

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "arena.hpp"

namespace cg {

// Edges by source: those of node s are offsets[s] <= e < offsets[s + 1].
struct Csr {
    const int64_t* offsets;   // n + 1, rising from 0
    const uint32_t* targets;  // below n
    int64_t n;
    int64_t count = -1;       // of edges; -1: offsets[n] says, which therefore lies on the host

    int64_t edges() const { return count < 0 ? offsets[n] : count; }
};

// What neurotransmitters kept as bytes make of a weight, as one integer in [0, 1275]: 510 + 2 excitatory - 2 inhibitory +
// modulatory. The effective weight is weight * gain / 510, in which nothing cancels.
constexpr float GAIN_UNIT = 1.0f / 510.0f;

// The edges from one block of sources to one block of targets, in order of target, then source. Numbers are local to the
// block and fit 16 bits: a pass reads 8 bytes an edge (10 with gains), and what it gathers lies in L2.
struct Tile {
    const uint16_t *sources, *targets;
    float* weights;
    const int16_t* gains;  // null: all 510
    int64_t m;
};

class Graph {
   public:
    // gains: one an edge, or null. Copies everything; targets are checked to lie below n.
    Graph(const Csr& edges, const float* weights, const int16_t* gains);

    int64_t n() const { return n_; }
    int64_t m() const { return m_; }
    int64_t blocks() const { return blocks_; }
    int64_t block_size() const { return int64_t{1} << shift_; }
    int64_t block_begin(int64_t block) const { return block << shift_; }
    int64_t block_end(int64_t block) const { return block + 1 < blocks_ ? (block + 1) << shift_ : n_; }
    Tile tile(int64_t source_block, int64_t target_block) const;

    Csr csr() const { return {offsets_.data(), targets_.data(), n_}; }
    // Weights and gains by source; the weights follow a change of the tiles at the next call.
    const float* weights();
    const int16_t* gains() const { return gained_ ? gains_.data() : nullptr; }
    // Sum of the effective weights that leave each node, always in the same order.
    const std::vector<float>& outgoing(int threads);

    // To be called after the weights of tiles were written.
    void weights_changed();
    // Takes weights by source into the tiles.
    void set_weights(const float* weights);

    // What a device keeps of this graph; dropped when the weights change.
    std::shared_ptr<void> on_device();
    void keep_on_device(std::shared_ptr<void> kept);

    size_t bytes() const;

   private:
    int64_t n_, m_, blocks_ = 0;
    int shift_ = 0;
    bool gained_;
    std::vector<int64_t> offsets_;
    std::vector<uint32_t> targets_;
    std::vector<float> weights_;
    std::vector<int16_t> gains_;

    std::vector<int64_t> starts_;   // of tiles, by target block, then source block
    std::unique_ptr<Arena> sources_in_tiles_, targets_in_tiles_, weights_in_tiles_, gains_in_tiles_;
    std::vector<uint32_t> edge_of_;  // a tile's edge in order of source

    std::mutex mutex_;
    bool weights_stale_ = false, outgoing_stale_ = true;
    std::vector<float> outgoing_;
    std::shared_ptr<void> on_device_;
};

}  // namespace cg
