#pragma once
// The fast path into a kernel: arrays that are right are taken as they lie, anything else is answered NotImplemented, and Python
// then says what is wrong, converts, or chooses another backend. It saves the checks in Python, which take
// longer than the work on a few rows.

#include <sched.h>

#include <climits>
#include <cstdlib>
#include <exception>
#include <initializer_list>
#include <optional>

#include "arrays.hpp"
#include "context_graph/cpu.hpp"
#include "context_graph/points.hpp"
#include "dlpack.hpp"

namespace cg {

inline py::object not_implemented() { return py::reinterpret_borrow<py::object>(Py_NotImplemented); }

inline bool in_environment(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != 0;
}

// A family's kernels on the CPU; null are those that do not run here.
template <class Kernel>
class Kernels {
   public:
    Kernels(const Kernel* scalar, const Kernel* avx2, const Kernel* avx512)
        : scalar_(scalar), avx2_(avx2_usable().usable ? avx2 : nullptr),
          avx512_(avx512_usable().usable ? avx512 : nullptr) {}

    // The one with this name, or the fastest where neither the call nor the environment names one. Null: Python decides.
    const Kernel* choose(PyObject* backend) const {
        if (backend == Py_None) {
            if (in_environment("CONTEXT_GRAPH_BACKEND")) return nullptr;
            return avx512_ ? avx512_ : avx2_ ? avx2_ : scalar_;
        }
        if (!PyUnicode_CheckExact(backend)) return nullptr;
        const auto is = [backend](const char* name) { return PyUnicode_CompareWithASCIIString(backend, name) == 0; };
        return is("avx512") ? avx512_ : is("avx2") ? avx2_ : is("scalar") ? scalar_ : nullptr;
    }

   private:
    const Kernel *scalar_, *avx2_, *avx512_;
};

#ifdef CG_X86
#define CG_KERNELS Kernels<Kernel>(&kernel_scalar, &kernel_avx2, &kernel_avx512)
#else
#define CG_KERNELS Kernels<Kernel>(&kernel_scalar, nullptr, nullptr)
#endif

inline int processors() {
    static const int count = [] {
        cpu_set_t allowed;
        return sched_getaffinity(0, sizeof(allowed), &allowed) == 0 ? CPU_COUNT(&allowed) : 1;
    }();
    return count;
}

// As many threads as the call says, or as there are processors where the environment says nothing either. 0: Python decides.
inline int threads_of(PyObject* threads) {
    if (threads == Py_None) return in_environment("CONTEXT_GRAPH_THREADS") ? 0 : processors();
    if (!PyLong_CheckExact(threads)) return 0;
    int overflow;
    const long count = PyLong_AsLongAndOverflow(threads, &overflow);  // -1 where it overflows
    return count >= 1 && count <= INT_MAX ? static_cast<int>(count) : 0;
}

// NumPy's own array, no subclass: a masked array is one, and its mask would be lost.
inline bool is_plain(py::handle array) { return Py_TYPE(array.ptr()) == py::detail::npy_api::get().PyArray_Type_; }

// float32, two dimensions, each row contiguous, on the CPU: a NumPy array, or an array with the exchange interface.
struct Matrix {
    Points points{};
    PyObject* source = nullptr;
    const dlpack::ExchangeApi* api = nullptr;  // null: NumPy

    bool read(PyObject* array);

