#include "context_graph/c/cones.h"

#include <cmath>

#include "c_api.hpp"
#include "context_graph/cones.hpp"

using namespace cg::c_api;
namespace cones = cg::cones;

namespace {

void expect_width(double width) {
    expect(std::isfinite(width) && width > 0, "width must be finite and above 0, got " + std::to_string(width));
}

template <class Out>
cgk_status pairwise(void (*decide)(const cones::Kernel&, const cg::Points&, const cg::Points&, double, Out*, int),
                    const cgk_rows* apexes, const cgk_rows* points, double width, Out* out, int threads) {
    return guarded([&] {
        expect_width(width);
        const cg::Points x = points_of(apexes, "apexes"), y = points_of(points, "points");
        expect_pairs(x, y, "apexes and points");
        expect_array(out, x.n, "out");
        decide(cones::best_kernel(), x, y, width, out, thread_count(threads));
    });
}

cgk_status all_pairs(void (*scan)(const cones::Kernel&, const cg::Points&, const cg::Points&, double, uint8_t*, int),
                     const cgk_rows* first, const cgk_rows* second, const char* names[2], double width, uint8_t* out, int threads) {
    return guarded([&] {
        expect_width(width);
        const cg::Points ones = points_of(first, names[0]), rows = points_of(second, names[1]);
        expect_same_dim(ones.d, rows.d, "points and apexes");
        expect_array(out, ones.n * rows.n, "out");
        scan(cones::best_kernel(), ones, rows, width, out, thread_count(threads));
    });
}

}  // namespace

cgk_status cgk_cones_contains(const cgk_rows* apexes, const cgk_rows* points, double width, uint8_t* out, int threads) {
    return pairwise(cones::contains, apexes, points, width, out, threads);
}

cgk_status cgk_cones_energy(const cgk_rows* apexes, const cgk_rows* points, double width, float* out, int threads) {
    return pairwise(cones::energy, apexes, points, width, out, threads);
}

cgk_status cgk_cones_aperture(const cgk_rows* apexes, double width, float* out, int threads) {
    return guarded([&] {
        expect_width(width);
        const cg::Points x = points_of(apexes, "apexes");
        expect_array(out, x.n, "out");
        cones::aperture(cones::best_kernel(), x, width, out, thread_count(threads));
    });
}

cgk_status cgk_cones_ancestors(const cgk_rows* points, const cgk_rows* apexes, double width, uint8_t* out, int threads) {
    const char* names[] = {"points", "apexes"};
    return all_pairs(cones::ancestors, points, apexes, names, width, out, threads);
}

cgk_status cgk_cones_descendants(const cgk_rows* apexes, const cgk_rows* points, double width, uint8_t* out, int threads) {
    const char* names[] = {"apexes", "points"};
    return all_pairs(cones::descendants, apexes, points, names, width, out, threads);
}
