#pragma once
// Sixteen rows of sixteen 32-bit words, one in each register, to their sixteen columns. For what is built with AVX-512 alone.

#include <immintrin.h>

namespace cg {
namespace {

[[gnu::always_inline]] inline void transpose(__m512i (&a)[16]) {
    __m512i b[16];
#pragma GCC unroll 8
    for (int r = 0; r < 16; r += 2) {
        b[r] = _mm512_unpacklo_epi32(a[r], a[r + 1]);
        b[r + 1] = _mm512_unpackhi_epi32(a[r], a[r + 1]);
    }
#pragma GCC unroll 4
    for (int r = 0; r < 16; r += 4) {  // a[r + t]: column t of each lane, rows r ... r + 3
        a[r] = _mm512_unpacklo_epi64(b[r], b[r + 2]);
        a[r + 1] = _mm512_unpackhi_epi64(b[r], b[r + 2]);
        a[r + 2] = _mm512_unpacklo_epi64(b[r + 1], b[r + 3]);
        a[r + 3] = _mm512_unpackhi_epi64(b[r + 1], b[r + 3]);
    }
#pragma GCC unroll 4
    for (int t = 0; t < 4; ++t) {
        const __m512i even = _mm512_shuffle_i32x4(a[t], a[t + 4], 0x88), odd = _mm512_shuffle_i32x4(a[t], a[t + 4], 0xdd);
        const __m512i even_too = _mm512_shuffle_i32x4(a[t + 8], a[t + 12], 0x88);
        const __m512i odd_too = _mm512_shuffle_i32x4(a[t + 8], a[t + 12], 0xdd);
        b[t] = _mm512_shuffle_i32x4(even, even_too, 0x88);
        b[t + 4] = _mm512_shuffle_i32x4(odd, odd_too, 0x88);
        b[t + 8] = _mm512_shuffle_i32x4(even, even_too, 0xdd);
        b[t + 12] = _mm512_shuffle_i32x4(odd, odd_too, 0xdd);
    }
#pragma GCC unroll 16
    for (int t = 0; t < 16; ++t) a[t] = b[t];
}

}  // namespace
}  // namespace cg
