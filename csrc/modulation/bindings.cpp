#include <cmath>
#include <vector>

#include "backends.hpp"
#include "context_graph/modulation.hpp"
#include "graph_of.hpp"
#include "fast_bindings.hpp"

namespace cg::modulation {
namespace {

void find_paths(const Kernel& kernel, Graph& graph, const int64_t* seeds, const float* seed_strengths, int64_t count,
                int hops, int64_t k, float* strengths, int64_t* nodes) {
    strongest_paths(kernel, graph, seeds, seed_strengths, count, hops, k, strengths, nodes);
}

#ifdef CG_HAS_CUDA
template <class NT>
bool effective_weight(const Cuda&, const float* base, const NT* excitatory, const NT* inhibitory, const NT* modulatory,
                      int64_t n, float* out, int) {
    return effective_weight_cuda(base, excitatory, inhibitory, modulatory, n, out);
}
void spread(const Cuda&, Graph& graph, float* activation, int steps, float keep, int) {
    spread_cuda(graph, activation, steps, keep);
}
Ranked pagerank(const Cuda&, Graph& graph, const float* seeds, float damping, int iterations, double tolerance,
                float* ranks, int) {
    return pagerank_cuda(graph, seeds, damping, iterations, tolerance, ranks);
}
void find_paths(const Cuda&, Graph& graph, const int64_t* seeds, const float* seed_strengths, int64_t count,
                int hops, int64_t k, float* strengths, int64_t* nodes) {
    strongest_paths_cuda(graph, seeds, seed_strengths, count, hops, k, strengths, nodes);
}
#endif

template <class NT, class Backend>
bool effective_weight_of(const Backend& kernel, const Given<Backend>& base, const Given<Backend>& excitatory,
           const Given<Backend>& inhibitory, const Given<Backend>& modulatory, Given<Backend>& out, int threads) {
    const int64_t n = base.size();
    const float* b = input<float>(base, 1, "base must be float32, shape (n,)");
    expect(excitatory.size() == n && inhibitory.size() == n && modulatory.size() == n && out.size() == n,
           "all arrays must have as many entries as base");
    const NT* e = input<NT>(excitatory, 1, "excitatory must be one array of its dtype");
    const NT* i = input<NT>(inhibitory, 1, "inhibitory must have the dtype of excitatory");
    const NT* m = input<NT>(modulatory, 1, "modulatory must have the dtype of excitatory");
    float* to = output<float>(out, 1, "out must be float32, shape (n,)");
    py::gil_scoped_release release;
    return effective_weight(kernel, b, e, i, m, n, to, threads);
}

template <class Backend>
void bind_backend(py::module_& m, const std::string& name, const Backend& kernel) {
    m.def(("effective_weight_" + name).c_str(),
          [&kernel](const Given<Backend>& base, const Given<Backend>& excitatory, const Given<Backend>& inhibitory,
                    const Given<Backend>& modulatory, Given<Backend> out, int threads) {
              const auto call = excitatory.itemsize() == 1 ? effective_weight_of<uint8_t, Backend> : effective_weight_of<float, Backend>;
              if (!call(kernel, base, excitatory, inhibitory, modulatory, out, threads)) {
                  throw std::domain_error("an effective weight is not finite: an input holds NaN or infinity, or the result is too large for float32");
              }
          },
          py::arg("base"), py::arg("excitatory"), py::arg("inhibitory"), py::arg("modulatory"), py::arg("out"),
          py::arg("threads"));

    m.def(("spread_" + name).c_str(),
          [&kernel](Graph& graph, const py::array& activation, int steps, float keep, int threads) {
              expect(activation.size() == graph.n(), "activation must have one entry a node");
              const float* from = input<float>(activation, 1, "activation must be float32, shape (n,)");
              py::array_t<float> out(graph.n());
              float* to = out.mutable_data();
              py::gil_scoped_release release;
              std::copy(from, from + graph.n(), to);
              spread(kernel, graph, to, steps, keep, threads);
              return out;
          },
          py::arg("graph"), py::arg("activation"), py::arg("steps"), py::arg("keep"), py::arg("threads"));

    m.def(("pagerank_" + name).c_str(),
          [&kernel](Graph& graph, const py::array& seeds, float damping, int iterations, double tolerance, int threads) {
              expect(seeds.size() == graph.n(), "seeds must have one entry a node");
              const float* from = input<float>(seeds, 1, "seeds must be float32, shape (n,)");
              py::array_t<float> out(graph.n());
              float* to = out.mutable_data();
              Ranked ranked;
              {
                  py::gil_scoped_release release;
                  ranked = pagerank(kernel, graph, from, damping, iterations, tolerance, to, threads);
              }
              return py::make_tuple(out, ranked.iterations, ranked.change);
          },
          py::arg("graph"), py::arg("seeds"), py::arg("damping"), py::arg("iterations"), py::arg("tolerance"),
          py::arg("threads"));

    m.def(("strongest_paths_" + name).c_str(),
          [&kernel](Graph& graph, const py::array& seeds, const py::array& seed_strengths, int hops, int64_t k) {
              expect(seeds.size() == seed_strengths.size() && hops >= 0 && k >= 0, "one strength a seed");
              const int64_t* from = input<int64_t>(seeds, 1, "seeds must be int64");
              const float* with = input<float>(seed_strengths, 1, "strengths must be float32");
              for (int64_t i = 0; i < seeds.size(); ++i) expect(from[i] >= 0 && from[i] < graph.n(), "seeds must be nodes");
              std::pair<py::array_t<float>, py::array_t<int64_t>> out{py::array_t<float>(k),
                                                                      py::array_t<int64_t>({k, int64_t{hops} + 1})};
              float* strengths = out.first.mutable_data();
              int64_t* nodes = out.second.mutable_data();
              py::gil_scoped_release release;
              find_paths(kernel, graph, from, with, seeds.size(), hops, k, strengths, nodes);
              return out;
          },
          py::arg("graph"), py::arg("seeds"), py::arg("seed_strengths"), py::arg("hops"), py::arg("k"));
}

// Seeds as a list of ints or as NumPy's int64; what else they may be is for Python to see.
std::vector<int64_t> seeds_of(const py::handle& given, int64_t n) {
    std::vector<int64_t> seeds;
    if (PyList_CheckExact(given.ptr())) {
        for (Py_ssize_t i = 0; i < PyList_GET_SIZE(given.ptr()); ++i) {
            PyObject* seed = PyList_GET_ITEM(given.ptr(), i);
            expect(PyLong_CheckExact(seed), "seeds must be integers");
            seeds.push_back(PyLong_AsLongLong(seed));
            PyErr_Clear();  // too long a number came as -1
        }
    } else {
        expect(is_plain(given) && py::isinstance<py::array_t<int64_t>>(given), "seeds must be int64");
        const auto array = py::reinterpret_borrow<py::array>(given);
        const int64_t* from = input<int64_t>(array, 1, "seeds must have one dimension");
        seeds.assign(from, from + array.size());
    }
    for (const int64_t seed : seeds) expect(seed >= 0 && seed < n, "seeds must be nodes");
    return seeds;
}

std::vector<float> strengths_of(const py::handle& given, size_t count) {
    if (given.is_none()) return std::vector<float>(count, 1.0f);
    expect(is_plain(given) && py::isinstance<py::array_t<float>>(given), "strengths must be float32");
    const auto array = py::reinterpret_borrow<py::array>(given);
    const float* from = input<float>(array, 1, "strengths must have one dimension");
    expect(static_cast<size_t>(array.size()) == count, "one strength a seed");
    for (size_t i = 0; i < count; ++i) expect(from[i] > 0 && std::isfinite(from[i]), "strengths must be above 0");
    return {from, from + count};
}

void bind_fast_paths(py::module_& m) {
    bind_fast(m, "strongest_paths", CG_KERNELS, [](const Kernel& kernel, int, Graph& graph, const py::object& given,
                                                    const py::object& with, int hops, int64_t k) -> py::object {
        const std::vector<int64_t> seeds = seeds_of(given, graph.n());
        const std::vector<float> seed_strengths = strengths_of(with, seeds.size());
        expect(hops >= 0, "hops must be 0 or more");
        expect_choice(k, graph.n(), int64_t{hops} + 1);
        expect_choice(hops, graph.n(), k);
        const Matrix numpy;
        NewArray strengths(numpy, {k}), nodes(numpy, {k, int64_t{hops} + 1}, ElementType::int64);
        {
            py::gil_scoped_release release;
            strongest_paths(kernel, graph, seeds.data(), seed_strengths.data(), static_cast<int64_t>(seeds.size()), hops, k,
                            strengths.as<float>(), nodes.as<int64_t>());
        }
        return py::make_tuple(strengths.take(), nodes.take());
    });
}

}  // namespace

void bind(py::module_& m) {
    py::class_<Graph>(m, "Graph")
        .def(py::init([](const py::array& offsets, const py::array& targets, const py::array& weights,
                         const std::optional<py::array>& gains) {
                 const Csr edges = csr_of(offsets, targets);
                 expect(weights.size() == edges.edges() && (!gains || gains->size() == edges.edges()),
                        "weights and gains must have one entry an edge");
                 const float* w = input<float>(weights, 1, "weights must be float32");
                 const int16_t* g = gains ? input<int16_t>(*gains, 1, "gains must be int16") : nullptr;
                 py::gil_scoped_release release;
                 return std::make_unique<Graph>(edges, w, g);
             }),
             py::arg("offsets"), py::arg("targets"), py::arg("weights"), py::arg("gains"))
        .def("weights", [](Graph& graph) {
            py::array_t<float> out(graph.m());
            const float* from = graph.weights();
            std::copy(from, from + graph.m(), out.mutable_data());
            return out;
        })
        .def_property_readonly("nbytes", &Graph::bytes);

    bind_fast_paths(m);
    CG_BIND_ALL(bind_backend, m)
}

}  // namespace cg::modulation
