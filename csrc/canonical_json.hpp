#pragma once

#include <pybind11/pybind11.h>

namespace cg {

namespace py = pybind11;

// A value as JSON in UTF-8 with sorted keys and no blanks, floats as Python's repr writes them; None where only Python
// can tell how it is written, or what is wrong with it.
py::object canonical_json(py::handle value);

}  // namespace cg
