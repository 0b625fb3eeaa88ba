// Maps between the ball and its tangent spaces, row by row: three sums in double, one blend rounded once.

#include <cmath>

#include "blocks.hpp"
#include "context_graph/poincare.hpp"
#include "context_graph/threads.hpp"
#include "poincare/slack.hpp"

namespace cg::poincare {
namespace {

double finite_square(const Kernel& kernel, const Points& rows, int64_t i, const char* name) {
    const double square = kernel.square(rows.row(i), rows.d);
    if (std::isfinite(square)) return square;
    throw_not_finite(name, i);
}

// One unit in the last place below (1 - eps), so that rounding cannot lead out again.
void pull_inside(const Kernel& kernel, float* x, double square, int64_t d, double c, double eps) {
    const double length = std::sqrt(c * square);
    if (length > 1 - eps) kernel.blend(x, (1 - eps) * (1 - 0x1p-23) / length, x, 0.0, d, x);
}

template <class Row>
void each_row(const Points& rows, int threads, Row row) {
    split(rows.n, worth_waking(threads, scan_work(4, rows)), [&](int, int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) row(i);
    });
}

}  // namespace

void mobius_add(const Kernel& kernel, const Ball& x, const Ball& y, float* out, int threads) {
    const int64_t d = x.points.d;
    each_row(x.points, threads, [&](int64_t i) {
        const double a = slack_of(kernel, x, i), b = slack_of(kernel, y, i);
        const double cs = x.c * kernel.square_of_sum(x.points.row(i), y.points.row(i), 1.0, d), under = cs + a * b;
        kernel.blend(x.points.row(i), (a + cs) / under, y.points.row(i), a / under, d, out + i * d);
        pull_inside(kernel, out + i * d, kernel.square(out + i * d, d), d, x.c, RIM);
    });
}

void exp_map(const Kernel& kernel, const Ball& x, const Points& v, float* out, int threads) {
    const int64_t d = x.points.d;
    each_row(x.points, threads, [&](int64_t i) {
        const double a = slack_of(kernel, x, i);
        const double speed = std::sqrt(x.c * finite_square(kernel, v, i, "v"));
        const double angle = speed / a, t = speed > 0 ? std::tanh(angle) / speed : 0.0;
        const double b = 1 / (std::cosh(angle) * std::cosh(angle));  // slack of t v, without 1 - tanh²
        const double cs = x.c * kernel.square_of_sum(x.points.row(i), v.row(i), t, d), under = cs + a * b;
        kernel.blend(x.points.row(i), (a + cs) / under, v.row(i), a * t / under, d, out + i * d);
        pull_inside(kernel, out + i * d, kernel.square(out + i * d, d), d, x.c, RIM);
    });
}

void log_map(const Kernel& kernel, const Ball& x, const Ball& y, float* out, int threads) {
    const int64_t d = x.points.d;
    each_row(x.points, threads, [&](int64_t i) {
        const double a = slack_of(kernel, x, i), b = slack_of(kernel, y, i);
        const double cs = x.c * kernel.square_of_sum(x.points.row(i), y.points.row(i), -1.0, d), under = cs + a * b;
        // u = a (y - x) - cs x points from x to y and is sqrt(s under) long; the answer is a d(x, y) / 2 long.
        const double scale = cs > 0 ? a * std::asinh(std::sqrt(cs / (a * b))) / std::sqrt(cs * under) : 0.0;
        kernel.blend(x.points.row(i), -scale * (a + cs), y.points.row(i), scale * a, d, out + i * d);
    });
}

void project(const Kernel& kernel, const Points& x, double c, double eps, float* out, int threads) {
    each_row(x, threads, [&](int64_t i) {
        const double square = finite_square(kernel, x, i, "x");
        kernel.blend(x.row(i), 1.0, x.row(i), 0.0, x.d, out + i * x.d);
        pull_inside(kernel, out + i * x.d, square, x.d, c, eps);
    });
}

}  // namespace cg::poincare
