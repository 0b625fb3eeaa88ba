#pragma once
// NumPy arrays, and arrays on a device, as plain pointers. Python has checked dtype and shape; these checks only keep a slip
// from crashing.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "backends.hpp"
#include "device_array.hpp"

namespace cg {

namespace py = pybind11;

inline void expect(bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
}

// Entries of an answer that is padded because k is more than there are.
inline constexpr int64_t MAX_PADDED = int64_t{1} << 24;

// Before the answer is allocated: k of n in each of so many lines.
inline void expect_choice(int64_t k, int64_t n, int64_t lines) {
    expect(k >= 0 && (k <= n || k <= MAX_PADDED / std::max<int64_t>(lines, 1)), "k is out of range");
}

// An array in NumPy's memory or on a device, with the words of py::array, for as long as the caller keeps it. Only launchers
// take one: they look where it lies.
class Array {
   public:
    bool read(py::handle source);

    int64_t ndim() const { return static_cast<int64_t>(shape_.size()); }
    int64_t shape(int64_t x) const { return shape_[x]; }
    int64_t strides(int64_t x) const { return strides_[x]; }
    int64_t itemsize() const { return item_; }
    int64_t size() const {
        int64_t count = 1;
        for (const int64_t length : shape_) count *= length;
        return count;
    }
    char kind() const { return kind_; }
    bool contiguous() const { return contiguous_; }
    bool on_device() const { return on_device_; }
    const void* data() const { return data_; }
    void* mutable_data() const { return const_cast<void*>(data_); }

   private:
    const void* data_ = nullptr;
    std::vector<int64_t> shape_, strides_;
    int64_t item_ = 0;
    char kind_ = 0;
    bool contiguous_ = false, on_device_ = false;
};

inline bool Array::read(py::handle source) {
    if (py::isinstance<py::array>(source)) {
        const auto array = py::reinterpret_borrow<py::array>(source);
        shape_.assign(array.shape(), array.shape() + array.ndim());
        strides_.assign(array.strides(), array.strides() + array.ndim());
        data_ = array.data();
        item_ = array.itemsize();
        kind_ = array.dtype().kind();
        contiguous_ = array.flags() & py::array::c_style;
        return true;
    }
    if (!py::isinstance<DeviceArray>(source)) return false;
    const auto& array = source.cast<const DeviceArray&>();
    shape_ = array.shape;
    strides_ = array.strides;
    data_ = array.data;
    item_ = array.item;
    kind_ = array.kind;
    contiguous_ = array.contiguous();
    on_device_ = true;
    return true;
}

inline char kind_of(const py::array& array) { return array.dtype().kind(); }
inline char kind_of(const Array& array) { return array.kind(); }
inline bool is_contiguous(const py::array& array) { return array.flags() & py::array::c_style; }
inline bool is_contiguous(const Array& array) { return array.contiguous(); }
inline bool on_device(const py::array&) { return false; }
inline bool on_device(const Array& array) { return array.on_device(); }

// What a backend's binding takes. The CPU's never sees a device's memory.
template <class Backend>
using Given = std::conditional_t<std::is_same_v<Backend, Cuda>, Array, py::array>;

// A new array of T where `like` lies: NumPy's, or on the device in use.
template <class T>
class Answer {
   public:
    Answer(const py::array&, std::initializer_list<int64_t> shape) { in_numpy(shape); }
    Answer(const Array& like, std::initializer_list<int64_t> shape) {
        if (!like.on_device()) {
            in_numpy(shape);
            return;
        }
        const auto type = py::dtype::of<T>();
        auto array = DeviceArray::make(type.kind(), sizeof(T), shape);
        data_ = reinterpret_cast<T*>(array.data);
        object_ = py::cast(std::move(array));
    }
    T* mutable_data() const { return data_; }
    const py::object& object() const { return object_; }

   private:
    void in_numpy(const std::vector<py::ssize_t>& shape) {
        py::array_t<T> array(shape);
        data_ = array.mutable_data();
        object_ = std::move(array);
    }

    py::object object_;
    T* data_;
};

// A C-contiguous array of T with `dims` dimensions.
template <class T, class Kind>
const T* input(const Kind& array, int dims, const char* name) {
    expect(array.ndim() == dims && array.itemsize() == sizeof(T) && is_contiguous(array), name);
    return static_cast<const T*>(array.data());
}

template <class T, class Kind>
T* output(Kind& array, int dims, const char* name) {
    input<T>(array, dims, name);
    return static_cast<T*>(array.mutable_data());
}

// n bytes, 0 hides a row; null without one.
template <class Kind>
const uint8_t* mask_of(const std::optional<Kind>& mask, int64_t n) {
    if (!mask) return nullptr;
    expect(mask->size() == n, "mask must have one entry per row");
    return input<uint8_t>(*mask, 1, "mask must be uint8, shape (n,)");
}

}  // namespace cg

namespace pybind11::detail {

template <>
struct type_caster<cg::Array> {
    PYBIND11_TYPE_CASTER(cg::Array, const_name("array"));
    bool load(handle source, bool) { return value.read(source); }
};

template <class T>
struct type_caster<cg::Answer<T>> {
    static constexpr auto name = const_name("array");
    static handle cast(const cg::Answer<T>& answer, return_value_policy, handle) { return answer.object().inc_ref(); }
};

}  // namespace pybind11::detail
