#pragma once
// The instructions C++ has no word for. Inline PTX stands only here, and only what sm_80, sm_90 and sm_120 share.

#include <cstdint>

namespace cg::device {

// Copies 16 bytes to shared memory past the registers; `taken` below 16 fills the rest with zeros. The cache takes the 128
// bytes they stand in, so rows that are read a piece at a time do not open a page of memory for each.
__device__ inline void copy_async(void* to, const void* from, int taken = 16) {
    const auto shared = static_cast<uint32_t>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" : : "r"(shared), "l"(from), "r"(taken) : "memory");
}
__device__ inline void commit_copies() { asm volatile("cp.async.commit_group;" : : : "memory"); }
// Until at most N of this thread's groups are on their way. Other threads see them after a barrier.
template <int N>
__device__ inline void wait_copies() {
    asm volatile("cp.async.wait_group %0;" : : "n"(N) : "memory");
}

// Four 8 x 8 matrices of 16 bits: lane l names row l % 8 of matrix l / 8.
__device__ inline void load_matrices(uint32_t (&into)[4], const void* row) {
    const auto shared = static_cast<uint32_t>(__cvta_generic_to_shared(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(into[0]), "=r"(into[1]), "=r"(into[2]), "=r"(into[3])
                 : "r"(shared)
                 : "memory");
}

// The same, each transposed: from rows of B as they lie in memory, what `multiply` wants of its columns.
__device__ inline void load_transposed(uint32_t (&into)[4], const void* row) {
    const auto shared = static_cast<uint32_t>(__cvta_generic_to_shared(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(into[0]), "=r"(into[1]), "=r"(into[2]), "=r"(into[3])
                 : "r"(shared)
                 : "memory");
}

// sum += A B for a 16 x 16 tile A by rows and a 16 x 8 tile B by columns. With g = lane / 4 and t = lane % 4, a lane
// holds of A rows g and g + 8 in columns 2t, 2t+1 and 2t+8, 2t+9 (a0 a1: low columns, a2 a3: high), of B column g in
// the same rows, of the sum rows g and g + 8 in columns 2t, 2t+1.
__device__ inline void multiply_bf16(float (&sum)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
__device__ inline void multiply_f16(float (&sum)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
// The same for floats of which the upper 19 bits count (TF32), 16 x 8 by 8 x 8: a lane holds columns t and t + 4 (a0 a1: t,
// a2 a3: t + 4), what ldmatrix makes of rows of floats.
__device__ inline void multiply_tf32(float (&sum)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
// For bytes, 16 x 32 by 32 x 8: A unsigned, B signed; a lane holds columns 4t .. 4t+3 and 16 further.
__device__ inline void multiply_u8s8(int (&sum)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// 2^x within 2 units in the last place.
__device__ inline float exp2_fast(float x) {
    float out;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(out) : "f"(x));
    return out;
}

}  // namespace cg::device
