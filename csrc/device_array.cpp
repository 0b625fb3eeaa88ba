#include "device_array.hpp"

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "arrays.hpp"
#include "context_graph/gpu.hpp"

namespace cg {
namespace {

std::vector<int64_t> row_by_row(const std::vector<int64_t>& shape, int64_t item) {
    std::vector<int64_t> strides(shape.size());
    for (size_t x = shape.size(); x-- > 0; item *= shape[x]) strides[x] = item;
    return strides;
}

// A stream as DLPack and __cuda_array_interface__ number it; both have 1 for the legacy default one.
constexpr uintptr_t LEGACY = 1;
uintptr_t number_of(void* stream) { return stream == nullptr ? LEGACY : reinterpret_cast<uintptr_t>(stream); }

// What the current stream is given from here on comes after what writes the array.
void follow(const DeviceArray& array) {
    if (array.stream) gpu::order(reinterpret_cast<void*>(*array.stream), gpu::Context().stream);
}

// A reference of this thread; it is set back before the thread ends, so nothing is left to a destructor without the GIL.
thread_local PyObject* allocator = nullptr;

// DLPack before version 1, which every library gives when nothing newer is asked for.
struct UnversionedTensor {
    dlpack::Tensor tensor;
    void* context;
    void (*deleter)(UnversionedTensor*);
};

char kind_of(const dlpack::DType& type) {
    if (type.lanes != 1 || type.bits % 8 != 0) return 0;
    switch (type.code) {
        case dlpack::INT: return 'i';
        case dlpack::UINT: return 'u';
        case dlpack::FLOAT: return 'f';
        case dlpack::BFLOAT: return 'B';
        case dlpack::BOOL: return 'b';
        default: return 0;
    }
}

dlpack::DType type_of(char kind, int64_t item) {
    const uint8_t code = kind == 'i'   ? dlpack::INT
                         : kind == 'u' ? dlpack::UINT
                         : kind == 'f' ? dlpack::FLOAT
                         : kind == 'B' ? dlpack::BFLOAT
                                       : dlpack::BOOL;
    return {code, static_cast<uint8_t>(8 * item), 1};
}

// `held` is freed, and with it the array, when the last view of it goes.
template <class ManagedTensor>
DeviceArray from_capsule(const py::capsule& capsule, ManagedTensor* held, const char* used_name) {
    const dlpack::Tensor& tensor = held->tensor;
    const char kind = kind_of(tensor.dtype);
    expect(tensor.device.type == dlpack::CUDA || tensor.device.type == dlpack::CUDA_MANAGED, "an array on a CUDA device was expected");
    expect(kind != 0, "numbers of this type are not read");
    const int64_t item = tensor.dtype.bits / 8;
    DeviceArray array{tensor.at<char>(), {tensor.shape, tensor.shape + tensor.ndim}, {}, kind, item, tensor.device.id, {}};
    array.strides = row_by_row(array.shape, item);
    for (int x = 0; tensor.strides != nullptr && x < tensor.ndim; ++x) array.strides[x] = tensor.strides[x] * item;
    PyCapsule_SetName(capsule.ptr(), used_name);  // from here on it is ours
    array.owner = py::capsule(held, [](void* kept) {
        auto* managed = static_cast<ManagedTensor*>(kept);
        if (managed->deleter != nullptr) managed->deleter(managed);
    });
    return array;
}

}  // namespace

DeviceArray DeviceArray::make(char kind, int64_t item, std::vector<int64_t> shape) {
    DeviceArray array{nullptr, std::move(shape), {}, kind, item, 0, {}};
    array.strides = row_by_row(array.shape, item);
    if (allocator != nullptr) {
        array.owner = py::reinterpret_borrow<py::object>(allocator)(std::string(1, kind), item, py::tuple(py::cast(array.shape)));
        array.data = reinterpret_cast<char*>(array.owner.attr("data_ptr")().cast<uintptr_t>());
        array.device = gpu::in_use();
        array.whole = true;
        if (const gpu::Context context; !context.check) array.stream = number_of(context.stream);
        return array;
    }
    array.memory = std::make_shared<gpu::Memory>(array.size() * item);
    array.data = array.memory->data();
    array.device = array.memory->device();
    if (const gpu::Context context; !context.check) array.stream = number_of(context.stream);
    return array;
}

DeviceArray DeviceArray::from_dlpack(const py::capsule& capsule) {
    PyObject* object = capsule.ptr();
    if (PyCapsule_IsValid(object, "dltensor_versioned")) {
        auto* held = static_cast<dlpack::ManagedTensor*>(PyCapsule_GetPointer(object, "dltensor_versioned"));
        expect(held->version.major == 1, "DLPack of version 1 was expected");
        return from_capsule(capsule, held, "used_dltensor_versioned");
    }
    expect(PyCapsule_IsValid(object, "dltensor"), "a DLPack capsule that nobody has read yet was expected");
    return from_capsule(capsule, static_cast<UnversionedTensor*>(PyCapsule_GetPointer(object, "dltensor")),
                        "used_dltensor");
}

int64_t DeviceArray::size() const {
    int64_t count = 1;
    for (const int64_t length : shape) count *= length;
    return count;
}

bool DeviceArray::contiguous() const {
    if (size() == 0) return true;
    const std::vector<int64_t> wanted = row_by_row(shape, item);
    for (size_t x = 0; x < shape.size(); ++x) {
        if (shape[x] > 1 && strides[x] != wanted[x]) return false;
    }
    return true;
}

DeviceArray DeviceArray::packed() const {
    if (contiguous()) return *this;
    const size_t dims = shape.size();
    expect((dims == 1 || (dims == 2 && (shape[1] == 1 || strides[1] == item))) && strides[0] >= 0,
           "an array on a GPU must have contiguous rows");
    follow(*this);
    DeviceArray copy = make(kind, item, shape);
    copy.stream = number_of(gpu::Context().stream);
    gpu::pack(copy.data, data, shape[0], dims == 1 ? item : shape[1] * item, strides[0]);
    return copy;
}

py::array DeviceArray::numpy() const {
    const DeviceArray from = packed();
    follow(from);
    py::array home(py::dtype::from_args(kind == 'B' ? py::object(py::str("u2")) : dtype()), shape);
    if (size() > 0) gpu::download(home.mutable_data(), from.data, size() * item);
    return home;
}

py::object DeviceArray::dtype() const {
    if (kind == 'B') return py::str("bfloat16");  // which NumPy has no name for
    static auto* const made = new std::map<std::pair<char, int64_t>, py::object>;  // never destroyed: Python may be gone first
    py::object& known = (*made)[{kind, item}];
    if (!known) known = py::dtype(std::string(1, kind) + std::to_string(item));
    return known;
}

py::dict DeviceArray::interface() const {
    py::dict found;
    found["version"] = 3;
    found["shape"] = py::tuple(py::cast(shape));
    found["strides"] = contiguous() ? py::object(py::none()) : py::object(py::tuple(py::cast(strides)));
    found["typestr"] = kind == 'B' ? "<V2" : (item == 1 ? "|" : "<") + std::string(1, kind) + std::to_string(item);
    found["data"] = py::make_tuple(reinterpret_cast<uintptr_t>(data), false);
    found["stream"] = stream ? py::object(py::int_(*stream)) : py::object(py::none());
    if (memory) memory->lend();  // who reads it does not say on which stream
    return found;
}

py::capsule DeviceArray::dlpack(const std::optional<int64_t>& reader) const {
    const uintptr_t on = reader ? static_cast<uintptr_t>(*reader) : LEGACY;
    expect(!reader || *reader == -1 || *reader > 0, "stream must be -1, 1, 2 or the address of a stream");
    if (stream && reader != -1) gpu::order(reinterpret_cast<void*>(*stream), reinterpret_cast<void*>(on));
    if (memory && on != number_of(memory->stream())) memory->lend();
    struct Held {
        DeviceArray array;
        std::vector<int64_t> strides;  // in items
        UnversionedTensor managed;
    };
    auto held = std::make_unique<Held>(Held{*this, strides, {}});
    for (int64_t& stride : held->strides) stride /= item;
    held->managed.tensor = {data, {dlpack::CUDA, device}, static_cast<int32_t>(shape.size()), type_of(kind, item),
                            held->array.shape.data(), held->strides.data(), 0};
    held->managed.context = held.get();
    held->managed.deleter = [](UnversionedTensor* managed) {
        py::gil_scoped_acquire acquire;
        delete static_cast<Held*>(managed->context);
    };
    UnversionedTensor* managed = &held.release()->managed;
    return py::capsule(managed, "dltensor", [](PyObject* capsule) {
        if (!PyCapsule_IsValid(capsule, "dltensor")) return;  // somebody took it
        auto* left = static_cast<UnversionedTensor*>(PyCapsule_GetPointer(capsule, "dltensor"));
        left->deleter(left);
    });
}

py::object use_allocator(py::object next) {
    PyObject* before = std::exchange(allocator, next.is_none() ? nullptr : next.release().ptr());
    return before == nullptr ? py::none() : py::reinterpret_steal<py::object>(before);
}

void bind_device_array(py::module_& m) {
    py::class_<DeviceArray>(m, "DeviceArray")
        .def(py::init([](uintptr_t address, std::vector<int64_t> shape, const std::optional<std::vector<int64_t>>& strides,
                         const py::dtype& dtype, int device, py::object owner) {
                 const int64_t item = dtype.itemsize();
                 auto steps = strides ? *strides : row_by_row(shape, item);
                 expect(steps.size() == shape.size(), "strides must have one entry a dimension");
                 return DeviceArray{reinterpret_cast<char*>(address), std::move(shape), std::move(steps), dtype.kind(), item,
                                    device, std::move(owner)};
             }),
             py::arg("address"), py::arg("shape"), py::arg("strides"), py::arg("dtype"), py::arg("device"), py::arg("owner"))
        .def_static("seen",
                    [](uintptr_t address, std::vector<int64_t> shape, std::vector<int64_t> strides, const std::string& kind,
                       int64_t item, int device, py::object owner) {
                        for (int64_t& stride : strides) stride *= item;
                        return DeviceArray{reinterpret_cast<char*>(address), std::move(shape), std::move(strides), kind.at(0), item,
                                           device, std::move(owner)};
                    },
                    py::arg("address"), py::arg("shape"), py::arg("strides"), py::arg("kind"), py::arg("item"), py::arg("device"),
                    py::arg("owner"))
        .def_static("from_dlpack", &DeviceArray::from_dlpack, py::arg("capsule"))
        .def_static("empty",
                    [](std::vector<int64_t> shape, const py::dtype& dtype) {
                        return DeviceArray::make(dtype.kind(), dtype.itemsize(), std::move(shape));
                    },
                    py::arg("shape"), py::arg("dtype"))
        .def_static("upload",
                    [](const py::array& array) {
                        expect(array.flags() & py::array::c_style, "array must be contiguous");
                        const std::vector<int64_t> shape(array.shape(), array.shape() + array.ndim());
                        DeviceArray copy = DeviceArray::make(array.dtype().kind(), array.itemsize(), shape);
                        if (array.size() > 0) gpu::upload(copy.data, array.data(), array.nbytes());
                        copy.stream = number_of(gpu::Context().stream);
                        return copy;
                    },
                    py::arg("array"))
        .def("numpy", &DeviceArray::numpy)
        .def("packed", &DeviceArray::packed)
        .def("first",
             [](const DeviceArray& self, int64_t columns) {
                 expect(self.shape.size() == 2 && columns >= 0 && columns <= self.shape[1], "no such columns");
                 DeviceArray part = self;
                 part.shape[1] = columns;
                 part.whole = false;
                 return part;
             },
             py::arg("columns"))
        .def("narrow",
             [](const DeviceArray& self) {
                 expect(self.kind == 'i' && self.item == 8 && self.shape.size() == 1 && self.contiguous(), "int64 in one dimension");
                 DeviceArray nodes = DeviceArray::make('u', 4, self.shape);
                 gpu::narrow(reinterpret_cast<const int64_t*>(self.data), self.size(), reinterpret_cast<uint32_t*>(nodes.data));
                 nodes.stream = number_of(gpu::Context().stream);
                 return nodes;
             })
        .def("view",
             [](const DeviceArray& self, const py::dtype& dtype) {
                 expect(dtype.itemsize() == self.item, "a view must have numbers of the same size");
                 DeviceArray other = self;
                 other.kind = dtype.kind();
                 other.whole = other.whole && self.kind == other.kind;
                 return other;
             },
             py::arg("dtype"))
        .def("__len__",
             [](const DeviceArray& self) {
                 if (self.shape.empty()) throw py::type_error("an array without dimensions has no length");
                 return self.shape[0];
             })
        .def_property_readonly("shape", [](const DeviceArray& self) { return py::tuple(py::cast(self.shape)); })
        .def_property_readonly("strides", [](const DeviceArray& self) { return py::tuple(py::cast(self.strides)); })
        .def_property_readonly("ndim", [](const DeviceArray& self) { return self.shape.size(); })
        .def_property_readonly("size", &DeviceArray::size)
        .def_property_readonly("kind", [](const DeviceArray& self) { return std::string(1, self.kind); })
        .def_property_readonly("itemsize", [](const DeviceArray& self) { return self.item; })
        .def_property_readonly("contiguous", &DeviceArray::contiguous)
        .def_property_readonly("dtype", &DeviceArray::dtype)
        .def_property_readonly("device", [](const DeviceArray& self) { return self.device; })
        .def_property_readonly("whole", [](const DeviceArray& self) { return self.whole ? self.owner : py::object(py::none()); })
        .def_property_readonly("stream", [](const DeviceArray& self) { return self.stream; })
        .def_property_readonly("__cuda_array_interface__", &DeviceArray::interface)
        .def("__dlpack_device__",
             [](const DeviceArray& self) { return py::make_tuple(int{dlpack::CUDA}, self.device); })
        .def("__dlpack__",
             [](const DeviceArray& self, const py::kwargs& options) {
                 return self.dlpack(options.contains("stream") ? options["stream"].cast<std::optional<int64_t>>() : std::nullopt);
             })
        .def("__repr__", [](const DeviceArray& self) {
            return py::str("DeviceArray(shape={}, dtype={}, device={})")
                .format(py::tuple(py::cast(self.shape)), self.dtype(), self.device);
        });
    m.def("use_device", &gpu::use, py::arg("device"));
    m.def("device_of", [](uintptr_t address) { return gpu::device_of(reinterpret_cast<const void*>(address)); },
          py::arg("address"));
    m.def("use_stream",
          [](uintptr_t stream, bool check) {
              const gpu::Context before = gpu::use_context({reinterpret_cast<void*>(stream), check});
              return py::make_tuple(number_of(before.stream), before.check);
          },
          py::arg("stream"), py::arg("check"));
    m.def("use_allocator", &use_allocator, py::arg("allocator").none(true));
    m.def("order_after",
          [](uintptr_t stream) { gpu::order(reinterpret_cast<void*>(stream), gpu::Context().stream); },
          py::arg("stream"));
}

}  // namespace cg
