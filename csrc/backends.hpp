#pragma once
// The backends of a family, bound under their names.

#include <pybind11/pybind11.h>

namespace cg {

// Stands where the CPU backends have their table of functions. A device chooses its own threads.
struct Cuda {};
inline constexpr Cuda kernel_cuda;

}  // namespace cg

#ifdef CG_X86
#define CG_BIND_WIDE(bind_backend, m)         \
    bind_backend(m, "avx2", kernel_avx2);     \
    bind_backend(m, "avx512", kernel_avx512);
#else
#define CG_BIND_WIDE(bind_backend, m)
#endif

#ifdef CG_HAS_CUDA
#define CG_BIND_CUDA(bind_backend, m) bind_backend(m, "cuda", kernel_cuda);
#else
#define CG_BIND_CUDA(bind_backend, m)
#endif

// bind_backend(m, name, kernel) for every backend on the CPU.
#define CG_BIND_CPU(bind_backend, m)          \
    bind_backend(m, "scalar", kernel_scalar); \
    CG_BIND_WIDE(bind_backend, m)

// The same for the device too, where one is built for.
#define CG_BIND_ALL(bind_backend, m) \
    CG_BIND_CPU(bind_backend, m)     \
    CG_BIND_CUDA(bind_backend, m)
