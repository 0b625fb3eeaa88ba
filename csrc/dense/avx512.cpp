// Four rows by up to four queries at a time: sixteen running sums hide the latency of the fused multiply-add, and a
// row loaded once serves four queries. One query reads each row once, so memory is the bound: d * element bytes a row.
// Each sum adds 16 lanes in order of d, then folds the lanes in one fixed tree.

#include <immintrin.h>

#include "context_graph/dense.hpp"

namespace cg::dense {
namespace {

struct F32 {
    static __m512 load(const char* row, int64_t x) { return _mm512_loadu_ps(row + 4 * x); }
    static __m512 load(const char* row, int64_t x, __mmask16 some) { return _mm512_maskz_loadu_ps(some, row + 4 * x); }
    static constexpr int bytes = 4;
};
struct F16 {
    static __m512 load(const char* row, int64_t x) {
        return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(row + 2 * x)));
    }
    static __m512 load(const char* row, int64_t x, __mmask16 some) {
        return _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(some, row + 2 * x));
    }
    static constexpr int bytes = 2;
};
struct I8 {
    static __m512 load(const char* row, int64_t x) {
        return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(row + x))));
    }
    static __m512 load(const char* row, int64_t x, __mmask16 some) {
        return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_maskz_loadu_epi8(some, row + x)));
    }
    static constexpr int bytes = 1;
};

// 16 lanes to one, always as ((l + l8) + l4) + l2) + l1.
inline float fold(__m512 sum) {
    const __m256 eight = _mm256_add_ps(_mm512_castps512_ps256(sum), _mm512_extractf32x8_ps(sum, 1));
    const __m128 four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
    const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

template <class Type, int R, int Q>
[[gnu::always_inline]] inline void tile(const Queries& queries, int64_t j, const Rows& rows, int64_t i, float* out,
                                        int64_t ld) {
    const char* row[R];
    __m512 sum[R][Q];
    for (int r = 0; r < R; ++r) {
        row[r] = rows.row(i + r);
        for (int q = 0; q < Q; ++q) sum[r][q] = _mm512_setzero_ps();
    }
    const int64_t whole = rows.d / 16 * 16;
    for (int64_t x = 0; x < whole; x += 16) {
        __m512 query[Q];
        for (int q = 0; q < Q; ++q) query[q] = _mm512_loadu_ps(queries.row(j + q) + x);
        for (int r = 0; r < R; ++r) {
            const __m512 value = Type::load(row[r], x);
            // The hardware prefetcher stops at page ends; R rows ahead it has not started yet.
            if (Q == 1 && R > 1) _mm_prefetch(row[r] + R * rows.stride + x * Type::bytes, _MM_HINT_T0);
            for (int q = 0; q < Q; ++q) sum[r][q] = _mm512_fmadd_ps(query[q], value, sum[r][q]);
        }
    }
    if (whole < rows.d) {
        const __mmask16 some = static_cast<__mmask16>((1u << (rows.d - whole)) - 1);
        __m512 query[Q];
        for (int q = 0; q < Q; ++q) query[q] = _mm512_maskz_loadu_ps(some, queries.row(j + q) + whole);
        for (int r = 0; r < R; ++r) {
            const __m512 value = Type::load(row[r], whole, some);
            for (int q = 0; q < Q; ++q) sum[r][q] = _mm512_fmadd_ps(query[q], value, sum[r][q]);
        }
    }
    for (int r = 0; r < R; ++r) {
        const float scale = rows.scale ? rows.scale[i + r] : 1.0f;
        for (int q = 0; q < Q; ++q) out[q * ld + r] = fold(sum[r][q]) * scale;
    }
}

template <class Type, int Q>
void strip(const Queries& queries, int64_t j, const Rows& rows, int64_t begin, int64_t end, float* out, int64_t ld) {
    int64_t i = begin;
    for (; i + 4 <= end; i += 4) tile<Type, 4, Q>(queries, j, rows, i, out + i - begin, ld);
    for (; i < end; ++i) tile<Type, 1, Q>(queries, j, rows, i, out + i - begin, ld);
}

template <class Type>
void all(const Queries& queries, const Rows& rows, int64_t begin, int64_t end, float* out, int64_t ld) {
    int64_t j = 0;
    for (; j + 4 <= queries.q; j += 4) strip<Type, 4>(queries, j, rows, begin, end, out + j * ld, ld);
    for (; j < queries.q; ++j) strip<Type, 1>(queries, j, rows, begin, end, out + j * ld, ld);
}

// The codes are unsigned, the query signed: VPDPBUSD takes them as they are, 64 products an instruction.
template <int R>
[[gnu::always_inline]] inline void code_tile(const FineQuery& query, const uint8_t* codes, int64_t stride,
                                             int64_t* out) {
    __m512i high[R], low[R];
    for (int r = 0; r < R; ++r) high[r] = low[r] = _mm512_setzero_si512();
    for (int64_t x = 0; x < query.padded; x += 64) {
        const __m512i query_high = _mm512_loadu_si512(query.high + x), query_low = _mm512_loadu_si512(query.low + x);
        for (int r = 0; r < R; ++r) {
            const uint8_t* at = codes + r * stride + x;
            const __m512i code = _mm512_loadu_si512(at);
            if (R > 1) _mm_prefetch(reinterpret_cast<const char*>(at + R * stride), _MM_HINT_T0);
            high[r] = _mm512_dpbusd_epi32(high[r], code, query_high);
            low[r] = _mm512_dpbusd_epi32(low[r], code, query_low);
        }
    }
    for (int r = 0; r < R; ++r) {
        out[r] = 128 * int64_t{_mm512_reduce_add_epi32(high[r])} + _mm512_reduce_add_epi32(low[r]) - 128 * query.sum;
    }
}

}  // namespace

void scores_avx512(const Queries& queries, const Rows& rows, int64_t begin, int64_t end, float* out, int64_t ld) {
    if (rows.element == Element::f32) return all<F32>(queries, rows, begin, end, out, ld);
    if (rows.element == Element::f16) return all<F16>(queries, rows, begin, end, out, ld);
    return all<I8>(queries, rows, begin, end, out, ld);
}

void code_dots_avx512(const FineQuery& query, const uint8_t* codes, int64_t stride, int64_t begin, int64_t end,
                      int64_t* out) {
    int64_t i = begin;
    for (; i + 8 <= end; i += 8) code_tile<8>(query, codes + i * stride, stride, out + i - begin);
    for (; i < end; ++i) code_tile<1>(query, codes + i * stride, stride, out + i - begin);
}

}  // namespace cg::dense
