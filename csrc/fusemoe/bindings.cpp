#include <cmath>

#include "backends.hpp"
#include "context_graph/fusemoe.hpp"
#include "points_of.hpp"
#include "fast_bindings.hpp"
#include "stored_of.hpp"

namespace cg::fusemoe {
namespace {

template <class Kind>
Present present_of(const std::optional<Kind>& present, int64_t n, int64_t e) {
    if (!present) return {nullptr, 0};
    const char kind = kind_of(*present);
    expect(present->itemsize() == 1 && (kind == 'b' || kind == 'u') && is_contiguous(*present),
           "present must be bool or uint8");
    const bool same = present->ndim() == 1 && present->shape(0) == e;
    expect(same || (present->ndim() == 2 && present->shape(0) == n && present->shape(1) == e),
           "present must have shape (e,) or (n, e)");
    return {static_cast<const uint8_t*>(present->data()), same ? 0 : e};
}

void expect_gate(const Points& x, const Points& experts, int64_t k, int kind, double temperature) {
    expect(x.d == experts.d, "x and experts must have the same d");
    expect(k >= 0 && kind >= 0 && kind <= 2 && std::isfinite(temperature) && temperature > 0,
           "k must be 0 or more, temperature finite and above 0");
}

// (n, din) for all experts, or (n, e, din).
template <class Kind>
Inputs inputs_of(const Kind& inputs, int64_t experts, int64_t din) {
    const bool shared = inputs.ndim() == 2;
    expect((shared || (inputs.ndim() == 3 && inputs.shape(1) == experts)) && inputs.shape(inputs.ndim() - 1) == din,
           "inputs must have shape (n, din) or (n, e, din)");
    const float* data = input<float>(inputs, static_cast<int>(inputs.ndim()), "inputs must be float32");
    return {data, inputs.shape(0), shared ? din : experts * din, shared ? 0 : din};
}

template <class Kind>
Projections projections_of(const Kind& projections) {
    expect(projections.ndim() == 3 && is_contiguous(projections),
           "projections must have shape (e, dout, din)");
    const int64_t e = projections.shape(0), dout = projections.shape(1), din = projections.shape(2);
    const int64_t stride = din * projections.itemsize();
    return {{projections.data(), width_of(projections), dout, din, stride}, e, dout * stride};
}

#ifdef CG_HAS_CUDA
void gate(const Cuda&, const Points& x, const Points& experts, Kind kind, int64_t k, double temperature,
          const Present& present, float* weights, int64_t* ids, int) {
    gate_cuda(x, experts, kind, k, temperature, present, weights, ids);
}
void fuse(const Cuda&, const Inputs& inputs, const Projections& projections, const float* bias, const int64_t* ids,
          const float* weights, int64_t k, float* out, int) {
    fuse_cuda(inputs, projections, bias, ids, weights, k, out);
}
#endif

template <class Backend>
void bind_backend(py::module_& m, const std::string& name, const Backend& kernel) {
    m.def(("gate_" + name).c_str(),
          [&kernel](const Given<Backend>& x, const Given<Backend>& experts, int64_t k, int kind, double temperature,
                    const std::optional<Given<Backend>>& present, int threads) {
              const Points rows = points_of(x), centres = points_of(experts);
              expect_gate(rows, centres, k, kind, temperature);
              const Present visible = present_of(present, rows.n, centres.n);
              Answer<float> weights(x, {rows.n, k});
              Answer<int64_t> ids(x, {rows.n, k});
              float* to = weights.mutable_data();
              int64_t* chosen = ids.mutable_data();
              {
                  py::gil_scoped_release release;
                  gate(kernel, rows, centres, static_cast<Kind>(kind), k, temperature, visible, to, chosen, threads);
              }
              return py::make_tuple(weights, ids);
          },
          py::arg("x"), py::arg("experts"), py::arg("k"), py::arg("kind"), py::arg("temperature"), py::arg("present"),
          py::arg("threads"));

    m.def(("fuse_" + name).c_str(),
          [&kernel](const Given<Backend>& inputs, const Given<Backend>& projections, const std::optional<Given<Backend>>& bias,
                    const Given<Backend>& ids, const Given<Backend>& weights, int threads) {
              const Projections experts = projections_of(projections);
              const Inputs from = inputs_of(inputs, experts.experts, experts.first.d);
              const int64_t* chosen = input<int64_t>(ids, 2, "ids must be int64, shape (n, k)");
              const float* shares = input<float>(weights, 2, "weights must be float32, shape (n, k)");
              const int64_t k = ids.shape(1), dout = experts.first.n;
              expect(ids.shape(0) == from.n && weights.shape(0) == from.n && weights.shape(1) == k,
                     "ids and weights must have shape (n, k)");
              const float* plus = bias ? input<float>(*bias, 2, "bias must be float32, shape (e, dout)") : nullptr;
              expect(!bias || (bias->shape(0) == experts.experts && bias->shape(1) == dout), "bias must be (e, dout)");
              Answer<float> out(inputs, {from.n, dout});
              float* to = out.mutable_data();
              py::gil_scoped_release release;
              fuse(kernel, from, experts, plus, chosen, shares, k, to, threads);
              return out;
          },
          py::arg("inputs"), py::arg("projections"), py::arg("bias"), py::arg("ids"), py::arg("weights"),
          py::arg("threads"));
}

void bind_fast_paths(py::module_& m) {
    bind_fast(m, "gate", CG_KERNELS, [](const Kernel& kernel, int threads, const Matrix& x, const Matrix& experts,
                                         int64_t k, int kind, double temperature,
                                         const std::optional<py::array>& present) -> py::object {
        const Points &rows = x.points, &centres = experts.points;
        expect_gate(rows, centres, k, kind, temperature);
        expect_choice(k, centres.n, rows.n);
        expect(!present || is_plain(*present), "present must be plain");
        const Present visible = present_of(present, rows.n, centres.n);
        NewArray weights(x, {rows.n, k}), ids(x, {rows.n, k}, ElementType::int64);
        {
            GilRelease released(rows.n * centres.n * rows.d);
            gate(kernel, rows, centres, static_cast<Kind>(kind), k, temperature, visible, weights.as<float>(),
                 ids.as<int64_t>(), threads);
        }
        return py::make_tuple(weights.take(), ids.take());
    });
}

}  // namespace

void bind(py::module_& m) {
    bind_fast_paths(m);
    CG_BIND_ALL(bind_backend, m)
}

}  // namespace cg::fusemoe
