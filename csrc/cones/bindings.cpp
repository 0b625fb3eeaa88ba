#include <cmath>

#include "arrays.hpp"
#include "backends.hpp"
#include "context_graph/cones.hpp"
#include "points_of.hpp"
#include "fast_bindings.hpp"

namespace cg::cones {
namespace {

#ifdef CG_HAS_CUDA
void contains(const Cuda&, const Points& x, const Points& y, double k, uint8_t* out, int) { contains_cuda(x, y, k, out); }
void energy(const Cuda&, const Points& x, const Points& y, double k, float* out, int) { energy_cuda(x, y, k, out); }
void aperture(const Cuda&, const Points& x, double k, float* out, int) { aperture_cuda(x, k, out); }
void ancestors(const Cuda&, const Points& y, const Points& x, double k, uint8_t* out, int) {
    ancestors_cuda(y, x, k, out);
}
void descendants(const Cuda&, const Points& x, const Points& y, double k, uint8_t* out, int) {
    descendants_cuda(x, y, k, out);
}
#endif

// Truth as bool (q, n): the bytes are 0 and 1.
template <class Backend, class Test>
void bind_scan(py::module_& m, const std::string& name, const char* ones, const char* rows, Test test) {
    m.def(name.c_str(),
          [test](const Given<Backend>& first, const Given<Backend>& second, double width, int threads) {
              const Points one = points_of(first), row = points_of(second);
              expect(one.d == row.d, "points and apexes must have the same d");
              Answer<bool> out(first, {one.n, row.n});
              auto* to = reinterpret_cast<uint8_t*>(out.mutable_data());
              py::gil_scoped_release release;
              test(one, row, width, to, threads);
              return out;
          },
          py::arg(ones), py::arg(rows), py::arg("width"), py::arg("threads"));
}

template <class Backend>
void bind_backend(py::module_& m, const std::string& name, const Backend& kernel) {
    m.def(("contains_" + name).c_str(),
          [&kernel](const Given<Backend>& apexes, const Given<Backend>& points, double width, int threads) {
              const Points x = points_of(apexes), y = points_of(points);
              expect(x.n == y.n && x.d == y.d, "apexes and points must have the same shape");
              Answer<bool> out(apexes, {x.n});
              auto* to = reinterpret_cast<uint8_t*>(out.mutable_data());
              py::gil_scoped_release release;
              contains(kernel, x, y, width, to, threads);
              return out;
          },
          py::arg("apexes"), py::arg("points"), py::arg("width"), py::arg("threads"));

    m.def(("energy_" + name).c_str(),
          [&kernel](const Given<Backend>& apexes, const Given<Backend>& points, double width, int threads) {
              const Points x = points_of(apexes), y = points_of(points);
              expect(x.n == y.n && x.d == y.d, "apexes and points must have the same shape");
              Answer<float> out(apexes, {x.n});
              float* to = out.mutable_data();
              py::gil_scoped_release release;
              energy(kernel, x, y, width, to, threads);
              return out;
          },
          py::arg("apexes"), py::arg("points"), py::arg("width"), py::arg("threads"));

    m.def(("aperture_" + name).c_str(),
          [&kernel](const Given<Backend>& apexes, double width, int threads) {
              const Points x = points_of(apexes);
              Answer<float> out(apexes, {x.n});
              float* to = out.mutable_data();
              py::gil_scoped_release release;
              aperture(kernel, x, width, to, threads);
              return out;
          },
          py::arg("apexes"), py::arg("width"), py::arg("threads"));

    bind_scan<Backend>(m, "ancestors_" + name, "points", "apexes",
              [&kernel](const Points& points, const Points& apexes, double width, uint8_t* out, int threads) {
                  ancestors(kernel, points, apexes, width, out, threads);
              });
    bind_scan<Backend>(m, "descendants_" + name, "apexes", "points",
              [&kernel](const Points& apexes, const Points& points, double width, uint8_t* out, int threads) {
                  descendants(kernel, apexes, points, width, out, threads);
              });
}

void bind_fast_paths(py::module_& m) {
    bind_fast(m, "contains", CG_KERNELS, [](const Kernel& kernel, int threads, const Matrix& apexes, const Matrix& points,
                                             double width) -> py::object {
        const Points &x = apexes.points, &y = points.points;
        expect(x.n == y.n && x.d == y.d && std::isfinite(width) && width > 0, "rows must match, width be above 0");
        NewArray out(apexes, {x.n}, ElementType::boolean);
        {
            GilRelease released(x.n * x.d);
            contains(kernel, x, y, width, out.as<uint8_t>(), threads);
        }
        return out.take();
    });
    bind_fast(m, "energy", CG_KERNELS, [](const Kernel& kernel, int threads, const Matrix& apexes, const Matrix& points,
                                           double width) -> py::object {
        const Points &x = apexes.points, &y = points.points;
        expect(x.n == y.n && x.d == y.d && std::isfinite(width) && width > 0, "rows must match, width be above 0");
        NewArray out(apexes, {x.n});
        {
            GilRelease released(x.n * x.d);
            energy(kernel, x, y, width, out.as<float>(), threads);
        }
        return out.take();
    });
}

}  // namespace

void bind(py::module_& m) {
    bind_fast_paths(m);
    CG_BIND_ALL(bind_backend, m)
}

}  // namespace cg::cones
