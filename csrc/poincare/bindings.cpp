#include <cmath>

#include "arrays.hpp"
#include "backends.hpp"
#include "context_graph/poincare.hpp"
#include "points_of.hpp"
#include "fast_bindings.hpp"

namespace cg::poincare {
namespace {

template <class Kind>
Ball ball_of(const Kind& rows, double c, const char* name) {
    return {points_of(rows), nullptr, c, name};
}

template <class Kind>
Ball ball_of(const Kind& rows, const std::optional<Kind>& slacks, double c, const char* name) {
    Ball ball = ball_of(rows, c, name);
    if (slacks) {
        expect(slacks->size() == ball.points.n, "slacks must have one entry per row");
        ball.slacks = input<float>(*slacks, 1, "slacks must be float32, shape (n,)");
    }
    return ball;
}

void expect_curvature(double c) {
    expect(c >= MIN_CURVATURE && c <= 1 / MIN_CURVATURE, "curvature is out of range");
}
void expect_pairs(const Points& x, const Points& y) {
    expect(x.n == y.n && x.d == y.d, "x and y must have the same shape");
}

#ifdef CG_HAS_CUDA
void slacks(const Cuda&, const Ball& ball, float* out, int) { slacks_cuda(ball, out); }
void distance(const Cuda&, const Ball& x, const Ball& y, float* out, int) { distance_cuda(x, y, out); }
void distances(const Cuda&, const Ball& q, const Ball& rows, float* out, int) { distances_cuda(q, rows, out); }
void nearest(const Cuda&, const Ball& q, const Ball& rows, int64_t k, const uint8_t* mask, float* distances,
             int64_t* ids, int) {
    nearest_cuda(q, rows, k, mask, distances, ids);
}
void exp_map(const Cuda&, const Ball& x, const Points& v, float* out, int) { exp_map_cuda(x, v, out); }
void log_map(const Cuda&, const Ball& x, const Ball& y, float* out, int) { log_map_cuda(x, y, out); }
void mobius_add(const Cuda&, const Ball& x, const Ball& y, float* out, int) { mobius_add_cuda(x, y, out); }
void project(const Cuda&, const Points& x, double c, double eps, float* out, int) { project_cuda(x, c, eps, out); }
#endif

template <class Backend, class Map>
void bind_map(py::module_& m, const std::string& name, Map map) {
    m.def(name.c_str(),
          [map](const Given<Backend>& x, const Given<Backend>& y, double curvature, int threads) {
              const Ball from = ball_of(x, curvature, "x"), to = ball_of(y, curvature, "y");
              expect_pairs(from.points, to.points);
              Answer<float> out(x, {from.points.n, from.points.d});
              float* result = out.mutable_data();
              py::gil_scoped_release release;
              map(from, to, result, threads);
              return out;
          },
          py::arg("x"), py::arg("y"), py::arg("curvature"), py::arg("threads"));
}

template <class Backend>
void bind_backend(py::module_& m, const std::string& name, const Backend& kernel) {
    m.def(("slacks_" + name).c_str(),
          [&kernel](const Given<Backend>& rows, double curvature, int threads) {
              const Ball ball = ball_of(rows, curvature, "rows");
              Answer<float> out(rows, {ball.points.n});
              float* to = out.mutable_data();
              py::gil_scoped_release release;
              slacks(kernel, ball, to, threads);
              return out;
          },
          py::arg("rows"), py::arg("curvature"), py::arg("threads"));

    m.def(("distance_" + name).c_str(),
          [&kernel](const Given<Backend>& x, const Given<Backend>& y, double curvature, int threads) {
              const Ball from = ball_of(x, curvature, "x"), to = ball_of(y, curvature, "y");
              expect_pairs(from.points, to.points);
              Answer<float> out(x, {from.points.n});
              float* found = out.mutable_data();
              py::gil_scoped_release release;
              distance(kernel, from, to, found, threads);
              return out;
          },
          py::arg("x"), py::arg("y"), py::arg("curvature"), py::arg("threads"));

    m.def(("distances_" + name).c_str(),
          [&kernel](const Given<Backend>& queries, const Given<Backend>& rows, const std::optional<Given<Backend>>& slacks,
                    double curvature, int threads) {
              const Ball q = ball_of(queries, curvature, "queries");
              const Ball r = ball_of(rows, slacks, curvature, "rows");
              expect(q.points.d == r.points.d, "queries and rows must have the same d");
              Answer<float> out(queries, {q.points.n, r.points.n});
              float* found = out.mutable_data();
              py::gil_scoped_release release;
              distances(kernel, q, r, found, threads);
              return out;
          },
          py::arg("queries"), py::arg("rows"), py::arg("slacks"), py::arg("curvature"), py::arg("threads"));

    m.def(("nearest_" + name).c_str(),
          [&kernel](const Given<Backend>& queries, const Given<Backend>& rows, const std::optional<Given<Backend>>& slacks,
                    double curvature, int64_t k, const std::optional<Given<Backend>>& mask, int threads) {
              const Ball q = ball_of(queries, curvature, "queries");
              const Ball r = ball_of(rows, slacks, curvature, "rows");
              expect(q.points.d == r.points.d, "queries and rows must have the same d");
              const uint8_t* visible = mask_of(mask, r.points.n);
              Chosen out = empty_choice(queries, q.points.n, k);
              float* found = out.first.mutable_data();
              int64_t* ids = out.second.mutable_data();
              py::gil_scoped_release release;
              nearest(kernel, q, r, k, visible, found, ids, threads);
              return out;
          },
          py::arg("queries"), py::arg("rows"), py::arg("slacks"), py::arg("curvature"), py::arg("k"), py::arg("mask"),
          py::arg("threads"));

    bind_map<Backend>(m, "log_map_" + name,
             [&kernel](const Ball& x, const Ball& y, float* out, int threads) { log_map(kernel, x, y, out, threads); });
    bind_map<Backend>(m, "mobius_add_" + name, [&kernel](const Ball& x, const Ball& y, float* out, int threads) {
        mobius_add(kernel, x, y, out, threads);
    });

    m.def(("exp_map_" + name).c_str(),
          [&kernel](const Given<Backend>& x, const Given<Backend>& v, double curvature, int threads) {
              const Ball from = ball_of(x, curvature, "x");
              const Points velocity = points_of(v);
              expect_pairs(from.points, velocity);
              Answer<float> out(x, {from.points.n, from.points.d});
              float* to = out.mutable_data();
              py::gil_scoped_release release;
              exp_map(kernel, from, velocity, to, threads);
              return out;
          },
          py::arg("x"), py::arg("v"), py::arg("curvature"), py::arg("threads"));

    m.def(("project_" + name).c_str(),
          [&kernel](const Given<Backend>& x, double curvature, double eps, int threads) {
              const Points from = points_of(x);
              Answer<float> out(x, {from.n, from.d});
              float* to = out.mutable_data();
              py::gil_scoped_release release;
              project(kernel, from, curvature, eps, to, threads);
              return out;
          },
          py::arg("x"), py::arg("curvature"), py::arg("eps"), py::arg("threads"));
}

void bind_screen(py::module_& m, const std::string& name, const Kernel& kernel) {
    m.def(("nearest_screened_" + name).c_str(),
          [&kernel](const py::array& queries, const py::array& rows, const py::array& slacks, const py::array& halves,
                    double rest, double curvature, int64_t k, const std::optional<py::array>& mask, int threads) {
              const Ball q = ball_of(queries, curvature, "queries");
              const Ball r = ball_of(rows, std::optional(slacks), curvature, "rows");
              expect(q.points.d == r.points.d, "queries and rows must have the same d");
              expect(halves.ndim() == 2 && halves.shape(0) == r.points.n && halves.shape(1) >= r.points.d &&
                         halves.shape(1) % 32 == 0,
                     "halves must be padded to a multiple of 32");
              const Halves h{input<uint16_t>(halves, 2, "halves must be float16, shape (n, padded)"), halves.shape(1),
                             rest};
              const uint8_t* visible = mask_of(mask, r.points.n);
              Chosen out = empty_choice(queries, q.points.n, k);
              float* found = out.first.mutable_data();
              int64_t* ids = out.second.mutable_data();
              int64_t read;
              {
                  py::gil_scoped_release release;
                  read = nearest_screened(kernel, q, r, h, k, visible, found, ids, threads);
              }
              return py::make_tuple(out.first, out.second, read);
          },
          py::arg("queries"), py::arg("rows"), py::arg("slacks"), py::arg("halves"), py::arg("rest"),
          py::arg("curvature"), py::arg("k"), py::arg("mask"), py::arg("threads"));
}

void bind_fast_paths(py::module_& m) {
    bind_fast(m, "distance", CG_KERNELS, [](const Kernel& kernel, int threads, const Matrix& x, const Matrix& y,
                                             double curvature) -> py::object {
        expect_pairs(x.points, y.points);
        expect_curvature(curvature);
        NewArray out(x, {x.points.n});
        {
            GilRelease released(x.points.n * x.points.d);
            const Ball from{x.points, nullptr, curvature, "x"}, to{y.points, nullptr, curvature, "y"};
            distance(kernel, from, to, out.as<float>(), threads);
        }
        return out.take();
    });
    bind_fast(m, "distances", CG_KERNELS, [](const Kernel& kernel, int threads, const Matrix& queries,
                                              const Matrix& rows, double curvature) -> py::object {
        expect(queries.points.d == rows.points.d, "queries and rows must have the same d");
        expect_curvature(curvature);
        NewArray out(queries, {queries.points.n, rows.points.n});
        {
            GilRelease released(queries.points.n * rows.points.n * rows.points.d);
            const Ball q{queries.points, nullptr, curvature, "queries"}, r{rows.points, nullptr, curvature, "rows"};
            distances(kernel, q, r, out.as<float>(), threads);
        }
        return out.take();
    });
}

}  // namespace

void bind(py::module_& m) {
    bind_fast_paths(m);
    CG_BIND_ALL(bind_backend, m)
    CG_BIND_CPU(bind_screen, m)
    m.attr("RIM") = RIM;
    m.attr("MIN_CURVATURE") = MIN_CURVATURE;
}

}  // namespace cg::poincare
