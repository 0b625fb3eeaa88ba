#pragma once

#include "arrays.hpp"

namespace cg {

// Sums of the rows of a table, weighted: of each bag the rows from its start to that of the next, in this order. A table of
// int8 has a scale for each row. No bag is empty; rows and starts are checked.
//
// table: int8 (v, d); scale, weights: float32 (v,), (t,); rows, starts: int64 (t,), (s,) -> float32 (s, d)
py::array_t<float> embedding_bag(const py::array& table, const py::array& scale, const py::array& rows,
                                 const py::array& weights, const py::array& starts);

}  // namespace cg
