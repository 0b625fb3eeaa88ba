// Four rows by one query, or two rows by two queries, eight lanes each; 16 registers allow no more.
// Each sum adds 8 lanes in order of d, then folds the lanes in one fixed tree.

#include <immintrin.h>

#include "context_graph/dense.hpp"

namespace cg::dense {
namespace {

// The last, short step goes through a small zeroed buffer: a masked load of halves or bytes does not exist here.
template <class T>
[[gnu::always_inline]] inline void copy_tail(T* to, const char* from, int64_t count) {
    for (int64_t x = 0; x < 8; ++x) to[x] = x < count ? reinterpret_cast<const T*>(from)[x] : T{0};
}

struct F32 {
    using Item = float;
    static __m256 load(const char* at) { return _mm256_loadu_ps(reinterpret_cast<const float*>(at)); }
};
struct F16 {
    using Item = uint16_t;
    static __m256 load(const char* at) {
        return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at)));
    }
};
struct I8 {
    using Item = int8_t;
    static __m256 load(const char* at) {
        return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(at))));
    }
};

inline float fold(__m256 sum) {
    const __m128 four = _mm_add_ps(_mm256_castps256_ps128(sum), _mm256_extractf128_ps(sum, 1));
    const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

template <class Type, int R, int Q>
[[gnu::always_inline]] inline void tile(const Queries& queries, int64_t j, const Rows& rows, int64_t i, float* out,
                                        int64_t ld) {
    constexpr int64_t item = sizeof(typename Type::Item);
    const char* row[R];
    __m256 sum[R][Q];
    for (int r = 0; r < R; ++r) {
        row[r] = rows.row(i + r);
        for (int q = 0; q < Q; ++q) sum[r][q] = _mm256_setzero_ps();
    }
    const int64_t whole = rows.d / 8 * 8;
    for (int64_t x = 0; x < whole; x += 8) {
        __m256 query[Q];
        for (int q = 0; q < Q; ++q) query[q] = _mm256_loadu_ps(queries.row(j + q) + x);
        for (int r = 0; r < R; ++r) {
            const __m256 value = Type::load(row[r] + x * item);
            if (Q == 1 && R > 1) _mm_prefetch(row[r] + R * rows.stride + x * item, _MM_HINT_T0);
            for (int q = 0; q < Q; ++q) sum[r][q] = _mm256_fmadd_ps(query[q], value, sum[r][q]);
        }
    }
    if (whole < rows.d) {
        __m256 query[Q];
        for (int q = 0; q < Q; ++q) {
            float rest[8];
            copy_tail(rest, reinterpret_cast<const char*>(queries.row(j + q) + whole), rows.d - whole);
            query[q] = _mm256_loadu_ps(rest);
        }
        for (int r = 0; r < R; ++r) {
            typename Type::Item rest[8];
            copy_tail(rest, row[r] + whole * item, rows.d - whole);
            const __m256 value = Type::load(reinterpret_cast<const char*>(rest));
            for (int q = 0; q < Q; ++q) sum[r][q] = _mm256_fmadd_ps(query[q], value, sum[r][q]);
        }
    }
    for (int r = 0; r < R; ++r) {
        const float scale = rows.scale ? rows.scale[i + r] : 1.0f;
        for (int q = 0; q < Q; ++q) out[q * ld + r] = fold(sum[r][q]) * scale;
    }
}

template <class Type, int R, int Q>
void strip(const Queries& queries, int64_t j, const Rows& rows, int64_t begin, int64_t end, float* out, int64_t ld) {
    int64_t i = begin;
    for (; i + R <= end; i += R) tile<Type, R, Q>(queries, j, rows, i, out + i - begin, ld);
    for (; i < end; ++i) tile<Type, 1, Q>(queries, j, rows, i, out + i - begin, ld);
}

template <class Type>
void all(const Queries& queries, const Rows& rows, int64_t begin, int64_t end, float* out, int64_t ld) {
    int64_t j = 0;
    for (; j + 4 <= queries.q; j += 4) strip<Type, 2, 4>(queries, j, rows, begin, end, out + j * ld, ld);
    for (; j < queries.q; ++j) strip<Type, 4, 1>(queries, j, rows, begin, end, out + j * ld, ld);
}

// Without VNNI a product of bytes saturates in 16 bits, so codes widen to 16 bits and meet the 15-bit query there.
// A lane adds d / 8 products of at most 255 * 16256: inside 31 bits up to MAX_CODED_DIM only as two sums.
[[gnu::always_inline]] inline int64_t code_dot(const FineQuery& query, const uint8_t* code) {
    __m256i even = _mm256_setzero_si256(), odd = even;
    for (int64_t x = 0; x < query.padded; x += 32) {
        const __m256i first = _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(code + x)));
        const __m256i second = _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(code + x + 16)));
        const auto* fine = reinterpret_cast<const __m256i*>(query.fine + x);
        even = _mm256_add_epi32(even, _mm256_madd_epi16(first, _mm256_loadu_si256(fine)));
        odd = _mm256_add_epi32(odd, _mm256_madd_epi16(second, _mm256_loadu_si256(fine + 1)));
    }
    const __m256i low = _mm256_add_epi64(_mm256_cvtepi32_epi64(_mm256_castsi256_si128(even)),
                                         _mm256_cvtepi32_epi64(_mm256_extracti128_si256(even, 1)));
    const __m256i high = _mm256_add_epi64(_mm256_cvtepi32_epi64(_mm256_castsi256_si128(odd)),
                                          _mm256_cvtepi32_epi64(_mm256_extracti128_si256(odd, 1)));
    const __m256i four = _mm256_add_epi64(low, high);
    const __m128i two = _mm_add_epi64(_mm256_castsi256_si128(four), _mm256_extracti128_si256(four, 1));
    return _mm_cvtsi128_si64(two) + _mm_extract_epi64(two, 1);
}

}  // namespace

void scores_avx2(const Queries& queries, const Rows& rows, int64_t begin, int64_t end, float* out, int64_t ld) {
    if (rows.element == Element::f32) return all<F32>(queries, rows, begin, end, out, ld);
    if (rows.element == Element::f16) return all<F16>(queries, rows, begin, end, out, ld);
    return all<I8>(queries, rows, begin, end, out, ld);
}

void code_dots_avx2(const FineQuery& query, const uint8_t* codes, int64_t stride, int64_t begin, int64_t end,
                    int64_t* out) {
    for (int64_t i = begin; i < end; ++i) out[i - begin] = code_dot(query, codes + i * stride) - 128 * query.sum;
}

}  // namespace cg::dense
