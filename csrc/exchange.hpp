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
    T* at() const { return reinterpret_cast<T*>(static_cast<char*>(data) + byte_offset); }
};

struct Managed {
    Version version;
    void* context;
    void (*deleter)(Managed*);
    uint64_t flags;
    Tensor tensor;
};

struct Exchange {
    Version version;
    Exchange* previous;
    int (*allocate)(Tensor* like, Managed** out, void* context, void (*set_error)(void*, const char*, const char*));
    int (*managed_of)(void* object, Managed** out);
    int (*object_of)(Managed* tensor, void** out);
    int (*tensor_of)(void* object, Tensor* out);
    int (*stream_of)(int32_t device_type, int32_t device_id, void** out);
};

// What the type of an array offers, or null. Looked up once a type; the caller holds the GIL.
inline const Exchange* exchange_of(PyTypeObject* type) {
    static PyTypeObject* last_type = nullptr;
    static const Exchange* last = nullptr;
    if (type == last_type) return last;
    const Exchange* found = nullptr;
    PyObject* capsule = PyObject_GetAttrString(reinterpret_cast<PyObject*>(type), "__dlpack_c_exchange_api__");
    if (capsule == nullptr) {
        PyErr_Clear();
        return nullptr;
    }
    if (PyCapsule_CheckExact(capsule)) {
        found = static_cast<const Exchange*>(PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule)));
        if (found != nullptr && found->version.major != 1) found = nullptr;
    }
    Py_DECREF(capsule);
    PyErr_Clear();
    Py_INCREF(type);  // kept for good, so its address names no other type
    last_type = type;
    last = found;
    return found;
}

}  // namespace cg::dlpack
