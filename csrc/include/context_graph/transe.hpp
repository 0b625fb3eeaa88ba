#pragma once
// Facts as translations: head + relation lies near the tail, and the distance left over says how far from true.

#include <cstdint>

#include "dispatch.hpp"
#include "gpu.hpp"
#include "points.hpp"

namespace cg::transe {

// How the difference h + r - t is measured: the sum of its absolute values, or its Euclidean length.
enum class Norm { l1 = 1, l2 = 2 };

// A backend. h + r is rounded to float32 once and then compared with t, here as there, so both give the same bits;
// the order of a sum depends on d alone.
struct Kernel {
    // out[i] = -|h_i + r_i - t_i| for begin <= i < end.
    void (*score)(const Points& heads, const Points& relations, const Points& tails, Norm norm, int64_t begin,
                  int64_t end, float* out);
    // out[j * ld + i - begin] = -|wish j - tail i| for begin <= i < end; wishes are h + r.
    void (*scores)(const Points& wishes, const Points& tails, Norm norm, int64_t begin, int64_t end, float* out,
                   int64_t ld);
};
extern const Kernel kernel_scalar, kernel_avx2, kernel_avx512;
// The table of one of them, and of the one that best_isa() names; BackendUnavailable where it is not usable here.
const Kernel& kernel_of(Isa isa);
const Kernel& best_kernel();

void score(const Kernel& kernel, const Points& heads, const Points& relations, const Points& tails, Norm norm,
           float* out, int threads);

// The k tails nearest to h_j + r_j: scores (q, k) and ids (q, k), best first, ties to the lowest id, padded with -inf
// and -1. mask: n bytes, 0 hides a tail; may be null.
void nearest(const Kernel& kernel, const Points& heads, const Points& relations, const Points& tails, Norm norm,
             int64_t k, const uint8_t* mask, float* scores, int64_t* ids, int threads);

// The same on the current CUDA device; every pointer may lie on the host or on the device. For `context` a cudaStream_t does.
// d <= 12288 for nearest. Hidden tails are not looked at.
void score_cuda(const Points& heads, const Points& relations, const Points& tails, Norm norm, float* out,
                const gpu::Context& context = {});
void nearest_cuda(const Points& heads, const Points& relations, const Points& tails, Norm norm, int64_t k,
                  const uint8_t* mask, float* scores, int64_t* ids, const gpu::Context& context = {});

}  // namespace cg::transe
