#pragma once
// Float rows and the choice among them, as NumPy arrays.

#include <utility>

#include "arrays.hpp"
#include "context_graph/points.hpp"

namespace cg {

// float32 (n, d), each row contiguous; rows may lie apart.
inline Points points_of(const py::array& rows) {
    expect(rows.ndim() == 2 && rows.itemsize() == sizeof(float) && rows.shape(0) < 0xffffffff &&
               (rows.size() == 0 || ((rows.shape(1) == 1 || rows.strides(1) == rows.itemsize()) &&
                                     rows.strides(0) >= 0 && rows.strides(0) % sizeof(float) == 0)),
           "rows must be float32, lie row by row, and be fewer than 2^32 - 1");
    return {static_cast<const float*>(rows.data()), rows.shape(0), rows.shape(1),
            rows.strides(0) / static_cast<int64_t>(sizeof(float))};
}

using Chosen = std::pair<py::array_t<float>, py::array_t<int64_t>>;

inline Chosen empty_choice(int64_t q, int64_t k) { return {py::array_t<float>({q, k}), py::array_t<int64_t>({q, k})}; }

}  // namespace cg
