#pragma once
// An array on a CUDA device: another library's, seen without a copy, or our own. It exports what other libraries read,
// `__cuda_array_interface__` and DLPack.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "context_graph/gpu.hpp"
#include "dlpack.hpp"

namespace cg {

namespace py = pybind11;

struct DeviceArray {
    char* data;
    std::vector<int64_t> shape, strides;  // strides in bytes
    char kind;                            // NumPy's: f i u b; B: bfloat16
    int64_t item;                         // bytes
    int device;
    py::object owner;                         // keeps the memory of others
    std::shared_ptr<gpu::Memory> memory{};    // or our own
    std::optional<uintptr_t> stream{};        // that may still write it; none where a call waited
    bool whole{};                             // `owner` is the caller's array of just this memory, shape and type

    // New memory on the device in use, written by the current stream.
    static DeviceArray make(char kind, int64_t item, std::vector<int64_t> shape);
    static DeviceArray from_dlpack(const py::capsule& capsule);

    int64_t size() const;
    bool contiguous() const;
    DeviceArray packed() const;  // itself where it is contiguous, else copied on the device
    py::array numpy() const;     // copied to the host
    py::object dtype() const;
    py::dict interface() const;
    py::capsule dlpack(const std::optional<int64_t>& reader) const;  // the stream that reads it, as DLPack numbers them
};

// What answers of this thread are allocated by: (kind, bytes of an item, shape) to another library's array, which has
// `data_ptr`; none for memory of our own. Gives the one before.
py::object use_allocator(py::object next);

void bind_device_array(py::module_& m);
void bind_device_column(py::module_& m);

}  // namespace cg
