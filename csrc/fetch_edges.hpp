#pragma once

#include "context_graph/graph.hpp"

namespace cg {
namespace {

// Asks for the edges that a pass over a tile comes to some 512 edges later.
[[gnu::always_inline]] inline void fetch_edges(const Tile& edges, int64_t e) {
    constexpr int64_t AHEAD = 512;
    __builtin_prefetch(edges.weights + e + AHEAD);
    __builtin_prefetch(edges.sources + e + AHEAD);
    __builtin_prefetch(edges.targets + e + AHEAD);
    if (edges.gains) __builtin_prefetch(edges.gains + e + AHEAD);
}

}  // namespace
}  // namespace cg
