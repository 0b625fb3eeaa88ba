#pragma once
// Eight floats or four doubles at a time, in the words of lanes_avx512.hpp: a kernel written with them is built twice.
// Everything here has internal linkage, so no copy built with AVX can reach other objects.

#include <immintrin.h>

#include <cstdint>

#include "gathered.hpp"

namespace cg {
namespace {

alignas(64) const int32_t SOME[16] = {-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0};

struct Lanes {
    using Floats = __m256;
    using Doubles = __m256d;
    static constexpr int64_t floats = 8, doubles = 4;

    static __m256i first(int64_t some) {
        return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(SOME + 8 - some));
    }

    static Floats load(const float* at) { return _mm256_loadu_ps(at); }
    static Floats load(const float* at, int64_t some) { return _mm256_maskload_ps(at, first(some)); }
    static Floats load_half(const uint16_t* at) {
        return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at)));
    }
    // Parts of a vector pass through sixteen bytes on the stack: AVX2 has no masked load of 16-bit numbers.
    static __m128i load_some(const uint16_t* at, int64_t some) {
        alignas(16) uint16_t part[8] = {};
        for (int64_t i = 0; i < some; ++i) part[i] = at[i];
        return _mm_load_si128(reinterpret_cast<const __m128i*>(part));
    }
    static Floats load_half(const uint16_t* at, int64_t some) { return _mm256_cvtph_ps(load_some(at, some)); }
    static Floats from_bfloat(__m128i a) {
        return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(a), 16));
    }
    static Floats load_bfloat(const uint16_t* at) {
        return from_bfloat(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at)));
    }
    static Floats load_bfloat(const uint16_t* at, int64_t some) { return from_bfloat(load_some(at, some)); }
    static Floats load_byte(const int8_t* at) {
        return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(at))));
    }
    static Floats load_byte(const int8_t* at, int64_t some) {
        alignas(16) int8_t part[16] = {};
        for (int64_t i = 0; i < some; ++i) part[i] = at[i];
        return load_byte(part);
    }
    static void store(float* at, Floats a) { _mm256_storeu_ps(at, a); }
    static void store(float* at, Floats a, int64_t some) { _mm256_maskstore_ps(at, first(some), a); }
    static Floats all(float a) { return _mm256_set1_ps(a); }
    static Floats add(Floats a, Floats b) { return _mm256_add_ps(a, b); }
    static Floats sub(Floats a, Floats b) { return _mm256_sub_ps(a, b); }
    static Floats mul(Floats a, Floats b) { return _mm256_mul_ps(a, b); }
    static Floats div(Floats a, Floats b) { return _mm256_div_ps(a, b); }
    static Floats fma(Floats a, Floats b, Floats c) { return _mm256_fmadd_ps(a, b, c); }
    static Floats sqrt(Floats a) { return _mm256_sqrt_ps(a); }
    static Floats abs(Floats a) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a); }
    // b where either is not a number.
    static Floats max(Floats a, Floats b) { return _mm256_max_ps(a, b); }
    // A bit a lane; no bit where either is not a number.
    static uint32_t at_least(Floats a, Floats b) {
        return static_cast<uint32_t>(_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_GE_OQ)));
    }
    static uint32_t below(Floats a, Floats b) {
        return static_cast<uint32_t>(_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_LT_OQ)));
    }
    // a >= b ? c : d
    static Floats select_at_least(Floats a, Floats b, Floats c, Floats d) {
        return _mm256_blendv_ps(d, c, _mm256_cmp_ps(a, b, _CMP_GE_OQ));
    }
    // The nearest whole number, ties to even.
    static Floats round(Floats a) { return _mm256_round_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
    // a * 2^exponent for whole exponents, the answer normal.
    static Floats scale(Floats a, Floats exponent) {
        const __m256i power = _mm256_add_epi32(_mm256_cvtps_epi32(exponent), _mm256_set1_epi32(127));
        return _mm256_mul_ps(a, _mm256_castsi256_ps(_mm256_slli_epi32(power, 23)));
    }
    // s = 2^exponent * answer, answer in [sqrt(1/2), sqrt(2)); s > 0 and normal.
    static Floats split(Floats s, Floats& exponent) {
        const __m256i shifted = _mm256_add_epi32(_mm256_castps_si256(s), _mm256_set1_epi32(0x3f800000 - 0x3f3504f3));
        exponent = _mm256_cvtepi32_ps(_mm256_sub_epi32(_mm256_srli_epi32(shifted, 23), _mm256_set1_epi32(127)));
        const __m256i mantissa = _mm256_and_si256(shifted, _mm256_set1_epi32(0x007fffff));
        return _mm256_castsi256_ps(_mm256_add_epi32(mantissa, _mm256_set1_epi32(0x3f3504f3)));
    }

    // Lanes l and l + 4 together.
    static __m128 four(Floats a) { return _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1)); }

    // Queries of a register-blocked product, and its sums [row][query] to four rows of each query.
    static constexpr int together = 3;
    [[gnu::always_inline]] static void fold_tile(const Floats (&sum)[4][together], __m128* out) {
        for (int q = 0; q < together; ++q) {
            const __m128 low = _mm_hadd_ps(four(sum[0][q]), four(sum[1][q]));
            out[q] = _mm_hadd_ps(low, _mm_hadd_ps(four(sum[2][q]), four(sum[3][q])));
        }
    }

    static Floats min(Floats a, Floats b) { return _mm256_min_ps(a, b); }
    // Integers of 8 or 16 bits as floats, exactly.
    static Floats from_integers(const uint8_t* at) {
        return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(at))));
    }
    static Floats from_integers(const int16_t* at) {
        return _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at))));
    }
    // from[at[0]], from[at[1]], ...
    template <class Index>
    [[gnu::always_inline]] static Floats gather(const float* from, const Index* at) {
        return gather_eight(from, at);
    }
    // The same of places that rise, which help nothing here.
    [[gnu::always_inline]] static Floats gather_rising(const float* from, const uint16_t* at) { return gather(from, at); }
    // Past the caches; `at` a multiple of 32 bytes.
    static void stream(float* at, Floats a) { _mm256_stream_ps(at, a); }

    static Doubles none() { return _mm256_setzero_pd(); }
    static Doubles wide(double a) { return _mm256_set1_pd(a); }
    static Doubles widen(const float* at) { return _mm256_cvtps_pd(_mm_loadu_ps(at)); }
    static Doubles widen(const float* at, int64_t some) {
        return _mm256_cvtps_pd(_mm_maskload_ps(at, _mm256_castsi256_si128(first(some))));
    }
    static void narrow(float* at, Doubles a) { _mm_storeu_ps(at, _mm256_cvtpd_ps(a)); }
    static void narrow(float* at, Doubles a, int64_t some) {
        _mm_maskstore_ps(at, _mm256_castsi256_si128(first(some)), _mm256_cvtpd_ps(a));
    }
    static Doubles load(const double* at) { return _mm256_loadu_pd(at); }
    static void store(double* at, Doubles a) { _mm256_storeu_pd(at, a); }
    static Doubles add(Doubles a, Doubles b) { return _mm256_add_pd(a, b); }
    static Doubles sub(Doubles a, Doubles b) { return _mm256_sub_pd(a, b); }
    static Doubles mul(Doubles a, Doubles b) { return _mm256_mul_pd(a, b); }
    static Doubles fma(Doubles a, Doubles b, Doubles c) { return _mm256_fmadd_pd(a, b, c); }
    static double fold(Doubles a) {
        const __m128d two = _mm_add_pd(_mm256_castpd256_pd128(a), _mm256_extractf128_pd(a, 1));
        return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
    }
};

}  // namespace
}  // namespace cg
