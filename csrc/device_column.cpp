#include "arrays.hpp"
#include "context_graph/column.hpp"
#include "context_graph/gpu.hpp"

namespace cg {
namespace {

// A column as an index in Python has it: rows of `items` numbers of one kind.
struct DeviceColumn {
    gpu::Column column;
    char kind;
    int64_t item;

    int64_t items() const { return column.width() / item; }

    // Rows of this column's kind and width, each without gaps; of one number each also in one dimension. Bytes from row to row.
    int64_t step_of(const Array& rows) const {
        const bool flat = rows.ndim() == 1 && items() == 1 && rows.contiguous();
        const bool fits = rows.ndim() == 2 && rows.shape(1) == items() && rows.strides(0) >= 0 &&
                          (rows.size() == 0 || rows.shape(1) == 1 || rows.strides(1) == item);
        expect(rows.itemsize() == item && (flat || fits), "rows must be of the column's kind and width, each without gaps");
        return rows.strides(0);
    }
    const int64_t* places(const py::array& ids) const {
        const auto* found = input<int64_t>(ids, 1, "ids must be int64");
        for (py::ssize_t i = 0; i < ids.size(); ++i) expect(found[i] >= 0 && found[i] < column.room(), "no such row");
        return found;
    }
    DeviceArray view(std::vector<int64_t> shape) const {
        const bool flat = shape.size() == 1;
        expect(flat || shape.size() == 2, "a view has one dimension or two");
        expect(flat ? column.stride() == column.width() && shape[0] * item <= column.room() * column.stride()
                    : shape[0] <= column.room() && shape[1] <= items(),
               "a view must lie inside the column");
        auto strides = flat ? std::vector<int64_t>{item} : std::vector<int64_t>{column.stride(), item};
        py::capsule owner;
        if (column.block()) {
            owner = py::capsule(new std::shared_ptr<char>(column.block()),
                                [](void* held) { delete static_cast<std::shared_ptr<char>*>(held); });
        }
        return {column.block().get(), std::move(shape), std::move(strides), kind, item, column.device(), std::move(owner)};
    }
};

}  // namespace

void bind_device_column(py::module_& m) {
    py::class_<DeviceColumn>(m, "DeviceColumn")
        .def(py::init([](int64_t items, const py::dtype& dtype, bool padded) {
                 const int64_t width = items * dtype.itemsize(), stride = padded ? (width + 15) / 16 * 16 : width;
                 return DeviceColumn{gpu::Column(width, stride), dtype.kind(), dtype.itemsize()};
             }),
             py::arg("items"), py::arg("dtype"), py::arg("padded"))
        .def("reserve",
             [](DeviceColumn& self, int64_t rows, int64_t used) { self.column.reserve(rows, used); },
             py::arg("rows"), py::arg("used"))
        .def("write",
             [](DeviceColumn& self, int64_t first, const Array& rows) {
                 const int64_t step = self.step_of(rows);
                 expect(first >= 0 && first + rows.shape(0) <= self.column.room(), "there is no room for these rows");
                 self.column.write(first, rows.data(), rows.shape(0), step);
             },
             py::arg("first"), py::arg("rows"))
        .def("replace",
             [](DeviceColumn& self, const py::array& ids, const Array& rows) {
                 const int64_t step = self.step_of(rows);
                 expect(rows.shape(0) == ids.size(), "rows must have one row per id");
                 const int64_t* places = self.places(ids);
                 for (py::ssize_t i = 0; i < ids.size(); ++i) {  // in order: of an id that is named twice the last row stays
                     self.column.write(places[i], static_cast<const char*>(rows.data()) + i * step, 1, step);
                 }
             },
             py::arg("ids"), py::arg("rows"))
        .def("take",
             [](const DeviceColumn& self, const py::array& ids) {
                 DeviceArray rows = DeviceArray::make('u', 1, {ids.size(), self.column.stride()});
                 self.column.gather(self.places(ids), ids.size(), rows.data);
                 rows.shape = {ids.size(), self.items()};
                 rows.strides = {self.column.stride(), self.item};
                 rows.kind = self.kind;
                 rows.item = self.item;
                 rows.whole = false;
                 return rows;
             },
             py::arg("ids"))
        .def("fetch",
             [](const DeviceColumn& self, const py::array& ids) {
                 py::array rows(py::dtype(std::string(1, self.kind) + std::to_string(self.item)),
                                std::vector<int64_t>{ids.size(), self.items()});
                 self.column.fetch(self.places(ids), ids.size(), rows.mutable_data());
                 return rows;
             },
             py::arg("ids"))
        .def("view", &DeviceColumn::view, py::arg("shape"))
        .def_property_readonly("room", [](const DeviceColumn& self) { return self.column.room(); })
        .def_property_readonly("device", [](const DeviceColumn& self) { return self.column.device(); });
}

}  // namespace cg
