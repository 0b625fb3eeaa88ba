#pragma once
// Edges as NumPy arrays.

#include "arrays.hpp"
#include "context_graph/graph.hpp"

namespace cg {

// offsets int64 (n + 1), targets uint32 (m); Python has checked that they rise from 0 to m, or kernels do.
template <class Kind>
Csr csr_of(const Kind& offsets, const Kind& targets) {
    const int64_t* at = input<int64_t>(offsets, 1, "offsets must be int64, shape (n + 1,)");
    const int64_t n = offsets.size() - 1, m = targets.size();
    expect(n >= 0 && n < 0x7fffffff && (on_device(offsets) || at[n] == m) && m < 0xffffffff,
           "a graph must have fewer than 2^31 - 1 nodes and fewer than 2^32 - 1 edges");
    return {at, input<uint32_t>(targets, 1, "targets must be uint32, shape (m,)"), n, m};
}

}  // namespace cg
