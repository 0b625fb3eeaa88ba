#include "lanes_avx512.hpp"
#include "dense/wide.inl"
#include "transpose.hpp"

namespace cg::dense {
namespace {

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

void code_dots(const FineQuery& query, const uint8_t* codes, int64_t stride, int64_t begin, int64_t end, int64_t* out) {
    int64_t i = begin;
    for (; i + 8 <= end; i += 8) code_tile<8>(query, codes + i * stride, stride, out + i - begin);
    for (; i < end; ++i) code_tile<1>(query, codes + i * stride, stride, out + i - begin);
}

// Sixteen rows of 64 codes to sixteen vectors of four codes of each row.
[[gnu::always_inline]] inline void interleave(const uint8_t* const* row, int64_t x, uint8_t* to) {
    __m512i codes[16];
#pragma GCC unroll 16
    for (int r = 0; r < 16; ++r) codes[r] = _mm512_loadu_si512(row[r] + x);
    transpose(codes);
#pragma GCC unroll 16
    for (int t = 0; t < 16; ++t) _mm512_storeu_si512(to + 64 * t, codes[t]);
}

// Sixteen rows, a lane each, by sixteen queries, each number of which reaches all lanes as the memory operand of the
// multiplication: one load and one multiplication per 64 products, and no sum across lanes.
[[gnu::noinline]] void coarse_dots(const uint8_t* rows, const int8_t* panel, int64_t steps, __m512i* sums) {
    __m512i sum[COARSE_GROUP];
#pragma GCC unroll 16
    for (int q = 0; q < COARSE_GROUP; ++q) sum[q] = sums[q];
    for (int64_t x = 0; x < steps; ++x, rows += 64, panel += 4 * COARSE_GROUP) {
        const __m512i row = _mm512_loadu_si512(rows);
#pragma GCC unroll 16
        for (int q = 0; q < COARSE_GROUP; ++q) {
            __asm__("vpdpbusd %2%{1to16%}, %1, %0"
                    : "+v"(sum[q])
                    : "v"(row), "m"(*reinterpret_cast<const int32_t*>(panel + 4 * q)));
        }
    }
#pragma GCC unroll 16
    for (int q = 0; q < COARSE_GROUP; ++q) sums[q] = sum[q];
}

void code_masks(const CoarseQueries& queries, const Codes& codes, int64_t begin, int64_t end, const float* thresholds,
                uint8_t* room, uint16_t* out, int64_t ld) {
    constexpr float TINY = 0x1p-126f;  // more than products that underflow may have lost
    constexpr int64_t AT_ONCE = 4 * COARSE_GROUP, CHUNK = 512;  // a chunk of 16 rows and of a group lie in L1
    for (int64_t i = begin; i < end; i += 16, ++out) {
        const int64_t count = end - i < 16 ? end - i : 16;
        const __mmask16 some = static_cast<__mmask16>((1u << count) - 1);
        const uint8_t* row[16];
        for (int64_t r = 0; r < 16; ++r) row[r] = codes.codes + (r < count ? i + r : end - 1) * codes.stride;
        for (int64_t x = 0; x < queries.padded; x += 64) interleave(row, x, room + 16 * x);
        const __m512 scale = _mm512_maskz_loadu_ps(some, codes.scale + i);
        const __m512 residual = _mm512_maskz_loadu_ps(some, codes.residual + i);
        const __m512 norm = _mm512_maskz_loadu_ps(some, codes.norm + i);
        for (int64_t j = 0; j < queries.q; j += AT_ONCE) {
            const int64_t here = queries.q - j < AT_ONCE ? queries.q - j : AT_ONCE;
            __m512i dots[AT_ONCE];
            for (int64_t l = 0; l < here; l += COARSE_GROUP) {
                for (int64_t t = 0; t < COARSE_GROUP; ++t) dots[l + t] = _mm512_setzero_si512();
            }
            for (int64_t x = 0; x < queries.padded; x += CHUNK) {
                const int64_t steps = (queries.padded - x < CHUNK ? queries.padded - x : CHUNK) / 4;
                for (int64_t l = 0; l < here; l += COARSE_GROUP) {
                    const int8_t* panel = queries.panels + (j + l) * queries.padded + x * COARSE_GROUP;
                    coarse_dots(room + 16 * x, panel, steps, dots + l);
                }
            }
            for (int64_t l = 0; l < here; ++l) {
                const __m512i dot = _mm512_sub_epi32(dots[l], _mm512_set1_epi32(128 * queries.sum[j + l]));
                const __m512 estimate = _mm512_mul_ps(_mm512_mul_ps(_mm512_cvtepi32_ps(dot), scale),
                                                      _mm512_set1_ps(queries.step[j + l]));
                __m512 error = _mm512_fmadd_ps(_mm512_set1_ps(queries.per_norm[j + l]), norm, _mm512_set1_ps(TINY));
                error = _mm512_fmadd_ps(_mm512_set1_ps(queries.per_residual[j + l]), residual, error);
                const __m512 bar = _mm512_set1_ps(thresholds[j + l]);
                out[(j + l) * ld] = _mm512_mask_cmp_ps_mask(some, _mm512_add_ps(estimate, error), bar, _CMP_NLT_UQ);
            }
        }
    }
}

// Four planes a row: and, VPOPCNTQ, add. A row of 2048 bits takes about as long as it comes from memory.
void sign_dots(const uint64_t* planes, const uint64_t* rows, int64_t words, int64_t begin, int64_t end, int32_t* out) {
    const __mmask8 first = words < 8 ? 0x0f : 0xff;  // 256 bits fill half a register
    for (int64_t i = begin; i < end; ++i) {
        const uint64_t* row = rows + i * words;
        __m512i sum[4];
        for (int p = 0; p < 4; ++p) sum[p] = _mm512_setzero_si512();
        for (int64_t w = 0; w < words; w += 8) {
            const __m512i bits = _mm512_maskz_loadu_epi64(first, row + w);
            _mm_prefetch(reinterpret_cast<const char*>(row + w + 8 * words), _MM_HINT_T0);
            for (int p = 0; p < 4; ++p) {
                const __m512i side = _mm512_maskz_loadu_epi64(first, planes + p * words + w);
                sum[p] = _mm512_add_epi64(sum[p], _mm512_popcnt_epi64(_mm512_and_si512(bits, side)));
            }
        }
        const __m512i low = _mm512_add_epi64(sum[0], _mm512_slli_epi64(sum[1], 1));
        const __m512i high = _mm512_add_epi64(sum[2], _mm512_slli_epi64(sum[3], 1));
        out[i - begin] = static_cast<int32_t>(_mm512_reduce_add_epi64(_mm512_add_epi64(low, _mm512_slli_epi64(high, 2))));
    }
}

}  // namespace

#ifdef CG_AMX
extern const TileKernel tiles_amx;  // amx.cpp
constexpr const TileKernel* TILES = &tiles_amx;
RoundedMasks rounded_masks_bf16;  // bf16.cpp
constexpr RoundedMasks* ROUNDED_MASKS = rounded_masks_bf16;
#else
constexpr const TileKernel* TILES = nullptr;
constexpr RoundedMasks* ROUNDED_MASKS = nullptr;
#endif

const Kernel kernel_avx512{scores, code_dots, BATCH_PRODUCTS, code_masks, sign_dots, ROUNDED_MASKS, TILES};

}  // namespace cg::dense
