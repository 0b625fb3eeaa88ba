#include "arrays.hpp"
#include "backends.hpp"
#include "context_graph/transe.hpp"
#include "points_of.hpp"
#include "fast_bindings.hpp"

namespace cg::transe {
namespace {

void expect_queries(const Points& heads, const Points& relations, int64_t d) {
    expect(heads.n == relations.n && heads.d == d && relations.d == d, "heads and relations must have the same shape");
}

#ifdef CG_HAS_CUDA
void score(const Cuda&, const Points& heads, const Points& relations, const Points& tails, Norm norm, float* out, int) {
    score_cuda(heads, relations, tails, norm, out);
}
void nearest(const Cuda&, const Points& heads, const Points& relations, const Points& tails, Norm norm, int64_t k,
             const uint8_t* mask, float* scores, int64_t* ids, int) {
    nearest_cuda(heads, relations, tails, norm, k, mask, scores, ids);
}
#endif

template <class Backend>
void bind_backend(py::module_& m, const std::string& name, const Backend& kernel) {
    m.def(("score_" + name).c_str(),
          [&kernel](const Given<Backend>& heads, const Given<Backend>& relations, const Given<Backend>& tails, int norm,
                    int threads) {
              const Points h = points_of(heads), r = points_of(relations), t = points_of(tails);
              expect_queries(h, r, t.d);
              expect(h.n == t.n, "heads and tails must have the same shape");
              Answer<float> out(heads, {h.n});
              float* to = out.mutable_data();
              py::gil_scoped_release release;
              score(kernel, h, r, t, static_cast<Norm>(norm), to, threads);
              return out;
          },
          py::arg("heads"), py::arg("relations"), py::arg("tails"), py::arg("norm"), py::arg("threads"));

    m.def(("nearest_" + name).c_str(),
          [&kernel](const Given<Backend>& heads, const Given<Backend>& relations, const Given<Backend>& tails, int norm, int64_t k,
                    const std::optional<Given<Backend>>& mask, int threads) {
              const Points h = points_of(heads), r = points_of(relations), t = points_of(tails);
              expect_queries(h, r, t.d);
              const uint8_t* visible = mask_of(mask, t.n);
              Chosen out = empty_choice(heads, h.n, k);
              float* scores = out.first.mutable_data();
              int64_t* ids = out.second.mutable_data();
              py::gil_scoped_release release;
              nearest(kernel, h, r, t, static_cast<Norm>(norm), k, visible, scores, ids, threads);
              return out;
          },
          py::arg("heads"), py::arg("relations"), py::arg("tails"), py::arg("norm"), py::arg("k"), py::arg("mask"),
          py::arg("threads"));
}

void bind_fast_paths(py::module_& m) {
    bind_fast(m, "score", CG_KERNELS, [](const Kernel& kernel, int threads, const Matrix& heads, const Matrix& relations,
                                          const Matrix& tails, int norm) -> py::object {
        const Points &h = heads.points, &r = relations.points, &t = tails.points;
        expect_queries(h, r, t.d);
        expect(h.n == t.n && (norm == 1 || norm == 2), "heads and tails must have the same shape");
        NewArray out(heads, {h.n});
        {
            GilRelease released(h.n * h.d);
            score(kernel, h, r, t, static_cast<Norm>(norm), out.as<float>(), threads);
        }
        return out.take();
    });
}

}  // namespace

void bind(py::module_& m) {
    bind_fast_paths(m);
    CG_BIND_ALL(bind_backend, m)
}

}  // namespace cg::transe
