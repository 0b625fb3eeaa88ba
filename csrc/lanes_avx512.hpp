#pragma once
// Sixteen floats or eight doubles at a time, in the words of lanes_avx2.hpp: a kernel written with them is built twice.
// Everything here has internal linkage, so no copy built with AVX can reach other objects.

#include <immintrin.h>

#include <cstdint>

#include "gathered.hpp"

namespace cg {
namespace {

struct Lanes {
    using Floats = __m512;
    using Doubles = __m512d;
    static constexpr int64_t floats = 16, doubles = 8;

    static __mmask16 first(int64_t some) { return static_cast<__mmask16>((1u << some) - 1); }

    static Floats load(const float* at) { return _mm512_loadu_ps(at); }
    static Floats load(const float* at, int64_t some) { return _mm512_maskz_loadu_ps(first(some), at); }
    static Floats load_half(const uint16_t* at) {
        return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)));
    }
    static Floats load_half(const uint16_t* at, int64_t some) {
        return _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(first(some), at));
    }
    static Floats from_bfloat(__m256i a) {
        return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(a), 16));
    }
    static Floats load_bfloat(const uint16_t* at) {
        return from_bfloat(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)));
    }
    static Floats load_bfloat(const uint16_t* at, int64_t some) {
        return from_bfloat(_mm256_maskz_loadu_epi16(first(some), at));
    }
    static Floats load_byte(const int8_t* at) {
        return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at))));
    }
    static Floats load_byte(const int8_t* at, int64_t some) {
        return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_maskz_loadu_epi8(first(some), at)));
    }
    static void store(float* at, Floats a) { _mm512_storeu_ps(at, a); }
    static void store(float* at, Floats a, int64_t some) { _mm512_mask_storeu_ps(at, first(some), a); }
    static Floats all(float a) { return _mm512_set1_ps(a); }
    static Floats add(Floats a, Floats b) { return _mm512_add_ps(a, b); }
    static Floats sub(Floats a, Floats b) { return _mm512_sub_ps(a, b); }
    static Floats mul(Floats a, Floats b) { return _mm512_mul_ps(a, b); }
    static Floats div(Floats a, Floats b) { return _mm512_div_ps(a, b); }
    static Floats fma(Floats a, Floats b, Floats c) { return _mm512_fmadd_ps(a, b, c); }
    static Floats sqrt(Floats a) { return _mm512_sqrt_ps(a); }
    static Floats abs(Floats a) { return _mm512_abs_ps(a); }
    // b where either is not a number.
    static Floats max(Floats a, Floats b) { return _mm512_max_ps(a, b); }
    // A bit a lane; no bit where either is not a number.
    static uint32_t at_least(Floats a, Floats b) { return _mm512_cmp_ps_mask(a, b, _CMP_GE_OQ); }
    static uint32_t below(Floats a, Floats b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
    // The lanes whose bit is set, in their order, to `to`, which has room for all. Packed in a register: some processors
    // take a hundred cycles to pack into memory.
    static void pack(float* to, Floats a, uint32_t those) {
        store(to, _mm512_maskz_compress_ps(static_cast<__mmask16>(those), a));
    }
    // The same of the first `some` numbers from `at` on.
    static void pack(uint32_t* to, const uint32_t* at, int64_t some, uint32_t those) {
        const __m512i a = _mm512_maskz_loadu_epi32(first(some), at);
        _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(static_cast<__mmask16>(those), a));
    }
    // a >= b ? c : d
    static Floats select_at_least(Floats a, Floats b, Floats c, Floats d) {
        return _mm512_mask_blend_ps(_mm512_cmp_ps_mask(a, b, _CMP_GE_OQ), d, c);
    }
    // The nearest whole number, ties to even.
    static Floats round(Floats a) {
        return _mm512_roundscale_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    }
    // a * 2^exponent for whole exponents, the answer normal.
    static Floats scale(Floats a, Floats exponent) { return _mm512_scalef_ps(a, exponent); }
    // s = 2^exponent * answer, answer in [sqrt(1/2), sqrt(2)); s > 0 and normal.
    static Floats split(Floats s, Floats& exponent) {
        const __m512i shifted = _mm512_add_epi32(_mm512_castps_si512(s), _mm512_set1_epi32(0x3f800000 - 0x3f3504f3));
        exponent = _mm512_cvtepi32_ps(_mm512_sub_epi32(_mm512_srli_epi32(shifted, 23), _mm512_set1_epi32(127)));
        const __m512i mantissa = _mm512_and_si512(shifted, _mm512_set1_epi32(0x007fffff));
        return _mm512_castsi512_ps(_mm512_add_epi32(mantissa, _mm512_set1_epi32(0x3f3504f3)));
    }

    // Lanes l, l + 4, l + 8 and l + 12 together, always as (l + l8) + l4.
    static __m128 four(Floats a) {
        const __m256 eight = _mm256_add_ps(_mm512_castps512_ps256(a), _mm512_extractf32x8_ps(a, 1));
        return _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
    }

    // Queries of a register-blocked product, and its sums [row][query] to four rows of each query: the tree of `four`
    // and two horizontal additions, on sixteen vectors at a time.
    static constexpr int together = 4;
    [[gnu::always_inline]] static void fold_tile(const Floats (&sum)[4][together], __m128* out) {
        __m512 row[4];
        for (int r = 0; r < 4; ++r) {
            const auto halves = [](Floats a, Floats b) __attribute__((always_inline)) {
                return _mm512_add_ps(_mm512_shuffle_f32x4(a, b, 0x44), _mm512_shuffle_f32x4(a, b, 0xee));
            };
            const Floats low = halves(sum[r][0], sum[r][1]), high = halves(sum[r][2], sum[r][3]);
            row[r] = _mm512_add_ps(_mm512_shuffle_f32x4(low, high, 0x88), _mm512_shuffle_f32x4(low, high, 0xdd));
        }
        const auto pairs = [](Floats a, Floats b) __attribute__((always_inline)) {
            return _mm512_add_ps(_mm512_shuffle_ps(a, b, 0x88), _mm512_shuffle_ps(a, b, 0xdd));
        };
        const Floats all_rows = pairs(pairs(row[0], row[1]), pairs(row[2], row[3]));
        out[0] = _mm512_castps512_ps128(all_rows);
        out[1] = _mm512_extractf32x4_ps(all_rows, 1);
        out[2] = _mm512_extractf32x4_ps(all_rows, 2);
        out[3] = _mm512_extractf32x4_ps(all_rows, 3);
    }

    static Floats min(Floats a, Floats b) { return _mm512_min_ps(a, b); }
    // Integers of 8 or 16 bits as floats, exactly.
    static Floats from_integers(const uint8_t* at) {
        return _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at))));
    }
    static Floats from_integers(const int16_t* at) {
        return _mm512_cvtepi32_ps(_mm512_cvtepi16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(at))));
    }
    static Floats from_integers(const int16_t* at, int64_t some) {
        return _mm512_cvtepi32_ps(_mm512_cvtepi16_epi32(_mm256_maskz_loadu_epi16(first(some), at)));
    }
    // from[at[0]], from[at[1]], ...
    template <class Index>
    [[gnu::always_inline]] static Floats gather(const float* from, const Index* at) {
        return _mm512_insertf32x8(_mm512_castps256_ps512(gather_eight(from, at)), gather_eight(from, at + 8), 1);
    }
    // The same of places that rise. Where they lie within four vectors, these are read in order and permuted, which takes a third
    // of the instructions; nothing behind the last place is read.
    [[gnu::always_inline]] static Floats gather_rising(const float* from, const uint16_t* at) {
        const int least = at[0], span = at[floats - 1] - least;
        if (span >= 4 * floats) return gather(from, at);
        const float* begin = from + least;
        const uint64_t those = ~uint64_t{0} >> (63 - span);
        const auto part = [&](int v) __attribute__((always_inline)) {
            return _mm512_maskz_loadu_ps(static_cast<__mmask16>(those >> (floats * v)), begin + floats * v);
        };
        const __m512i places = _mm512_sub_epi32(
            _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(at))), _mm512_set1_epi32(least));
        const Floats near = _mm512_permutex2var_ps(part(0), places, part(1));
        const Floats far = _mm512_permutex2var_ps(part(2), places, part(3));
        return _mm512_mask_blend_ps(_mm512_test_epi32_mask(places, _mm512_set1_epi32(2 * floats)), near, far);
    }
    // Past the caches; `at` a multiple of 64 bytes.
    static void stream(float* at, Floats a) { _mm512_stream_ps(at, a); }

    static Doubles none() { return _mm512_setzero_pd(); }
    static Doubles wide(double a) { return _mm512_set1_pd(a); }
    static Doubles widen(const float* at) { return _mm512_cvtps_pd(_mm256_loadu_ps(at)); }
    static Doubles widen(const float* at, int64_t some) {
        return _mm512_cvtps_pd(_mm256_maskz_loadu_ps(static_cast<__mmask8>(first(some)), at));
    }
    static void narrow(float* at, Doubles a) { _mm256_storeu_ps(at, _mm512_cvtpd_ps(a)); }
    static void narrow(float* at, Doubles a, int64_t some) {
        _mm256_mask_storeu_ps(at, static_cast<__mmask8>(first(some)), _mm512_cvtpd_ps(a));
    }
    static Doubles load(const double* at) { return _mm512_loadu_pd(at); }
    static void store(double* at, Doubles a) { _mm512_storeu_pd(at, a); }
    static Doubles add(Doubles a, Doubles b) { return _mm512_add_pd(a, b); }
    static Doubles sub(Doubles a, Doubles b) { return _mm512_sub_pd(a, b); }
    static Doubles mul(Doubles a, Doubles b) { return _mm512_mul_pd(a, b); }
    static Doubles fma(Doubles a, Doubles b, Doubles c) { return _mm512_fmadd_pd(a, b, c); }
    static double fold(Doubles a) {
        const __m256d four = _mm256_add_pd(_mm512_castpd512_pd256(a), _mm512_extractf64x4_pd(a, 1));
        const __m128d two = _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
        return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
    }
};

// Of sixteen from `first` on, those below `end`.
[[gnu::always_inline]] inline __mmask16 those_of(int64_t end, int64_t first) {
    return end - first < 16 ? Lanes::first(end - first) : static_cast<__mmask16>(0xffff);
}

}  // namespace
}  // namespace cg
