#include <memory>

#include "arrays.hpp"
#include "canonical_json.hpp"
#include "context_graph/arena.hpp"
#include "context_graph/cpu.hpp"
#include "context_graph/gpu.hpp"
#include "context_graph/select.hpp"
#include "embedding_bag.hpp"
#include "word_pieces.hpp"

namespace py = pybind11;

// One line a family: its bindings live in csrc/<family>/bindings.cpp and become _core.<family>.
#define CG_FAMILIES(FAMILY) \
    FAMILY(cones)       \
    FAMILY(dense)       \
    FAMILY(fusemoe)     \
    FAMILY(hdc)         \
    FAMILY(hebbian)     \
    FAMILY(hopfield)    \
    FAMILY(maxsim)      \
    FAMILY(modulation)  \
    FAMILY(poincare)    \
    FAMILY(sparse)      \
    FAMILY(transe)

#define CG_DECLARE(name) \
    namespace cg::name { \
    void bind(py::module_& m); \
    }
CG_FAMILIES(CG_DECLARE)

PYBIND11_MODULE(_core, m) {
    m.doc() = "The compiled kernels: cg::<family>::<op>_<backend> is _core.<family>.<op>_<backend>.";
    m.attr("__version__") = CG_VERSION;
    m.attr("MAX_PADDED") = cg::MAX_PADDED;

    m.def("usable", [] {
        py::dict found;
        const auto add = [&](const char* backend, const cg::Usable& answer) {
            found[backend] = answer.usable ? py::object(py::none()) : py::object(py::str(answer.reason));
        };
        add("scalar", cg::scalar_usable());
        add("avx2", cg::avx2_usable());
        add("avx512", cg::avx512_usable());
        return found;
    });
    m.def("why_not_amx", [] {
        const cg::Usable answer = cg::amx_usable();
        return answer.usable ? py::object(py::none()) : py::object(py::str(answer.reason));
    });
    m.def("amx", &cg::amx);
    m.def("use_amx", &cg::use_amx, py::arg("use"));
    m.def("why_not_bfloat16", [] {
        const cg::Usable answer = cg::bfloat16_usable();
        return answer.usable ? py::object(py::none()) : py::object(py::str(answer.reason));
    });
    m.def("use_bfloat16", &cg::use_bfloat16, py::arg("use"));
    m.def("why_not_cuda", [] {
        const cg::Usable answer = cg::cuda_usable();
        return answer.usable ? py::object(py::none()) : py::object(py::str(answer.reason));
    });
    m.def("devices", &cg::gpu::devices);

    m.def("arena", [](size_t bytes) {
        auto arena = std::make_unique<cg::Arena>(bytes);
        const void* data = arena->data();
        py::capsule owner(arena.release(), [](void* held) { delete static_cast<cg::Arena*>(held); });
        return py::array_t<uint8_t>({static_cast<py::ssize_t>(bytes)}, {py::ssize_t{1}},
                                    static_cast<const uint8_t*>(data), owner);
    }, py::arg("bytes"));

    m.def("map_file", [](int file, int64_t offset, py::array over) {
        cg::expect(cg::is_contiguous(over), "the part that is laid over must be contiguous");
        void* data = over.mutable_data();
        const auto bytes = static_cast<size_t>(over.nbytes());
        py::gil_scoped_release release;
        return cg::Arena::map_file(file, offset, data, bytes);
    }, py::arg("file"), py::arg("offset"), py::arg("over"));

    m.def("mapped", [](int file) {
        auto view = std::make_unique<cg::FileView>(file);
        const auto bytes = static_cast<py::ssize_t>(view->bytes());
        const auto* data = static_cast<const uint8_t*>(view->data());
        py::capsule owner(view.release(), [](void* held) { delete static_cast<cg::FileView*>(held); });
        py::array_t<uint8_t> array({bytes}, {py::ssize_t{1}}, data, owner);
        array.attr("flags").attr("writeable") = false;
        return array;
    }, py::arg("file"));

    m.def("sums", [](const py::array& bytes) {
        const auto* data = cg::input<uint8_t>(bytes, 1, "bytes must be uint8 in one dimension");
        const auto n = static_cast<size_t>(bytes.size());
        py::gil_scoped_release release;
        const cg::Checksum sums = cg::checksum_of(data, n);
        return std::pair(sums.sum, sums.weighted_sum);
    }, py::arg("bytes"));

    m.def("canonical_json", &cg::canonical_json, py::arg("value"));
    m.def("embedding_bag", &cg::embedding_bag, py::arg("table"), py::arg("scale"), py::arg("rows"), py::arg("weights"),
          py::arg("starts"));

    m.def("best", [](const py::array& scores, int64_t k, const std::optional<py::array>& mask) {
        const int64_t n = scores.size();
        const float* values = cg::input<float>(scores, 1, "scores must be float32");
        std::vector<cg::TopK> best(1, cg::TopK(k));
        best[0].offer_all(values, n, 0, cg::mask_of(mask, n));
        std::pair<py::array_t<float>, py::array_t<int64_t>> out{py::array_t<float>(k), py::array_t<int64_t>(k)};
        cg::write_best(best, k, out.first.mutable_data(), out.second.mutable_data());
        return out;
    }, py::arg("scores"), py::arg("k"), py::arg("mask"));

    m.def("best_cuda", [](const cg::Array& scores, int64_t k, const std::optional<cg::Array>& mask) {
        const int64_t n = scores.size();
        const float* values = cg::input<float>(scores, 1, "scores must be float32");
        std::pair<cg::Answer<float>, cg::Answer<int64_t>> out{cg::Answer<float>(scores, {k}), cg::Answer<int64_t>(scores, {k})};
        float* best = out.first.mutable_data();
        int64_t* ids = out.second.mutable_data();
        const uint8_t* visible = cg::mask_of(mask, n);
        py::gil_scoped_release release;
        cg::gpu::best(values, n, k, visible, best, ids);
        return out;
    }, py::arg("scores"), py::arg("k"), py::arg("mask"));

    cg::bind_device_array(m);
    cg::bind_device_column(m);
    cg::bind_word_pieces(m);

#define CG_BIND(name) { auto family = m.def_submodule(#name); cg::name::bind(family); }
    CG_FAMILIES(CG_BIND)
}
