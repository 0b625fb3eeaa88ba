// The Poincaré ball: one warp a row or a pair of rows.
//
// Memory is the bound: 4 d bytes a row of a scan, 8 d bytes a pair. The scan knows no transcendental function: it orders
// by the key c |x - y|² / (a_x a_y), and only the winners become distances. Gaps are summed in float, a = 1 - c|x|² in
// double; the order of a sum depends on d alone, and all of it is symmetric in x and y. Rows that are not inside the ball
// leave the lowest of their numbers in `bad`.

#include <cuda_runtime.h>

#include <climits>
#include <cmath>
#include <string>

#include "../csrc/include/context_graph/poincare.hpp"
#include "../csrc/poincare/domain_errors.hpp"
#include "memory.cuh"
#include "poincare.cuh"
#include "select.cuh"

using namespace cg::poincare::device;

#define CG_EACH_ROW(i, n) for (unsigned i = blockIdx.x * WARPS + warp_of(); i < n; i += gridDim.x * WARPS)

extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_poincare_slacks(const unsigned char* rows, long long stride, unsigned n, int d, double c, float* out, unsigned* bad) {
    CG_EACH_ROW(i, n) {
        const double slack = 1 - c * square(row_at<float>(rows, stride, i), d);
        if (lane_of() == 0) out[i] = static_cast<float>(slack);
        flag_row(bad, i, !(slack > 0));
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_poincare_distance(const unsigned char* x, long long x_stride, const unsigned char* y, long long y_stride,
                         unsigned n, int d, double c, float* out, unsigned* bad_x, unsigned* bad_y) {
    const float scale = static_cast<float>(2 / sqrt(c));
    CG_EACH_ROW(i, n) {
        float gap = 0;
        double of_x = 0, of_y = 0;
        for_each_pair(row_at<float>(x, x_stride, i), row_at<float>(y, y_stride, i), d, [&](float a, float b) {
            const float apart = a - b;
            gap = fmaf(apart, apart, gap);
            of_x = fma(static_cast<double>(a), static_cast<double>(a), of_x);
            of_y = fma(static_cast<double>(b), static_cast<double>(b), of_y);
        });
        gap = warp_sum(gap);
        const double slack_x = 1 - c * warp_sum(of_x), slack_y = 1 - c * warp_sum(of_y);
        flag_row(bad_x, i, !(slack_x > 0));
        flag_row(bad_y, i, !(slack_y > 0));
        const float key =
            key_of_gap(gap, static_cast<float>(slack_x), static_cast<float>(slack_y), static_cast<float>(c));
        if (lane_of() == 0) out[i] = length(key, scale);
    }
}

namespace cg::poincare::device {

__device__ inline const float* load_query(const float* queries, int d) {
    extern __shared__ __align__(16) float query[];
    for (int x = threadIdx.x; x < d; x += BLOCK) {
        query[place<F32>(x, d)] = queries[static_cast<long long>(blockIdx.y) * d + x];
    }
    __syncthreads();
    return query;
}

__device__ inline float gap_to(const unsigned char* row, const float* query, int d) {
    float gap = 0;
    for_each_value<F32>(row, query, d, [&](float value, float mine) {
        const float apart = mine - value;
        gap = fmaf(apart, apart, gap);
    });
    return warp_sum(gap);
}

}  // namespace cg::poincare::device

extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_poincare_distances(const float* queries, const float* slack_of_query, const unsigned char* rows, long long stride,
                          const float* slacks, unsigned n, int d, double c, float* out, int* not_finite) {
    const float* query = load_query(queries, d);
    const float scale = static_cast<float>(2 / sqrt(c)), slack = slack_of_query[blockIdx.y];
    CG_EACH_ROW(i, n) {
        const float key = key_of_gap(gap_to(rows + i * stride, query, d), slack, slacks[i], static_cast<float>(c));
        if (lane_of() != 0) continue;
        out[static_cast<long long>(blockIdx.y) * n + i] = length(key, scale);
        if (!isfinite(key)) atomicOr(not_finite, 1);
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK, 3)
    cg_poincare_nearest(const float* queries, const float* slack_of_query, const unsigned char* rows, long long stride,
                        const float* slacks, const unsigned char* mask, unsigned n, int d, double c, int k,
                        const uint64_t* below, uint64_t* best, int* not_finite) {
    const float* query = load_query(queries, d);
    const float slack = slack_of_query[blockIdx.y], curvature = static_cast<float>(-c);
    scan_rows({mask, n, k, below, best, not_finite}, [&](unsigned i) {
        return key_of_gap(gap_to(rows + i * stride, query, d), slack, slacks[i], curvature);
    });
}

// Chosen scores are minus keys; a thread each makes them distances, +inf where there is no row.
extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_poincare_lengths(float* scores, const long long* ids, long long count, double c) {
    const long long i = static_cast<long long>(blockIdx.x) * BLOCK + threadIdx.x;
    if (i >= count) return;
    scores[i] = ids[i] < 0 ? INFINITY : length(0.0f - scores[i], static_cast<float>(2 / sqrt(c)));
}

namespace cg::poincare::device {

// One unit in the last place below (1 - eps), so that rounding cannot lead out again.
__device__ inline void pull_inside(float* x, double square, int d, double c, double eps) {
    const double size = sqrt(c * square);
    if (size > 1 - eps) blend(x, (1 - eps) * (1 - 0x1p-23) / size, x, 0.0, d, x);
}

// The lanes of a warp wrote a row; now each reads what others wrote.
__device__ inline void pull_written(float* x, int d, double c, double eps) {
    __syncwarp();
    double sum = 0;
    for (int i = lane_of(); i < d; i += WARP) sum = fma(static_cast<double>(x[i]), static_cast<double>(x[i]), sum);
    pull_inside(x, warp_sum(sum), d, c, eps);
}

}  // namespace cg::poincare::device

extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_poincare_mobius_add(const unsigned char* xs, long long x_stride, const unsigned char* ys, long long y_stride,
                           unsigned n, int d, double c, double rim, float* out, unsigned* bad_x, unsigned* bad_y) {
    CG_EACH_ROW(i, n) {
        const auto *x = row_at<float>(xs, x_stride, i), *y = row_at<float>(ys, y_stride, i);
        const double a = 1 - c * square(x, d), b = 1 - c * square(y, d);
        flag_row(bad_x, i, !(a > 0));
        flag_row(bad_y, i, !(b > 0));
        const double cs = c * square_of_sum(x, y, 1.0, d), under = cs + a * b;
        float* to = out + static_cast<long long>(i) * d;
        blend(x, (a + cs) / under, y, a / under, d, to);
        pull_written(to, d, c, rim);
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_poincare_exp_map(const unsigned char* xs, long long x_stride, const unsigned char* vs, long long v_stride,
                        unsigned n, int d, double c, double rim, float* out, unsigned* bad_x, unsigned* bad_v) {
    CG_EACH_ROW(i, n) {
        const auto *x = row_at<float>(xs, x_stride, i), *v = row_at<float>(vs, v_stride, i);
        const double a = 1 - c * square(x, d), square_of_v = square(v, d);
        flag_row(bad_x, i, !(a > 0));
        flag_row(bad_v, i, !isfinite(square_of_v));
        const double speed = sqrt(c * square_of_v), angle = speed / a, t = speed > 0 ? tanh(angle) / speed : 0.0;
        const double b = 1 / (cosh(angle) * cosh(angle));  // slack of t v, without 1 - tanh²
        const double cs = c * square_of_sum(x, v, t, d), under = cs + a * b;
        float* to = out + static_cast<long long>(i) * d;
        blend(x, (a + cs) / under, v, a * t / under, d, to);
        pull_written(to, d, c, rim);
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_poincare_log_map(const unsigned char* xs, long long x_stride, const unsigned char* ys, long long y_stride,
                        unsigned n, int d, double c, float* out, unsigned* bad_x, unsigned* bad_y) {
    CG_EACH_ROW(i, n) {
        const auto *x = row_at<float>(xs, x_stride, i), *y = row_at<float>(ys, y_stride, i);
        const double a = 1 - c * square(x, d), b = 1 - c * square(y, d);
        flag_row(bad_x, i, !(a > 0));
        flag_row(bad_y, i, !(b > 0));
        const double cs = c * square_of_sum(x, y, -1.0, d), under = cs + a * b;
        // u = a (y - x) - cs x points from x to y and is sqrt(s under) long; the answer is a d(x, y) / 2 long.
        const double scale = cs > 0 ? a * asinh(sqrt(cs / (a * b))) / sqrt(cs * under) : 0.0;
        blend(x, -scale * (a + cs), y, scale * a, d, out + static_cast<long long>(i) * d);
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_poincare_project(const unsigned char* xs, long long x_stride, unsigned n, int d, double c, double eps, float* out,
                        unsigned* bad) {
    CG_EACH_ROW(i, n) {
        const auto* x = row_at<float>(xs, x_stride, i);
        const double sum = square(x, d);
        flag_row(bad, i, !isfinite(sum));
        float* to = out + static_cast<long long>(i) * d;
        const double size = sqrt(c * sum);
        blend(x, size > 1 - eps ? (1 - eps) * (1 - 0x1p-23) / size : 1.0, x, 0.0, d, to);
    }
}

namespace cg::poincare {
namespace {

using namespace cg::cuda;

// Row `i` as it stands in host memory.
std::vector<float> host_row(const Points& points, int64_t i, Stream stream) {
    std::vector<float> row(points.d);
    check(cudaMemcpyAsync(row.data(), points.row(i), points.d * sizeof(float), cudaMemcpyDefault, stream), "row");
    wait(stream);
    return row;
}

double host_square(const std::vector<float>& row) {
    double sum = 0;
    for (const float value : row) sum += double{value} * double{value};
    return sum;
}

// A flag for the lowest row outside the ball, and one for the lowest that is not finite.
unsigned* outside(Work& work, const Ball& ball) {
    return work.lowest_row([ball, stream = work.stream](unsigned row) {
        throw_outside_ball(ball.name, 1 - ball.c * host_square(host_row(ball.points, row, stream)), row);
    });
}
unsigned* not_finite_row(Work& work, const char* name) {
    return work.lowest_row([name](unsigned row) { throw_not_finite(name, row); });
}

// Slacks on the device: those the ball has, or taken by a kernel.
class Slacks {
   public:
    Slacks(const Ball& ball, const unsigned char* rows, long long stride, Work& work)
        : given_(ball.slacks, ball.points.n, work.stream) {
        if (ball.slacks != nullptr || ball.points.n == 0) return;
        taken_.emplace_back(ball.points.n, work.stream);
        cg_poincare_slacks<<<blocks_for(ball.points.n), BLOCK, 0, work.stream>>>(
            rows, stride, static_cast<unsigned>(ball.points.n), static_cast<int>(ball.points.d), ball.c, taken_[0].get(),
            outside(work, ball));
        launched("cg_poincare_slacks");
    }
    const float* get() const { return taken_.empty() ? given_.get() : taken_[0].get(); }

   private:
    In<float> given_;
    std::vector<Buffer<float>> taken_;
};

struct Scan {
    InPacked queries;
    InRows of_queries, rows;
    Slacks slack_of_query, slacks;
    dim3 grid;
    size_t shared;

    Scan(const Ball& q, const Ball& r, Work& work)
        : queries(q.points, work.stream),
          of_queries(q.points, work.stream),
          rows(r.points, work.stream),
          slack_of_query(q, of_queries.get(), of_queries.stride(), work),
          slacks(r, rows.get(), rows.stride(), work),
          grid(blocks_for(r.points.n), static_cast<unsigned>(q.points.n)),
          shared(r.points.d * sizeof(float)) {}
};

}  // namespace

void slacks_cuda(const Ball& ball, float* out, const gpu::Context& context) {
    if (ball.points.n == 0) return;
    Work work(context);
    const InRows rows(ball.points, work.stream);
    const Slacks taken(ball, rows.get(), rows.stride(), work);
    check(cudaMemcpyAsync(out, taken.get(), ball.points.n * sizeof(float), cudaMemcpyDefault, work.stream), "slacks");
    if (!on_device(out)) work.brings_home();
    work.end();
}

void distances_cuda(const Ball& queries, const Ball& rows, float* out, const gpu::Context& context) {
    const int64_t q = queries.points.n, n = rows.points.n;
    expect_queries(q);
    expect_dim(rows.points.d);
    if (q == 0 || n == 0) return;
    Work work(context);
    const Scan scan(queries, rows, work);
    const Out<float> found(out, q * n, work);
    int* const not_finite = work.not_finite();
    allow_shared(cg_poincare_distances, scan.shared);
    cg_poincare_distances<<<scan.grid, BLOCK, scan.shared, work.stream>>>(
        scan.queries.get(), scan.slack_of_query.get(), scan.rows.get(), scan.rows.stride(), scan.slacks.get(),
        static_cast<unsigned>(n), static_cast<int>(rows.points.d), rows.c, found.get(), not_finite);
    launched("cg_poincare_distances");
    found.finish();
    work.end();
}

void nearest_cuda(const Ball& queries, const Ball& rows, int64_t k, const uint8_t* mask, float* distances, int64_t* ids,
                  const gpu::Context& context) {
    const int64_t q = queries.points.n, n = rows.points.n;
    expect_queries(q);
    expect_dim(rows.points.d);
    if (q == 0) return;
    Work work(context);
    const Scan scan(queries, rows, work);
    if (k == 0) return work.end();
    const In<uint8_t> visible(mask, n, work.stream);
    const Out<float> found(distances, q * k, work);
    const Out<int64_t> found_ids(ids, q * k, work);
    int* const not_finite = work.not_finite();
    allow_shared(cg_poincare_nearest, scan.shared);
    choose(q, n, k, scan.grid.x, found.get(), found_ids.get(), work.stream,
           [&](int part, const uint64_t* below, uint64_t* best) {
               cg_poincare_nearest<<<scan.grid, BLOCK, scan.shared, work.stream>>>(
                   scan.queries.get(), scan.slack_of_query.get(), scan.rows.get(), scan.rows.stride(), scan.slacks.get(),
                   visible.get(), static_cast<unsigned>(n), static_cast<int>(rows.points.d), rows.c, part, below, best,
                   not_finite);
               launched("cg_poincare_nearest");
           });
    cg_poincare_lengths<<<static_cast<unsigned>((q * k + BLOCK - 1) / BLOCK), BLOCK, 0, work.stream>>>(
        found.get(), reinterpret_cast<const long long*>(found_ids.get()), q * k, rows.c);
    launched("cg_poincare_lengths");
    found.finish();
    found_ids.finish();
    work.end();
}

namespace {

// Runs kernel(x, y, out, bad_x, bad_y) over pairs, and brings `count` floats home; flag_y(work) gives bad_y.
template <class Kernel, class Flag>
void each_pair(const Ball& x, const Points& y, float* out, int64_t count, const gpu::Context& context, Kernel kernel,
               Flag flag_y) {
    if (x.points.n == 0) return;
    Work work(context);
    const InRows of_x(x.points, work.stream), of_y(y, work.stream);
    const Out<float> found(out, count, work);
    unsigned* const bad_x = outside(work, x);
    unsigned* const bad_y = flag_y(work);
    kernel(of_x, of_y, found.get(), bad_x, bad_y, blocks_for(x.points.n), work.stream);
    found.finish();
    work.end();
}

}  // namespace

void distance_cuda(const Ball& x, const Ball& y, float* out, const gpu::Context& context) {
    const auto n = static_cast<unsigned>(x.points.n);
    const auto d = static_cast<int>(x.points.d);
    each_pair(x, y.points, out, x.points.n, context,
              [&](const InRows& a, const InRows& b, float* to, unsigned* bad_x, unsigned* bad_y, unsigned blocks, Stream s) {
                  cg_poincare_distance<<<blocks, BLOCK, 0, s>>>(a.get(), a.stride(), b.get(), b.stride(), n, d, x.c, to,
                                                                bad_x, bad_y);
                  launched("cg_poincare_distance");
              },
              [&](Work& work) { return outside(work, y); });
}

void mobius_add_cuda(const Ball& x, const Ball& y, float* out, const gpu::Context& context) {
    const auto n = static_cast<unsigned>(x.points.n);
    const auto d = static_cast<int>(x.points.d);
    each_pair(x, y.points, out, x.points.n * x.points.d, context,
              [&](const InRows& a, const InRows& b, float* to, unsigned* bad_x, unsigned* bad_y, unsigned blocks, Stream s) {
                  cg_poincare_mobius_add<<<blocks, BLOCK, 0, s>>>(a.get(), a.stride(), b.get(), b.stride(), n, d, x.c,
                                                                  RIM, to, bad_x, bad_y);
                  launched("cg_poincare_mobius_add");
              },
              [&](Work& work) { return outside(work, y); });
}

void exp_map_cuda(const Ball& x, const Points& v, float* out, const gpu::Context& context) {
    const auto n = static_cast<unsigned>(x.points.n);
    const auto d = static_cast<int>(x.points.d);
    each_pair(x, v, out, x.points.n * x.points.d, context,
              [&](const InRows& a, const InRows& b, float* to, unsigned* bad_x, unsigned* bad_v, unsigned blocks, Stream s) {
                  cg_poincare_exp_map<<<blocks, BLOCK, 0, s>>>(a.get(), a.stride(), b.get(), b.stride(), n, d, x.c, RIM,
                                                               to, bad_x, bad_v);
                  launched("cg_poincare_exp_map");
              },
              [&](Work& work) { return not_finite_row(work, "v"); });
}

void log_map_cuda(const Ball& x, const Ball& y, float* out, const gpu::Context& context) {
    const auto n = static_cast<unsigned>(x.points.n);
    const auto d = static_cast<int>(x.points.d);
    each_pair(x, y.points, out, x.points.n * x.points.d, context,
              [&](const InRows& a, const InRows& b, float* to, unsigned* bad_x, unsigned* bad_y, unsigned blocks, Stream s) {
                  cg_poincare_log_map<<<blocks, BLOCK, 0, s>>>(a.get(), a.stride(), b.get(), b.stride(), n, d, x.c, to,
                                                               bad_x, bad_y);
                  launched("cg_poincare_log_map");
              },
              [&](Work& work) { return outside(work, y); });
}

void project_cuda(const Points& x, double c, double eps, float* out, const gpu::Context& context) {
    if (x.n == 0) return;
    Work work(context);
    const InRows rows(x, work.stream);
    const Out<float> found(out, x.n * x.d, work);
    unsigned* const bad = not_finite_row(work, "x");
    cg_poincare_project<<<blocks_for(x.n), BLOCK, 0, work.stream>>>(rows.get(), rows.stride(), static_cast<unsigned>(x.n),
                                                               static_cast<int>(x.d), c, eps, found.get(), bad);
    launched("cg_poincare_project");
    found.finish();
    work.end();
}

}  // namespace cg::poincare
