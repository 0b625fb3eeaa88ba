#pragma once
// A mixture of experts: a gate that chooses by distance, and the chosen experts' weighted sum.

#include <cstdint>

#include "batch.hpp"
#include "dispatch.hpp"
#include "gpu.hpp"
#include "points.hpp"

namespace cg::fusemoe {

// What a gate goes by: minus the distance to an expert's centre, the inner product with it, or the cosine.
enum class Kind { laplace, softmax, cosine };

// A backend. The order of a sum depends on d alone.
struct Kernel {
    // out[j * ld + i - begin] = |x_j - row i|² for begin <= i < end, from differences.
    void (*distances)(const Points& x, const Points& rows, int64_t begin, int64_t end, float* out, int64_t ld);
    // out[j * ld + i - begin] = <x_j, row i> for begin <= i < end.
    void (*products)(const float* const* x, int64_t n, const Stored& rows, int64_t begin, int64_t end, float* out,
                     int64_t ld);
    // The same for many rows.
    BatchProducts batch;
    // out[i - begin] = |row i|² for begin <= i < end.
    void (*squares)(const Stored& rows, int64_t begin, int64_t end, float* out);
};
extern const Kernel kernel_scalar, kernel_avx2, kernel_avx512;
// The table of one of them, and of the one that best_isa() names; BackendUnavailable where it is not usable here.
const Kernel& kernel_of(Isa isa);
const Kernel& best_kernel();

// A byte an expert, 0 where it is absent; the same bytes for all rows, or `stride` bytes further on for the next one.
struct Present {
    const uint8_t* data;
    int64_t stride;
};

// The k best present experts of each row, best first, ties to the lowest id, and softmax(score / temperature) over them:
// weights (n, k) and ids (n, k), padded with 0 and -1.
void gate(const Kernel& kernel, const Points& x, const Points& experts, Kind kind, int64_t k, double temperature,
          const Present& present, float* weights, int64_t* ids, int threads);

// Row i for expert e begins at data + i * row_stride + e * expert_stride, in numbers.
struct Inputs {
    const float* data;
    int64_t n, row_stride, expert_stride;
};

// Projections (e, dout, din): expert i's rows begin `apart` bytes after those of i - 1.
struct Projections {
    Stored first;
    int64_t experts, apart;

    Stored of(int64_t expert) const {
        Stored rows = first;
        rows.data = static_cast<const char*>(first.data) + expert * apart;
        return rows;
    }
};

// out (n, dout) = sum over slots j of weights[i, j] * (P_{ids[i, j]} x_i + bias), experts in rising order; id -1 is
// nothing. bias: (e, dout), may be null. Only the chosen experts are read, each once a block of its rows.
void fuse(const Kernel& kernel, const Inputs& inputs, const Projections& projections, const float* bias,
          const int64_t* ids, const float* weights, int64_t k, float* out, int threads);

#ifdef CG_HAS_CUDA
// The same on a device; pointers of the host or the device.
void gate_cuda(const Points& x, const Points& experts, Kind kind, int64_t k, double temperature, const Present& present,
               float* weights, int64_t* ids, const gpu::Context& context = {});
void fuse_cuda(const Inputs& inputs, const Projections& projections, const float* bias, const int64_t* ids,
               const float* weights, int64_t k, float* out, const gpu::Context& context = {});
#endif

}  // namespace cg::fusemoe
