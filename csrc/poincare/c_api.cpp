#include "context_graph/c/poincare.h"

#include <cmath>

#include "c_api.hpp"
#include "context_graph/poincare.hpp"

using namespace cg::c_api;
namespace poincare = cg::poincare;
using poincare::Ball;

namespace {

void expect_curvature(double c) {
    expect(c >= poincare::MIN_CURVATURE && c <= 1 / poincare::MIN_CURVATURE,
           "c must lie in [1e-20, 1e20], got " + std::to_string(c));
}

Ball ball_of(const cgk_rows* rows, double c, const char* name) {
    expect_curvature(c);
    return {points_of(rows, name), nullptr, c, name};
}

using Map = void(const poincare::Kernel&, const Ball&, const Ball&, float*, int);

cgk_status pairwise(Map* map, const cgk_rows* x, const cgk_rows* y, double c, float* out, int64_t width, int threads) {
    return guarded([&] {
        const Ball from = ball_of(x, c, "x"), to = ball_of(y, c, "y");
        expect_pairs(from.points, to.points, "x and y");
        expect_array(out, from.points.n * (width == 0 ? from.points.d : width), "out");
        map(poincare::best_kernel(), from, to, out, thread_count(threads));
    });
}

}  // namespace

cgk_status cgk_poincare_distance(const cgk_rows* x, const cgk_rows* y, double c, float* out, int threads) {
    return pairwise(poincare::distance, x, y, c, out, 1, threads);
}

cgk_status cgk_poincare_log_map(const cgk_rows* x, const cgk_rows* y, double c, float* out, int threads) {
    return pairwise(poincare::log_map, x, y, c, out, 0, threads);
}

cgk_status cgk_poincare_mobius_add(const cgk_rows* x, const cgk_rows* y, double c, float* out, int threads) {
    return pairwise(poincare::mobius_add, x, y, c, out, 0, threads);
}

cgk_status cgk_poincare_distances(const cgk_rows* queries, const cgk_rows* rows, double c, float* out, int threads) {
    return guarded([&] {
        const Ball q = ball_of(queries, c, "queries"), r = ball_of(rows, c, "rows");
        expect_same_dim(q.points.d, r.points.d, "queries and rows");
        expect_array(out, q.points.n * r.points.n, "out");
        poincare::distances(poincare::best_kernel(), q, r, out, thread_count(threads));
    });
}

cgk_status cgk_poincare_nearest(const cgk_rows* queries, const cgk_rows* rows, double c, int64_t k, const uint8_t* mask,
                                float* distances, int64_t* ids, int threads) {
    return guarded([&] {
        const Ball q = ball_of(queries, c, "queries"), r = ball_of(rows, c, "rows");
        expect_same_dim(q.points.d, r.points.d, "queries and rows");
        expect_choice(k, distances, ids, q.points.n);
        poincare::nearest(poincare::best_kernel(), q, r, k, mask, distances, ids, thread_count(threads));
    });
}

cgk_status cgk_poincare_exp_map(const cgk_rows* x, const cgk_rows* v, double c, float* out, int threads) {
    return guarded([&] {
        const Ball from = ball_of(x, c, "x");
        const cg::Points velocity = points_of(v, "v");
        expect_pairs(from.points, velocity, "x and v");
        expect_array(out, velocity.n * velocity.d, "out");
        poincare::exp_map(poincare::best_kernel(), from, velocity, out, thread_count(threads));
    });
}

cgk_status cgk_poincare_project(const cgk_rows* x, double c, double eps, float* out, int threads) {
    return guarded([&] {
        expect_curvature(c);
        const cg::Points from = points_of(x, "x");
        expect(eps >= poincare::RIM && eps < 1, "eps must lie in [1e-6, 1), got " + std::to_string(eps));
        expect_array(out, from.n * from.d, "out");
        poincare::project(poincare::best_kernel(), from, c, eps, out, thread_count(threads));
    });
}