   private:
    bool read_foreign(PyObject* array);
};

inline bool Matrix::read(PyObject* array) {
    source = array;
    if (!is_plain(array)) return read_foreign(array);
    const auto* proxy = py::detail::array_proxy(array);
    const auto* type = py::detail::array_descriptor_proxy(proxy->descr);
    if (proxy->nd != 2 || type->type_num != py::detail::npy_api::NPY_FLOAT_ || type->byteorder == '>' ||
        !(proxy->flags & py::detail::npy_api::NPY_ARRAY_ALIGNED_)) {
        return false;
    }
    constexpr int64_t item = sizeof(float);
    const int64_t n = proxy->dimensions[0], d = proxy->dimensions[1];
    if ((d > 1 && proxy->strides[1] != item) || proxy->strides[0] < 0 || proxy->strides[0] % item != 0) return false;
    points = {reinterpret_cast<const float*>(proxy->data), n, d, proxy->strides[0] / item};
    return n < 0xffffffff;
}

inline bool Matrix::read_foreign(PyObject* array) {
    api = dlpack::exchange_api_of(Py_TYPE(array));
    dlpack::Tensor tensor;
    if (api == nullptr || api->dltensor_from_py_object == nullptr) return false;
    if (api->dltensor_from_py_object(array, &tensor) != 0) {
        PyErr_Clear();
        return false;
    }
    if (tensor.device.type != dlpack::CPU || tensor.ndim != 2 || tensor.dtype.code != dlpack::FLOAT ||
        tensor.dtype.bits != 32 || tensor.dtype.lanes != 1) {
        return false;
    }
    const int64_t n = tensor.shape[0], d = tensor.shape[1], stride = tensor.strides ? tensor.strides[0] : d;
    if ((d > 1 && tensor.strides && tensor.strides[1] != 1) || stride < 0) return false;
    // Its gradient would be lost in silence.
    static PyObject* const name = PyUnicode_InternFromString("requires_grad");
    PyObject* grad = PyObject_GetAttr(array, name);
    const bool tracked = grad == Py_True;
    if (grad == nullptr) PyErr_Clear();
    Py_XDECREF(grad);
    points = {tensor.at<float>(), n, d, stride};
    return !tracked && n < 0xffffffff;
}

// What the numbers of an answer are.
enum class ElementType { float32, boolean, int64 };

// A new array of `like`'s library, to be filled before it is handed out.
class NewArray {
   public:
    NewArray(const Matrix& like, std::initializer_list<int64_t> shape, ElementType element_type = ElementType::float32)
        : api_(like.api) {
        if (api_) {
            constexpr dlpack::DType types[] = {{dlpack::FLOAT, 32, 1}, {dlpack::BOOL, 8, 1}, {dlpack::INT, 64, 1}};
            dlpack::Tensor prototype{nullptr,
                                     {dlpack::CPU, 0},
                                     static_cast<int32_t>(shape.size()),
                                     types[static_cast<int>(element_type)],
                                     const_cast<int64_t*>(shape.begin()),
                                     nullptr,
                                     0};
            const auto ignore = [](void*, const char*, const char*) {};
            if (api_->managed_tensor_allocator(&prototype, &managed_, nullptr, ignore) != 0) throw std::bad_alloc();
            data_ = managed_->tensor.at<char>();
            return;
        }
        const auto& numpy = py::detail::npy_api::get();
        static PyObject* const types[] = {py::dtype::of<float>().release().ptr(), py::dtype::of<bool>().release().ptr(),
                                          py::dtype::of<int64_t>().release().ptr()};
        PyObject* type = types[static_cast<int>(element_type)];
        Py_INCREF(type);  // stolen by the call
        array_ = py::reinterpret_steal<py::object>(
            numpy.PyArray_NewFromDescr_(numpy.PyArray_Type_, type, static_cast<int>(shape.size()),
                                        reinterpret_cast<const Py_intptr_t*>(shape.begin()), nullptr, nullptr, 0,
                                        nullptr));
        if (!array_) throw py::error_already_set();
        data_ = py::detail::array_proxy(array_.ptr())->data;
    }
    ~NewArray() {
        if (managed_ && managed_->deleter) managed_->deleter(managed_);
    }
    NewArray(const NewArray&) = delete;
    NewArray& operator=(const NewArray&) = delete;

    template <class T>
    T* as() const {
        return reinterpret_cast<T*>(data_);
    }

    py::object take() {
        if (api_) {
            void* object = nullptr;
            if (api_->managed_tensor_to_py_object(managed_, &object) != 0) throw py::error_already_set();
            managed_ = nullptr;
            array_ = py::reinterpret_steal<py::object>(static_cast<PyObject*>(object));
        }
        return std::move(array_);
    }

   private:
    const dlpack::ExchangeApi* api_;
    dlpack::ManagedTensor* managed_ = nullptr;
    py::object array_;
    char* data_ = nullptr;
};

// Lets other Python threads run where the work is long enough to pay for it.
class GilRelease {
   public:
    explicit GilRelease(int64_t work) {
        if (work > 20'000) release_.emplace();
    }

   private:
    std::optional<py::gil_scoped_release> release_;
};

// m.<name>_fast(arguments..., backend, threads): NotImplemented where an argument is not what `answer` takes, where backend
// or threads, as Python got them, are for Python to judge, or where `answer` throws.
template <class Kernel, class Answer, class... Arguments>
void bind_fast(py::module_& m, const char* name, const Kernels<Kernel>& kernels, Answer answer,
               py::object (Answer::*)(const Kernel&, int, Arguments...) const) {
    const auto call = [kernels, answer](Arguments... arguments, py::handle backend, py::handle threads) -> py::object {
        const Kernel* kernel = kernels.choose(backend.ptr());
        const int count = threads_of(threads.ptr());
        if (kernel == nullptr || count == 0) return not_implemented();
        try {
            return answer(*kernel, count, arguments...);
        } catch (const std::logic_error&) {  // invalid_argument and domain_error among them
            return not_implemented();
        }
    };
    m.def((std::string(name) + "_fast").c_str(), call);
    m.def((std::string(name) + "_fast").c_str(), [](const py::args&) { return not_implemented(); });
}

template <class Kernel, class Answer>
void bind_fast(py::module_& m, const char* name, const Kernels<Kernel>& kernels, Answer answer) {
    bind_fast(m, name, kernels, answer, &Answer::operator());
}

}  // namespace cg

namespace pybind11::detail {

template <>
struct type_caster<cg::Matrix> {
    PYBIND11_TYPE_CASTER(cg::Matrix, const_name("matrix"));
    bool load(handle source, bool) { return value.read(source.ptr()); }
};

}  // namespace pybind11::detail
