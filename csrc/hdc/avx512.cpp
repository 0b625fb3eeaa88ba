// A query alone waits in twenty registers; each row is xor, VPOPCNTQ, add, once a cache line, and memory is the bound:
// 1,280 bytes a row. Four queries meet four rows, whose sixteen sums stay in registers: half a load a comparison, and the
// instructions are the bound.

#include <immintrin.h>

#include "context_graph/cpu.hpp"
#include "context_graph/hdc.hpp"

#define CG_LANES 8

namespace cg::hdc {
namespace {

#include "sliced.inl"

void distances(const uint64_t* one, const uint64_t* rows, int64_t n, int32_t* out) {
    __m512i query[20];
    for (int x = 0; x < 20; ++x) query[x] = _mm512_loadu_si512(one + 8 * x);
    const int64_t ahead = fetch_ahead(4 * WORDS * 8);
    for (int64_t i = 0; i < n; ++i) {
        const uint64_t* row = rows + i * WORDS;
        __m512i even = _mm512_setzero_si512(), odd = even;
        for (int x = 0; x < 20; x += 2) {
            _mm_prefetch(reinterpret_cast<const char*>(row + 8 * x) + ahead, _MM_HINT_T0);
            _mm_prefetch(reinterpret_cast<const char*>(row + 8 * x + 8) + ahead, _MM_HINT_T0);
            const __m512i a = _mm512_xor_si512(query[x], _mm512_loadu_si512(row + 8 * x));
            const __m512i b = _mm512_xor_si512(query[x + 1], _mm512_loadu_si512(row + 8 * x + 8));
            even = _mm512_add_epi64(even, _mm512_popcnt_epi64(a));
            odd = _mm512_add_epi64(odd, _mm512_popcnt_epi64(b));
        }
        out[i] = static_cast<int32_t>(_mm512_reduce_add_epi64(_mm512_add_epi64(even, odd)));
    }
}

// GCC loads the operand of each xor again otherwise.
[[gnu::always_inline]] inline __m512i in_register(const uint64_t* at) {
    __m512i words = _mm512_loadu_si512(at);
    __asm__("" : "+v"(words));
    return words;
}

// The sums of four vectors of eight counts, in order.
[[gnu::always_inline]] inline __m128i fold_four(__m512i a, __m512i b, __m512i c, __m512i d) {
    const __m512i ab = _mm512_add_epi64(_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
    const __m512i cd = _mm512_add_epi64(_mm512_unpacklo_epi64(c, d), _mm512_unpackhi_epi64(c, d));
    const __m512i halves = _mm512_add_epi64(_mm512_shuffle_i64x2(ab, cd, 0x88), _mm512_shuffle_i64x2(ab, cd, 0xdd));
    const __m256i low = _mm512_castsi512_si256(halves), high = _mm512_extracti64x4_epi64(halves, 1);
    return _mm256_cvtepi64_epi32(
        _mm256_add_epi64(_mm256_permute2x128_si256(low, high, 0x20), _mm256_permute2x128_si256(low, high, 0x31)));
}

void distances_at_once(const uint64_t* vectors, const uint64_t* rows, int64_t n, int32_t* out, int64_t ld) {
    constexpr int ROWS = 4, QUERIES = QUERIES_AT_ONCE;
    const int64_t ahead = fetch_ahead(ROWS * WORDS * 8);
    int64_t i = 0;
    for (; i + ROWS <= n; i += ROWS) {
        const uint64_t* row = rows + i * WORDS;
        __m512i sum[QUERIES][ROWS] = {};
        for (int64_t x = 0; x < WORDS; x += 8) {
            __m512i words[ROWS];
#pragma GCC unroll 4
            for (int r = 0; r < ROWS; ++r) {
                _mm_prefetch(reinterpret_cast<const char*>(row + r * WORDS + x) + ahead, _MM_HINT_T0);
                words[r] = in_register(row + r * WORDS + x);
            }
#pragma GCC unroll 4
            for (int j = 0; j < QUERIES; ++j) {
                const __m512i query = in_register(vectors + j * WORDS + x);
#pragma GCC unroll 4
                for (int r = 0; r < ROWS; ++r) {
                    sum[j][r] = _mm512_add_epi64(sum[j][r], _mm512_popcnt_epi64(_mm512_xor_si512(query, words[r])));
                }
            }
        }
        for (int j = 0; j < QUERIES; ++j) {
            _mm_storeu_si128(reinterpret_cast<__m128i*>(out + j * ld + i),
                             fold_four(sum[j][0], sum[j][1], sum[j][2], sum[j][3]));
        }
    }
    for (int j = 0; j < QUERIES; ++j) distances(vectors + j * WORDS, rows + i * WORDS, n - i, out + j * ld + i);
}

}  // namespace

const Kernel kernel_avx512{distances, tally, majority, distances_at_once};

}  // namespace cg::hdc
