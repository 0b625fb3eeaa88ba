#include "backends.hpp"
#include "context_graph/hebbian.hpp"
#include "finite.hpp"
#include "graph_of.hpp"

namespace cg::hebbian {
namespace {

struct Ends {
    const float *pre, *post;
};

// Kernels look at what lies on a device.
template <class Kind>
Ends ends_of(const Kind& pre, const Kind& post, int64_t n) {
    expect(pre.size() == n && post.size() == n, "pre and post must have one entry a node");
    const Ends ends{input<float>(pre, 1, "pre must be float32"), input<float>(post, 1, "post must be float32")};
    if ((!on_device(pre) && !all_finite(ends.pre, n)) || (!on_device(post) && !all_finite(ends.post, n))) {
        throw std::domain_error("pre and post must be finite, one holds NaN or infinity; no weight was changed");
    }
    return ends;
}

#ifdef CG_HAS_CUDA
void update(const Cuda&, float* weights, const Csr& edges, const float* pre, const float* post, const Rule& rule,
            bool normalise, int) {
    update_cuda(weights, edges, pre, post, rule, normalise);
}
void update(const Cuda&, Graph& graph, const float* pre, const float* post, const Rule& rule, bool normalise, int) {
    update_cuda(graph, pre, post, rule, normalise);
}
#endif

template <class Backend>
void bind_backend(py::module_& m, const std::string& name, const Backend& kernel) {
    m.def(("update_" + name).c_str(),
          [&kernel](Given<Backend> weights, const Given<Backend>& offsets, const Given<Backend>& targets,
                    const Given<Backend>& pre, const Given<Backend>& post, int kind, float rate, float decay, float least, float most, bool normalise,
                    int threads) {
              const Csr edges = csr_of(offsets, targets);
              expect(weights.size() == edges.edges(), "weights must have one entry an edge");
              const Ends ends = ends_of(pre, post, edges.n);
              float* to = output<float>(weights, 1, "weights must be float32");
              py::gil_scoped_release release;
              update(kernel, to, edges, ends.pre, ends.post, {static_cast<Kind>(kind), rate, decay, least, most},
                     normalise, threads);
          },
          py::arg("weights"), py::arg("offsets"), py::arg("targets"), py::arg("pre"), py::arg("post"), py::arg("kind"),
          py::arg("rate"), py::arg("decay"), py::arg("least"), py::arg("most"), py::arg("normalise"),
          py::arg("threads"));

    m.def(("learn_" + name).c_str(),
          [&kernel](Graph& graph, const py::array& pre, const py::array& post, int kind, float rate, float decay,
                    float least, float most, bool normalise, int threads) {
              const Ends ends = ends_of(pre, post, graph.n());
              py::gil_scoped_release release;
              update(kernel, graph, ends.pre, ends.post, {static_cast<Kind>(kind), rate, decay, least, most}, normalise,
                     threads);
          },
          py::arg("graph"), py::arg("pre"), py::arg("post"), py::arg("kind"), py::arg("rate"), py::arg("decay"),
          py::arg("least"), py::arg("most"), py::arg("normalise"), py::arg("threads"));
}

}  // namespace

void bind(py::module_& m) {
    CG_BIND_ALL(bind_backend, m)
}

}  // namespace cg::hebbian
