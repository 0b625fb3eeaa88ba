#pragma once
// NumPy arrays as plain pointers. Python has checked dtype and shape; these checks only keep a slip from crashing.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <optional>
#include <stdexcept>

namespace cg {

namespace py = pybind11;

inline void expect(bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
}

// A C-contiguous array of T with `dims` dimensions.
template <class T>
const T* input(const py::array& array, int dims, const char* name) {
    expect(array.ndim() == dims && array.itemsize() == sizeof(T) && (array.flags() & py::array::c_style), name);
    return static_cast<const T*>(array.data());
}

template <class T>
T* output(py::array& array, int dims, const char* name) {
    input<T>(array, dims, name);
    return static_cast<T*>(array.mutable_data());
}

// n bytes, 0 hides a row; null without one.
inline const uint8_t* mask_of(const std::optional<py::array>& mask, int64_t n) {
    if (!mask) return nullptr;
    expect(mask->size() == n, "mask must have one entry per row");
    return input<uint8_t>(*mask, 1, "mask must be uint8, shape (n,)");
}

}  // namespace cg
