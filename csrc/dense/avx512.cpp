#include "lanes_avx512.hpp"
#include "dense/wide.inl"
#include "word_products.hpp"

namespace cg::dense {
namespace {

// The codes are unsigned, the query signed: VPDPBUSD takes them as they are, 64 products an instruction. Row after row, as they
// lie: several at a time are read more slowly.
[[gnu::always_inline]] inline int64_t code_dot(const FineQuery& query, const uint8_t* codes, int64_t ahead) {
    __m512i high = _mm512_setzero_si512(), low = high;
    for (int64_t x = 0; x < query.padded; x += 64) {
        const __m512i code = _mm512_loadu_si512(codes + x);
        _mm_prefetch(reinterpret_cast<const char*>(codes + x + ahead), _MM_HINT_T0);
        high = _mm512_dpbusd_epi32(high, code, _mm512_loadu_si512(query.high + x));
        low = _mm512_dpbusd_epi32(low, code, _mm512_loadu_si512(query.low + x));
    }
    return 128 * int64_t{_mm512_reduce_add_epi32(high)} + _mm512_reduce_add_epi32(low) - 128 * query.sum;
}

// The sums of sixteen vectors, each in its place.
[[gnu::always_inline]] inline __m512i fold_sixteen(__m512i (&sums)[16]) {
    __m512i of_four[4], of_eight[2];
#pragma GCC unroll 4
    for (int r = 0; r < 4; ++r) {
        const auto both = [](__m512i a, __m512i b) __attribute__((always_inline)) {
            return _mm512_add_epi32(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
        };
        const __m512i first = both(sums[4 * r], sums[4 * r + 1]), second = both(sums[4 * r + 2], sums[4 * r + 3]);
        of_four[r] = _mm512_add_epi32(_mm512_unpacklo_epi64(first, second), _mm512_unpackhi_epi64(first, second));
    }
    const auto quarters = [](__m512i a, __m512i b) __attribute__((always_inline)) {
        return _mm512_add_epi32(_mm512_shuffle_i32x4(a, b, 0x88), _mm512_shuffle_i32x4(a, b, 0xdd));
    };
    for (int r = 0; r < 2; ++r) of_eight[r] = quarters(of_four[2 * r], of_four[2 * r + 1]);
    return quarters(of_eight[0], of_eight[1]);
}

constexpr int64_t MAX_SHORT_CODE = 256;  // up to which sums of 15 bits times 8 stay inside 31

// Short rows: sixteen at a time, for adding up the parts of a sum takes longer than the products.
[[gnu::always_inline]] inline void short_code_dots(const FineQuery& query, const uint8_t* codes, int64_t stride, int64_t ahead,
                                               int64_t* out) {
    __m512i sums[16];
#pragma GCC unroll 16
    for (int r = 0; r < 16; ++r) {
        __m512i high = _mm512_setzero_si512(), low = high;
        for (int64_t x = 0; x < query.padded; x += 64) {
            const __m512i code = _mm512_loadu_si512(codes + r * stride + x);
            _mm_prefetch(reinterpret_cast<const char*>(codes + r * stride + x + ahead), _MM_HINT_T0);
            high = _mm512_dpbusd_epi32(high, code, _mm512_loadu_si512(query.high + x));
            low = _mm512_dpbusd_epi32(low, code, _mm512_loadu_si512(query.low + x));
        }
        sums[r] = _mm512_add_epi32(_mm512_slli_epi32(high, 7), low);
    }
    const __m512i dots = _mm512_sub_epi32(fold_sixteen(sums), _mm512_set1_epi32(static_cast<int>(128 * query.sum)));
    _mm512_storeu_si512(out, _mm512_cvtepi32_epi64(_mm512_castsi512_si256(dots)));
    _mm512_storeu_si512(out + 8, _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64(dots, 1)));
}

void code_dots(const FineQuery& query, const uint8_t* codes, int64_t stride, int64_t begin, int64_t end, int64_t* out) {
    const int64_t ahead = fetch_ahead(query.padded <= MAX_SHORT_CODE ? 4096 : 2048);
    int64_t i = begin;
    if (query.padded <= MAX_SHORT_CODE) {
        for (; i + 16 <= end; i += 16) short_code_dots(query, codes + i * stride, stride, ahead, out + i - begin);
    }
    for (; i < end; ++i) out[i - begin] = code_dot(query, codes + i * stride, ahead);
}

struct CodeMultiplier {
    using Sums = __m512i;
    static Sums zero() { return _mm512_setzero_si512(); }
    // In place: GCC 12 copies every sum around the loop otherwise.
    [[gnu::always_inline]] static void add(Sums& sum, __m512i codes, __m512i query) {
        __asm__("vpdpbusd %2, %1, %0" : "+v"(sum) : "v"(codes), "v"(query));
    }
};

// Rows i ... i + 15, the one before `end` again behind it: four codes of each row, then the next four.
[[gnu::always_inline]] inline void interleave(const Codes& codes, int64_t i, int64_t end, int64_t padded, uint8_t* to) {
    const uint8_t* row[16];
    for (int64_t r = 0; r < 16; ++r) row[r] = codes.codes + (i + r < end ? i + r : end - 1) * codes.stride;
    for (int64_t x = 0; x < padded; x += 64, to += 1024) {
        __m512i words[16];
#pragma GCC unroll 16
        for (int r = 0; r < 16; ++r) words[r] = _mm512_loadu_si512(row[r] + x);
        transpose(words);
#pragma GCC unroll 16
        for (int t = 0; t < 16; ++t) _mm512_storeu_si512(to + 64 * t, words[t]);
    }
}

template <int V>
[[gnu::always_inline]] inline void code_block(const CoarseQueries& queries, const Codes& codes, int64_t i, int64_t end,
                                              const float* thresholds, uint8_t* room, uint16_t* out, int64_t ld) {
    constexpr float TINY = 0x1p-126f;  // more than products that underflow may have lost
    __m512 scale[V], residual[V], norm[V];
    __mmask16 some[V];
    for (int v = 0; v < V; ++v) {
        const int64_t first = i + v * VECTOR_ROWS;
        interleave(codes, first, end, queries.padded, room + v * VECTOR_ROWS * queries.padded);
        some[v] = those_of(end, first);
        scale[v] = _mm512_maskz_loadu_ps(some[v], codes.scale + first);
        residual[v] = _mm512_maskz_loadu_ps(some[v], codes.residual + first);
        norm[v] = _mm512_maskz_loadu_ps(some[v], codes.norm + first);
    }
    const char* behind = reinterpret_cast<const char*>(codes.codes + (i + V * VECTOR_ROWS) * codes.stride);
    const WordPanels panels{queries.panels, queries.q, queries.padded / 4};
    each_product<CodeMultiplier, V>(panels, room, {behind, V * VECTOR_ROWS * codes.stride},
                                    [&](int64_t j, int v, __m512i products) __attribute__((always_inline)) {
        const __m512i dot = _mm512_sub_epi32(products, _mm512_set1_epi32(128 * queries.sum[j]));
        const __m512 estimate = _mm512_mul_ps(_mm512_mul_ps(_mm512_cvtepi32_ps(dot), scale[v]), _mm512_set1_ps(queries.step[j]));
        __m512 error = _mm512_fmadd_ps(_mm512_set1_ps(queries.per_norm[j]), norm[v], _mm512_set1_ps(TINY));
        error = _mm512_fmadd_ps(_mm512_set1_ps(queries.per_residual[j]), residual[v], error);
        out[j * ld + v] = _mm512_mask_cmp_ps_mask(some[v], _mm512_add_ps(estimate, error), _mm512_set1_ps(thresholds[j]), _CMP_NLT_UQ);
    });
}

void code_masks(const CoarseQueries& queries, const Codes& codes, int64_t begin, int64_t end, const float* thresholds,
                uint8_t* room, uint16_t* out, int64_t ld) {
    int64_t i = begin;
    for (; i + VECTOR_ROWS < end; i += BLOCK_ROWS, out += 2) code_block<2>(queries, codes, i, end, thresholds, room, out, ld);
    if (i < end) code_block<1>(queries, codes, i, end, thresholds, room, out, ld);
}

// Four planes a row: and, VPOPCNTQ, add. A row of 2048 bits takes about as long as it comes from memory.
void sign_dots(const uint64_t* planes, const uint64_t* rows, int64_t words, int64_t begin, int64_t end, int32_t* out) {
    const int64_t ahead = fetch_ahead(8 * words * 8);
    const __mmask8 first = words < 8 ? 0x0f : 0xff;  // 256 bits fill half a register
    for (int64_t i = begin; i < end; ++i) {
        const uint64_t* row = rows + i * words;
        __m512i sum[4];
        for (int p = 0; p < 4; ++p) sum[p] = _mm512_setzero_si512();
        for (int64_t w = 0; w < words; w += 8) {
            const __m512i bits = _mm512_maskz_loadu_epi64(first, row + w);
            _mm_prefetch(reinterpret_cast<const char*>(row + w) + ahead, _MM_HINT_T0);
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
