#pragma once
// Stored rows as arrays; bfloat16 arrives as its bits in uint16.

#include "arrays.hpp"
#include "context_graph/stored.hpp"

namespace cg {

template <class Kind>
Width width_of(const Kind& rows) {
    if (rows.itemsize() == 4) return Width::f32;
    expect(rows.itemsize() == 2, "rows must be float32, float16, or bfloat16 as uint16");
    return kind_of(rows) == 'f' ? Width::f16 : Width::bf16;
}

// (n, d), each row contiguous; rows may lie apart.
template <class Kind>
Stored stored_of(const Kind& rows) {
    expect(rows.ndim() == 2 && (rows.size() == 0 || rows.shape(1) == 1 || rows.strides(1) == rows.itemsize()) &&
               rows.shape(0) < 0xffffffff,
           "rows must lie row by row and be fewer than 2^32 - 1");
    return {rows.data(), width_of(rows), rows.shape(0), rows.shape(1), rows.strides(0)};
}

}  // namespace cg
