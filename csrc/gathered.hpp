#pragma once
// Eight floats from places that are listed, for the two widths of lanes. Plain loads, put together in registers: the
// gather instruction is slower, and a vector that is read from stores waits for all of them.
// Everything here has internal linkage, so no copy built with AVX can reach other objects.

#include <immintrin.h>

namespace cg {
namespace {

// from[at[0]], ..., from[at[7]]
template <class Index>
[[gnu::always_inline]] inline __m256 gather_eight(const float* from, const Index* at) {
    const auto two = [&](int j) __attribute__((always_inline)) {
        return _mm_unpacklo_ps(_mm_load_ss(from + at[j]), _mm_load_ss(from + at[j + 1]));
    };
    const auto four = [&](int j) __attribute__((always_inline)) { return _mm_movelh_ps(two(j), two(j + 2)); };
    return _mm256_insertf128_ps(_mm256_castps128_ps256(four(0)), four(4), 1);
}

}  // namespace
}  // namespace cg
