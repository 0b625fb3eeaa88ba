// Entailment cones: one warp a row, a filter in float with bounds on its errors, and double where it is unsure.
//
// Memory is the bound: 4 d bytes a row and query, one byte out. The filter reads the row once and adds three sums; it answers
// IN or OUT only where no rounding could turn the answer. The few pairs left are decided by one thread each, in double
// and in order of d, exactly as every CPU backend decides them, so all backends agree on every pair.

#include <cuda_runtime.h>

#include <climits>
#include <vector>

#include "../csrc/cones/domain_errors.hpp"
#include "../csrc/include/context_graph/cones.hpp"
#include "memory.cuh"
#include "rows.cuh"

namespace cg::cones::device {

using namespace cg::device;

struct Wide {
    double g, q, n, n_of_y;
};

// The sums in order of d, no product fused with an addition.
__device__ inline Wide sums_in_order(const float* x, const float* y, int d) {
    Wide sums{0, 0, 0, 0};
    for (int i = 0; i < d; ++i) {
        const double of_x = x[i], of_y = y[i], w = of_y - of_x;
        sums.g = __dadd_rn(sums.g, __dmul_rn(w, of_x));
        sums.q = __dadd_rn(sums.q, __dmul_rn(w, w));
        sums.n = __dadd_rn(sums.n, __dmul_rn(of_x, of_x));
        sums.n_of_y = __dadd_rn(sums.n_of_y, __dmul_rn(of_y, of_y));
    }
    return sums;
}

// angle <= aperture, free of transcendental functions: both sides' sines and cosines, multiplied out.
__device__ inline bool inside(const Wide& s, double k) {
    const double a = __dsub_rn(1, s.n), narrow = __dsub_rn(s.n, __dmul_rn(__dmul_rn(__dmul_rn(k, k), a), a));
    if (narrow <= 0) return true;  // the whole ball
    const double nq = __dmul_rn(s.n, s.q);
    const double across = __dsqrt_rn(fmax(__dsub_rn(nq, __dmul_rn(s.g, s.g)), 0.0));
    return __dmul_rn(across, __dsqrt_rn(narrow)) <= __dmul_rn(k, __dsub_rn(__dmul_rn(a, s.g), nq));
}

// The sums of a pair in float, and the filter over them. Every sum is an interval: a float sum of d terms is off by at most
// `error` of the sum of their sizes, and |g| <= e with e = sqrt(n q); so a g - n q is off by 3 error (e + n q), n q - g² by
// 5 error n q, and n - K²a² by 2 error (n + 2K²a). `error` leaves room for the few roundings here.
__device__ inline unsigned char filter(float g, float q, float n, float n_of_row, float k, float error) {
    const float a = 1 - n, nq = n * q;
    const float along = a * g - nq, off_along = 3 * error * (sqrtf(nq) + nq);
    const float across = nq - g * g, off_across = 5 * error * nq;
    const float kka = k * k * a, narrow = n - kka * a, off_narrow = 2 * error * (n + 2 * kka);
    const float narrowest = narrow - off_narrow;
    const float most = sqrtf(fmaxf(across + off_across, 0.0f)) * sqrtf(fmaxf(narrow + off_narrow, 0.0f));
    const float least = sqrtf(fmaxf(across - off_across, 0.0f)) * sqrtf(fmaxf(narrowest, 0.0f));
    // Products below 1e-30 may have lost digits; what is not a number fails every comparison.
    if (!(1 - n_of_row >= 2 * error && 1e-30f < nq)) return UNSURE;
    if (most < k * (along - off_along)) return IN;
    if (k * (along + off_along) < least && 0 < narrowest) return OUT;
    return UNSURE;
}

// Twice the terms a lane adds, the butterfly and the filter's own roundings.
__device__ inline float error_of(int d) { return static_cast<float>(d / 16 + 32) * 0x1p-24f; }

// DOWN: one is the apex x, rows are points y. Otherwise one is y, rows are x.
template <bool DOWN>
__device__ inline void scan(const float* ones, const unsigned char* rows, long long stride, unsigned n, int d, double k,
                            unsigned char* verdicts) {
    extern __shared__ __align__(16) float one[];
    const float* mine = ones + static_cast<long long>(blockIdx.y) * d;
    for (int x = threadIdx.x; x < d; x += BLOCK) one[place<F32>(x, d)] = mine[x];
    __syncthreads();
    float n_of_one = 0;
    for (int x = lane_of(); x < d; x += WARP) n_of_one = fmaf(one[x], one[x], n_of_one);
    n_of_one = warp_sum(n_of_one);
    for (unsigned i = blockIdx.x * WARPS + warp_of(); i < n; i += gridDim.x * WARPS) {
        float g = 0, q = 0, of_row = 0;
        for_each_value<F32>(rows + i * stride, one, d, [&](float value, float of_one) {
            const float w = DOWN ? value - of_one : of_one - value;
            g = fmaf(w, DOWN ? of_one : value, g);
            q = fmaf(w, w, q);
            of_row = fmaf(value, value, of_row);
        });
        g = warp_sum(g), q = warp_sum(q), of_row = warp_sum(of_row);
        const unsigned char verdict =
            filter(g, q, DOWN ? n_of_one : of_row, of_row, static_cast<float>(k), error_of(d));
        if (lane_of() == 0) verdicts[static_cast<long long>(blockIdx.y) * n + i] = verdict;
    }
}

}  // namespace cg::cones::device

