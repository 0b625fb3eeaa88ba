// A filter in float first; double decides where the filter is unsure.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "blocks.hpp"
#include "cones/domain_errors.hpp"
#include "context_graph/cones.hpp"
#include "context_graph/threads.hpp"

namespace cg::cones {
namespace {

void expect_inside(double square, const char* name, int64_t i) {
    if (square < 1) return;
    throw_outside_ball(name, square, i);
}

bool decide(const Points& apexes, int64_t i, const Points& points, int64_t j, double k) {
    const Sums sums = sums_in_order(apexes.row(i), points.row(j), apexes.d);
    expect_inside(sums.n, "apexes", i);
    expect_inside(sums.n_of_y, "points", j);
    return inside(sums, k);
}

// Rows against all of `ones`, block by block.
template <class Decide>
void scan(FloatFilter* filter, const Points& ones, const char* name, const Points& rows, double k, uint8_t* out,
          int threads, Decide decide) {
    for (int64_t j = 0; j < ones.n; ++j) expect_inside(sums_in_order(ones.row(j), ones.row(j), ones.d).n, name, j);
    const int64_t block = block_rows(rows);
    split(rows.n, worth_waking(threads, scan_work(ones.n, rows)), [&](int, int64_t begin, int64_t end) {
        for (int64_t first = begin; first < end; first += block) {
            const int64_t last = std::min(first + block, end);
            for (int64_t j = 0; j < ones.n; ++j) {
                uint8_t* line = out + j * rows.n;
                if (filter) {
                    filter(ones.row(j), rows, k, first, last, line + first);
                } else {
                    std::fill(line + first, line + last, UNSURE);
                }
                for (int64_t i = first; i < last; ++i) {
                    if (line[i] == UNSURE) line[i] = decide(j, i);
                }
            }
        }
    });
}

}  // namespace

void contains(const Kernel& kernel, const Points& apexes, const Points& points, double k, uint8_t* out, int threads) {
    split(apexes.n, worth_waking(threads, scan_work(4, apexes)), [&](int, int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
            out[i] = UNSURE;
            if (kernel.ascend) {
                expect_inside(kernel.sums(points.row(i), points.row(i), points.d).n, "points", i);
                kernel.ascend(points.row(i), apexes, k, i, i + 1, out + i);
            }
            if (out[i] == UNSURE) out[i] = decide(apexes, i, points, i, k);
        }
    });
}

void energy(const Kernel& kernel, const Points& apexes, const Points& points, double k, float* out, int threads) {
    split(apexes.n, worth_waking(threads, scan_work(4, apexes)), [&](int, int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
            const Sums sums = kernel.sums(apexes.row(i), points.row(i), apexes.d);
            expect_inside(sums.n, "apexes", i);
            expect_inside(sums.n_of_y, "points", i);
            out[i] = 0;
            if (inside(sums, k)) continue;
            const auto [g, q, n, n_of_y] = sums;
            const double a = 1 - n;
            const double angle = std::atan2(a * std::sqrt(std::fmax(n * q - g * g, 0)), a * g - n * q);
            out[i] = static_cast<float>(std::fmax(angle - std::asin(k * a / std::sqrt(n)), 0));
        }
    });
}

void aperture(const Kernel& kernel, const Points& apexes, double k, float* out, int threads) {
    split(apexes.n, worth_waking(threads, scan_work(4, apexes)), [&](int, int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
            const double n = kernel.sums(apexes.row(i), apexes.row(i), apexes.d).n;
            expect_inside(n, "apexes", i);
            const double sine = k * (1 - n), size = std::sqrt(n);
            out[i] = static_cast<float>(sine >= size ? std::numbers::pi : std::asin(sine / size));
        }
    });
}

void ancestors(const Kernel& kernel, const Points& points, const Points& apexes, double k, uint8_t* out, int threads) {
    scan(kernel.ascend, points, "points", apexes, k, out, threads,
         [&](int64_t j, int64_t i) { return decide(apexes, i, points, j, k); });
}

void descendants(const Kernel& kernel, const Points& apexes, const Points& points, double k, uint8_t* out,
                 int threads) {
    scan(kernel.descend, apexes, "apexes", points, k, out, threads,
         [&](int64_t j, int64_t i) { return decide(apexes, j, points, i, k); });
}

}  // namespace cg::cones
