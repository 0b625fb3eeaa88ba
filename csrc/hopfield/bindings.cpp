#include "backends.hpp"
#include "context_graph/hopfield.hpp"
#include "stored_of.hpp"

namespace cg::hopfield {
namespace {

template <class Kind>
const float* queries_of(const Kind& queries, const Stored& patterns) {
    const float* data = input<float>(queries, 2, "queries must be float32, shape (q, d)");
    expect(queries.shape(1) == patterns.d, "queries and patterns must have the same d");
    return data;
}

#ifdef CG_HAS_CUDA
void retrieve(const Cuda&, const float* queries, int64_t q, const Stored& patterns, double beta, int64_t steps,
              double tolerance, const uint8_t* mask, int64_t shortlist, const Retrieved& out, int) {
    retrieve_cuda(queries, q, patterns, beta, steps, tolerance, mask, shortlist, out);
}
void energy(const Cuda&, const float* queries, int64_t q, const Stored& patterns, double beta, const uint8_t* mask,
            float* out, int) {
    energy_cuda(queries, q, patterns, beta, mask, out);
}
#endif

template <class Backend>
void bind_backend(py::module_& m, const std::string& name, const Backend& kernel) {
    m.def(("retrieve_" + name).c_str(),
          [&kernel](const Given<Backend>& queries, const Given<Backend>& patterns, double beta, int64_t steps, double tolerance,
                    const std::optional<Given<Backend>>& mask, int64_t shortlist, int threads) {
              const Stored rows = stored_of(patterns);
              const float* from = queries_of(queries, rows);
              const uint8_t* visible = mask_of(mask, rows.n);
              expect(beta > 0 && steps > 0 && shortlist >= 0, "beta and steps must be above 0");
              const int64_t q = queries.shape(0);
              Answer<float> output(queries, {q, rows.d}), lse(queries, {q}), dropped(queries, {q});
              Answer<int64_t> taken(queries, {q});
              Answer<bool> converged(queries, {q});
              const Retrieved out{output.mutable_data(), lse.mutable_data(), taken.mutable_data(),
                                  converged.mutable_data(), dropped.mutable_data()};
              {
                  py::gil_scoped_release release;
                  retrieve(kernel, from, q, rows, beta, steps, tolerance, visible, shortlist, out, threads);
              }
              return py::make_tuple(output, lse, taken, converged, dropped);
          },
          py::arg("queries"), py::arg("patterns"), py::arg("beta"), py::arg("steps"), py::arg("tolerance"),
          py::arg("mask"), py::arg("shortlist"), py::arg("threads"));

    m.def(("energy_" + name).c_str(),
          [&kernel](const Given<Backend>& queries, const Given<Backend>& patterns, double beta,
                    const std::optional<Given<Backend>>& mask, int threads) {
              const Stored rows = stored_of(patterns);
              const float* from = queries_of(queries, rows);
              const uint8_t* visible = mask_of(mask, rows.n);
              expect(beta > 0, "beta must be above 0");
              Answer<float> out(queries, {queries.shape(0)});
              float* to = out.mutable_data();
              py::gil_scoped_release release;
              energy(kernel, from, queries.shape(0), rows, beta, visible, to, threads);
              return out;
          },
          py::arg("queries"), py::arg("patterns"), py::arg("beta"), py::arg("mask"), py::arg("threads"));
}

}  // namespace

void bind(py::module_& m) {
    CG_BIND_ALL(bind_backend, m)
}

}  // namespace cg::hopfield