using namespace cg::cones::device;
using cg::cones::UNSURE;

extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_cones_ancestors(const float* points, const unsigned char* rows, long long stride, unsigned n, int d, double k,
                       unsigned char* verdicts) {
    scan<false>(points, rows, stride, n, d, k, verdicts);
}
extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_cones_descendants(const float* apexes, const unsigned char* rows, long long stride, unsigned n, int d, double k,
                         unsigned char* verdicts) {
    scan<true>(apexes, rows, stride, n, d, k, verdicts);
}

// The filter over matching rows.
extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_cones_contains(const unsigned char* apexes, long long apex_stride, const unsigned char* points,
                      long long point_stride, unsigned n, int d, double k, unsigned char* verdicts) {
    for (unsigned i = blockIdx.x * WARPS + warp_of(); i < n; i += gridDim.x * WARPS) {
        float g = 0, q = 0, of_x = 0, of_y = 0;
        for_each_pair(row_at<float>(apexes, apex_stride, i), row_at<float>(points, point_stride, i), d,
                      [&](float x, float y) {
                          const float w = y - x;
                          g = fmaf(w, x, g);
                          q = fmaf(w, w, q);
                          of_x = fmaf(x, x, of_x);
                          of_y = fmaf(y, y, of_y);
                      });
        g = warp_sum(g), q = warp_sum(q), of_x = warp_sum(of_x), of_y = warp_sum(of_y);
        const unsigned char verdict = filter(g, q, of_x, fmaxf(of_x, of_y), static_cast<float>(k), error_of(d));
        if (lane_of() == 0) verdicts[i] = isfinite(of_x + of_y) ? verdict : static_cast<unsigned char>(UNSURE);
    }
}

// A thread a pair that the filter left unsure. Pair (j, i) is query j and row i; with one_to_one j = i. down: queries are
// apexes. Rows that are not inside the ball leave the lowest of their numbers.
extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_cones_decide(const unsigned char* ones, long long one_stride, const unsigned char* rows, long long stride,
                    unsigned n, int d, double k, int down, int one_to_one, unsigned char* verdicts, unsigned* bad_one,
                    unsigned* bad_row) {
    const unsigned i = blockIdx.x * BLOCK + threadIdx.x, j = one_to_one ? i : blockIdx.y;
    if (i >= n) return;
    unsigned char* answer = verdicts + static_cast<long long>(blockIdx.y) * n + i;
    if (*answer != UNSURE) return;
    const float *one = row_at<float>(ones, one_stride, j), *row = row_at<float>(rows, stride, i);
    const Wide sums = down ? sums_in_order(one, row, d) : sums_in_order(row, one, d);
    const double of_one = down ? sums.n : sums.n_of_y, of_row = down ? sums.n_of_y : sums.n;
    if (!(of_one < 1)) atomicMin(bad_one, j);
    if (!(of_row < 1)) atomicMin(bad_row, i);
    *answer = inside(sums, k);
}

