#pragma once
// Entailment cones in the unit Poincaré ball: an apex entails what lies in the cone that opens from it towards the rim.
//
// With w = y - x, a = 1 - |x|², n = |x|², g = <w, x>, q = |w|², the way from x to y leaves the axis of x at the angle
//
//     angle(x, y) = atan2(a sqrt(n q - g²), a g - n q)
//
// and the cone of x is as wide as sin(aperture) = K a / sqrt(n). Apexes nearer to the centre than
// 2K / (1 + sqrt(1 + 4K²)), where that sine would pass 1, have the whole ball for a cone.

#include <cstdint>

#include "dense.hpp"
#include "dispatch.hpp"
#include "gpu.hpp"
#include "points.hpp"

namespace cg::cones {

// The sums of a pair, and |y|² to know that y is in the ball.
struct Sums {
    double g, q, n, n_of_y;
};

// A floating-point filter over rows begin <= i < end, with bounds on its errors: verdicts[i - begin] is IN, OUT, or UNSURE, which
// is also what a row gets that is not finite or might not lie in the ball.
enum Verdict : uint8_t { OUT = 0, IN = 1, UNSURE = 2 };
using FloatFilter = void(const float* one, const Points& rows, double k, int64_t begin, int64_t end, uint8_t* verdicts);

// One apex or point, as a filter of codes has it: <one, row i> is step * scale[i] * dots[i - begin], but for at most
// per_residual * residual[i] + per_norm * norm[i].
struct CodedOne {
    float step, per_residual, per_norm;
    float square;  // |one|²
};
// As FloatFilter, of rows that are known by their codes and their |row|².
using CodeFilter = void(const CodedOne& one, const dense::Codes& codes, const float* squares, double k, const int64_t* dots,
                        int64_t begin, int64_t end, uint8_t* verdicts);

// A backend. Without filters every pair is decided in double.
struct Kernel {
    Sums (*sums)(const float* x, const float* y, int64_t d);
    FloatFilter* descend;  // one apex, rows of points
    FloatFilter* ascend;   // one point, rows of apexes
    CodeFilter* descend_coded = nullptr;
    CodeFilter* ascend_coded = nullptr;
    const dense::Kernel* dense = nullptr;  // whose products of codes these filters take
};
extern const Kernel kernel_scalar, kernel_avx2, kernel_avx512;
// The table of one of them, and of the one that best_isa() names; BackendUnavailable where it is not usable here.
const Kernel& kernel_of(Isa isa);
const Kernel& best_kernel();

// What decides where a filter is unsure: double, in one order of summation, so every backend gives the same answers.
Sums sums_in_order(const float* x, const float* y, int64_t d);
bool inside(const Sums& sums, double k);

// Row by row. In all of these a row that is not finite or not inside the ball is a std::domain_error.
void contains(const Kernel& kernel, const Points& apexes, const Points& points, double k, uint8_t* out, int threads);
// max(0, angle - aperture), 0 inside.
void energy(const Kernel& kernel, const Points& apexes, const Points& points, double k, float* out, int threads);
// pi where the cone is the whole ball.
void aperture(const Kernel& kernel, const Points& apexes, double k, float* out, int threads);

// out (q, n): whether the cone of apex i holds point j; whether the cone of apex j holds point i.
void ancestors(const Kernel& kernel, const Points& points, const Points& apexes, double k, uint8_t* out, int threads);
void descendants(const Kernel& kernel, const Points& apexes, const Points& points, double k, uint8_t* out,
                 int threads);

// The same, bit by bit, of rows beside their codes and their |row|²: only rows that these leave open are read in full.
// Returns how many were. For a backend with filters of codes, d <= dense::MAX_CODED_DIM, and rows inside the ball.
int64_t ancestors_coded(const Kernel& kernel, const Points& points, const Points& apexes, const dense::Codes& codes,
                        const float* squares, double k, uint8_t* out, int threads);
int64_t descendants_coded(const Kernel& kernel, const Points& apexes, const Points& points, const dense::Codes& codes,
                          const float* squares, double k, uint8_t* out, int threads);

// The same on the current CUDA device; every pointer may lie on the host or on the device. For `context` a cudaStream_t does.
// d <= 12288 for ancestors and descendants.
void contains_cuda(const Points& apexes, const Points& points, double k, uint8_t* out, const gpu::Context& context = {});
void energy_cuda(const Points& apexes, const Points& points, double k, float* out, const gpu::Context& context = {});
void aperture_cuda(const Points& apexes, double k, float* out, const gpu::Context& context = {});
void ancestors_cuda(const Points& points, const Points& apexes, double k, uint8_t* out, const gpu::Context& context = {});
void descendants_cuda(const Points& apexes, const Points& points, double k, uint8_t* out, const gpu::Context& context = {});

}  // namespace cg::cones
