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

using CodedScan = int64_t(const Kernel&, const Points&, const Points&, const dense::Codes&, const float*, double, uint8_t*, int);

void bind_coded_scan(py::module_& m, const std::string& name, const char* ones, const char* rows, const Kernel& kernel,
                     CodedScan* scan) {
    m.def(name.c_str(),
          [&kernel, scan](const py::array& first, const py::array& second, const py::array& codes, const py::array& scale,
                          const py::array& residual, const py::array& norm, const py::array& squares, double width,
                          int threads) {
              const Points one = points_of(first), row = points_of(second);
              expect(one.d == row.d && row.d <= dense::MAX_CODED_DIM, "points and apexes must have the same d, at most 8192");
              expect(codes.ndim() == 2 && codes.itemsize() == 1 && codes.shape(0) == row.n && codes.strides(1) == 1 &&
                         codes.strides(0) >= (row.d + 63) / 64 * 64 && scale.size() == row.n && residual.size() == row.n &&
                         norm.size() == row.n && squares.size() == row.n,
                     "codes must be uint8 rows padded to 64 bytes, bounds and squares float32 with one entry per row");
              const dense::Codes c{static_cast<const uint8_t*>(codes.data()), codes.strides(0),
                                   input<float>(scale, 1, "scale must be float32"),
                                   input<float>(residual, 1, "residual must be float32"),
                                   input<float>(norm, 1, "norm must be float32")};
              const float* of_rows = input<float>(squares, 1, "squares must be float32");
              Answer<bool> out(first, {one.n, row.n});
              auto* to = reinterpret_cast<uint8_t*>(out.mutable_data());
              int64_t read;
              {
                  py::gil_scoped_release release;
                  read = scan(kernel, one, row, c, of_rows, width, to, threads);
              }
              return py::make_tuple(out, read);
          },
          py::arg(ones), py::arg(rows), py::arg("codes"), py::arg("scale"), py::arg("residual"), py::arg("norm"),
          py::arg("squares"), py::arg("width"), py::arg("threads"));
}

void bind_coded(py::module_& m, const std::string& name, const Kernel& kernel) {
    bind_coded_scan(m, "ancestors_coded_" + name, "points", "apexes", kernel, ancestors_coded);
    bind_coded_scan(m, "descendants_coded_" + name, "apexes", "points", kernel, descendants_coded);
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
    CG_BIND_WIDE(bind_coded, m)
}

}  // namespace cg::cones