// Every query is checked once, in the same words and order as on the CPU.
extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_cones_check(const unsigned char* rows, long long stride, unsigned n, int d, unsigned* bad) {
    const unsigned i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= n) return;
    const float* row = row_at<float>(rows, stride, i);
    if (!(sums_in_order(row, row, d).n < 1)) atomicMin(bad, i);
}

// A warp a pair, sums in double; 0 inside.
extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_cones_energy(const unsigned char* apexes, long long apex_stride, const unsigned char* points,
                    long long point_stride, unsigned n, int d, double k, float* out, unsigned* bad_apex, unsigned* bad_point) {
    for (unsigned i = blockIdx.x * WARPS + warp_of(); i < n; i += gridDim.x * WARPS) {
        double g = 0, q = 0, of_x = 0, of_y = 0;
        for_each_pair(row_at<float>(apexes, apex_stride, i), row_at<float>(points, point_stride, i), d,
                      [&](float a, float b) {
                          const double x = a, y = b, w = y - x;
                          g = fma(w, x, g);
                          q = fma(w, w, q);
                          of_x = fma(x, x, of_x);
                          of_y = fma(y, y, of_y);
                      });
        const Wide sums{warp_sum(g), warp_sum(q), warp_sum(of_x), warp_sum(of_y)};
        if (lane_of() != 0) continue;
        if (!(sums.n < 1)) atomicMin(bad_apex, i);
        if (!(sums.n_of_y < 1)) atomicMin(bad_point, i);
        double energy = 0;
        if (!inside(sums, k)) {
            const double a = 1 - sums.n;
            const double angle = atan2(a * sqrt(fmax(sums.n * sums.q - sums.g * sums.g, 0.0)), a * sums.g - sums.n * sums.q);
            energy = fmax(angle - asin(k * a / sqrt(sums.n)), 0.0);
        }
        out[i] = static_cast<float>(energy);
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_cones_aperture(const unsigned char* apexes, long long stride, unsigned n, int d, double k, float* out, unsigned* bad) {
    for (unsigned i = blockIdx.x * WARPS + warp_of(); i < n; i += gridDim.x * WARPS) {
        const float* apex = row_at<float>(apexes, stride, i);
        double sum = 0;
        for_each_value_of(apex, d, [&](float a) { sum = fma(static_cast<double>(a), static_cast<double>(a), sum); });
        const double square = warp_sum(sum), sine = k * (1 - square), size = sqrt(square);
        if (lane_of() != 0) continue;
        if (!(square < 1)) atomicMin(bad, i);
        out[i] = static_cast<float>(sine >= size ? 3.141592653589793 : asin(sine / size));
    }
}

namespace cg::cones {
namespace {

using namespace cg::cuda;

// A flag for the lowest row of `points` outside the ball.
unsigned* outside(Work& work, const Points& points, const char* name) {
    return work.lowest_row([points, name, stream = work.stream](unsigned row) {
        std::vector<float> values(points.d);
        check(cudaMemcpyAsync(values.data(), points.row(row), points.d * sizeof(float), cudaMemcpyDefault, stream), "row");
        wait(stream);
        double square = 0;
        for (const float value : values) square += double{value} * double{value};
        throw_outside_ball(name, square, row);
    });
}

unsigned thread_blocks(int64_t n) { return static_cast<unsigned>(std::max<int64_t>((n + BLOCK - 1) / BLOCK, 1)); }

// Rows against all of `ones`.
void scan_all(bool down, const Points& ones, const char* name, const Points& rows, const char* row_name, double k,
              uint8_t* out, const gpu::Context& context) {
    expect_queries(ones.n);
    expect_dim(rows.d);
    if (ones.n == 0) return;
    Work work(context);
    const auto n = static_cast<unsigned>(rows.n), q = static_cast<unsigned>(ones.n);
    const auto d = static_cast<int>(rows.d);
    const InRows of_ones(ones, work.stream), of_rows(rows, work.stream);
    const InPacked packed(ones, work.stream);
    unsigned* const bad_one = outside(work, ones, name);
    unsigned* const bad_row = outside(work, rows, row_name);
    cg_cones_check<<<thread_blocks(q), BLOCK, 0, work.stream>>>(of_ones.get(), of_ones.stride(), q, d, bad_one);
    launched("cg_cones_check");
    if (n == 0) return work.end();
    const Out<uint8_t> verdict(out, ones.n * rows.n, work);
    const size_t shared = rows.d * sizeof(float);
    const auto kernel = down ? cg_cones_descendants : cg_cones_ancestors;
    allow_shared(kernel, shared);
    kernel<<<dim3(blocks_for(rows.n), q), BLOCK, shared, work.stream>>>(packed.get(), of_rows.get(), of_rows.stride(), n, d,
                                                                   k, verdict.get());
    launched("cg_cones_scan");
    cg_cones_decide<<<dim3(thread_blocks(rows.n), q), BLOCK, 0, work.stream>>>(of_ones.get(), of_ones.stride(),
                                                                          of_rows.get(), of_rows.stride(), n, d, k,
                                                                          down, 0, verdict.get(), bad_one,
                                                                          bad_row);
    launched("cg_cones_decide");
    verdict.finish();
    work.end();
}

}  // namespace

void contains_cuda(const Points& apexes, const Points& points, double k, uint8_t* out, const gpu::Context& context) {
    if (apexes.n == 0) return;
    Work work(context);
    const InRows of_apexes(apexes, work.stream), of_points(points, work.stream);
    const Out<uint8_t> verdict(out, apexes.n, work);
    unsigned* const bad_apex = outside(work, apexes, "apexes");
    unsigned* const bad_point = outside(work, points, "points");
    cg_cones_contains<<<blocks_for(apexes.n), BLOCK, 0, work.stream>>>(of_apexes.get(), of_apexes.stride(), of_points.get(),
                                                                  of_points.stride(), static_cast<unsigned>(apexes.n),
                                                                  static_cast<int>(apexes.d), k, verdict.get());
    launched("cg_cones_contains");
    cg_cones_decide<<<thread_blocks(apexes.n), BLOCK, 0, work.stream>>>(of_apexes.get(), of_apexes.stride(), of_points.get(),
                                                                   of_points.stride(), static_cast<unsigned>(apexes.n),
                                                                   static_cast<int>(apexes.d), k, 1, 1, verdict.get(),
                                                                   bad_apex, bad_point);
    launched("cg_cones_decide");
    verdict.finish();
    work.end();
}

void energy_cuda(const Points& apexes, const Points& points, double k, float* out, const gpu::Context& context) {
    if (apexes.n == 0) return;
    Work work(context);
    const InRows of_apexes(apexes, work.stream), of_points(points, work.stream);
    const Out<float> verdict(out, apexes.n, work);
    unsigned* const bad_apex = outside(work, apexes, "apexes");
    unsigned* const bad_point = outside(work, points, "points");
    cg_cones_energy<<<blocks_for(apexes.n), BLOCK, 0, work.stream>>>(of_apexes.get(), of_apexes.stride(), of_points.get(),
                                                                of_points.stride(), static_cast<unsigned>(apexes.n),
                                                                static_cast<int>(apexes.d), k, verdict.get(),
                                                                bad_apex, bad_point);
    launched("cg_cones_energy");
    verdict.finish();
    work.end();
}

void aperture_cuda(const Points& apexes, double k, float* out, const gpu::Context& context) {
    if (apexes.n == 0) return;
    Work work(context);
    const InRows rows(apexes, work.stream);
    const Out<float> verdict(out, apexes.n, work);
    unsigned* const bad = outside(work, apexes, "apexes");
    cg_cones_aperture<<<blocks_for(apexes.n), BLOCK, 0, work.stream>>>(rows.get(), rows.stride(),
                                                                  static_cast<unsigned>(apexes.n),
                                                                  static_cast<int>(apexes.d), k, verdict.get(),
                                                                  bad);
    launched("cg_cones_aperture");
    verdict.finish();
    work.end();
}

void ancestors_cuda(const Points& points, const Points& apexes, double k, uint8_t* out, const gpu::Context& context) {
    scan_all(false, points, "points", apexes, "apexes", k, out, context);
}
void descendants_cuda(const Points& apexes, const Points& points, double k, uint8_t* out, const gpu::Context& context) {
    scan_all(true, apexes, "apexes", points, "points", k, out, context);
}

}  // namespace cg::cones
