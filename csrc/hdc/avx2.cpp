// No vector popcount here: each half byte looks its count up in a register (VPSHUFB), counts add up in bytes. Forty
// steps of at most 8 would overflow a byte, so the byte sums are gathered twice a row.

#include <immintrin.h>

#include "context_graph/cpu.hpp"
#include "context_graph/hdc.hpp"

#define CG_LANES 4

namespace cg::hdc {
namespace {

#include "sliced.inl"

void distances(const uint64_t* one, const uint64_t* rows, int64_t n, int32_t* out) {
    const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
                                           0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i half = _mm256_set1_epi8(15), zero = _mm256_setzero_si256();
    const int64_t ahead = fetch_ahead(4 * WORDS * 8);
    for (int64_t i = 0; i < n; ++i) {
        const uint64_t* row = rows + i * WORDS;
        __m256i sum = zero;
        for (int64_t part = 0; part < WORDS; part += WORDS / 2) {
            __m256i bytes = zero;
            for (int64_t w = part; w < part + WORDS / 2; w += 4) {
                _mm_prefetch(reinterpret_cast<const char*>(row + w) + ahead, _MM_HINT_T0);
                const __m256i bits = _mm256_xor_si256(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(one + w)),
                                                      _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row + w)));
                const __m256i low = _mm256_shuffle_epi8(table, _mm256_and_si256(bits, half));
                const __m256i high = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(bits, 4), half));
                bytes = _mm256_add_epi8(bytes, _mm256_add_epi8(low, high));
            }
            sum = _mm256_add_epi64(sum, _mm256_sad_epu8(bytes, zero));
        }
        const __m128i two = _mm_add_epi64(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
        out[i] = static_cast<int32_t>(_mm_cvtsi128_si64(two) + _mm_extract_epi64(two, 1));
    }
}

}  // namespace

const Kernel kernel_avx2{distances, tally, majority};

}  // namespace cg::hdc
