#pragma once
// DLPack's exchange interface: pointer, shape and type of another library's array for a few hundred nanoseconds, without its
// Python methods and without linking it. The structures are those of DLPack 1.3; layouts are fixed by its major version.

#include <pybind11/pybind11.h>

#include <cstdint>

namespace cg::dlpack {

namespace py = pybind11;

struct Version {
    uint32_t major, minor;
};

enum : int32_t { CPU = 1, CUDA = 2, CUDA_MANAGED = 13 };

struct Device {
    int32_t type, id;
};

enum : uint8_t { INT = 0, UINT = 1, FLOAT = 2, BFLOAT = 4, BOOL = 6 };

struct DType {
    uint8_t code, bits;
    uint16_t lanes;
};

struct Tensor {
    void* data;
    Device device;
    int32_t ndim;
    DType dtype;
    int64_t* shape;
    int64_t* strides;  // in items; null: row by row
    uint64_t byte_offset;

    template <class T>
    T* at() const {
        return reinterpret_cast<T*>(static_cast<char*>(data) + byte_offset);
    }
};

struct ManagedTensor {
    Version version;
    void* context;
    void (*deleter)(ManagedTensor*);
    uint64_t flags;
    Tensor tensor;
};

struct ExchangeApi {
    Version version;
    ExchangeApi* previous;
    int (*managed_tensor_allocator)(Tensor* like, ManagedTensor** out, void* context,
                                    void (*set_error)(void*, const char*, const char*));
    int (*managed_tensor_from_py_object)(void* object, ManagedTensor** out);
    int (*managed_tensor_to_py_object)(ManagedTensor* tensor, void** out);
    int (*dltensor_from_py_object)(void* object, Tensor* out);
    int (*current_work_stream)(int32_t device_type, int32_t device_id, void** out);
};

// What the type of an array offers, or null. Looked up once a type; the caller holds the GIL.
inline const ExchangeApi* exchange_api_of(PyTypeObject* type) {
    static PyTypeObject* last_type = nullptr;
    static const ExchangeApi* last = nullptr;
    if (type == last_type) return last;
    const ExchangeApi* api = nullptr;
    PyObject* capsule = PyObject_GetAttrString(reinterpret_cast<PyObject*>(type), "__dlpack_c_exchange_api__");
    if (capsule == nullptr) {
        PyErr_Clear();
        return nullptr;
    }
    if (PyCapsule_CheckExact(capsule)) {
        api = static_cast<const ExchangeApi*>(PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule)));
        if (api != nullptr && api->version.major != 1) api = nullptr;
    }
    Py_DECREF(capsule);
    PyErr_Clear();
    Py_INCREF(type);  // kept for good, so its address names no other type
    last_type = type;
    last = api;
    return api;
}

}  // namespace cg::dlpack
