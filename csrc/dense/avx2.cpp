#include "lanes_avx2.hpp"
#include "dense/wide.inl"

namespace cg::dense {
namespace {

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

void code_dots(const FineQuery& query, const uint8_t* codes, int64_t stride, int64_t begin, int64_t end, int64_t* out) {
    for (int64_t i = begin; i < end; ++i) out[i - begin] = code_dot(query, codes + i * stride) - 128 * query.sum;
}

// Bits of each byte are counted by looking up its halves; four planes make at most 8 * 15 a byte.
void sign_dots(const uint64_t* planes, const uint64_t* rows, int64_t words, int64_t begin, int64_t end, int32_t* out) {
    const __m256i counts = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2,
                                            3, 2, 3, 3, 4);
    const __m256i half = _mm256_set1_epi8(15);
    for (int64_t i = begin; i < end; ++i) {
        __m256i sum = _mm256_setzero_si256();
        for (int64_t w = 0; w < words; w += 4) {
            const __m256i row = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(rows + i * words + w));
            __m256i bytes = _mm256_setzero_si256();
            for (int plane = 3; plane >= 0; --plane) {
                const __m256i side = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(planes + plane * words + w));
                const __m256i set = _mm256_and_si256(row, side);
                const __m256i low = _mm256_shuffle_epi8(counts, _mm256_and_si256(set, half));
                const __m256i high = _mm256_shuffle_epi8(counts, _mm256_and_si256(_mm256_srli_epi16(set, 4), half));
                bytes = _mm256_add_epi8(_mm256_add_epi8(bytes, bytes), _mm256_add_epi8(low, high));
            }
            sum = _mm256_add_epi64(sum, _mm256_sad_epu8(bytes, _mm256_setzero_si256()));
        }
        const __m128i two = _mm_add_epi64(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
        out[i - begin] = static_cast<int32_t>(_mm_cvtsi128_si64(two) + _mm_extract_epi64(two, 1));
    }
}

}  // namespace

const Kernel kernel_avx2{scores, code_dots, BATCH_PRODUCTS, nullptr, sign_dots};

}  // namespace cg::dense
