// The query waits in twenty registers; each row is xor, VPOPCNTQ, add, once a cache line, and memory is the bound:
// 1,280 bytes a row.

#include <immintrin.h>

#include "context_graph/hdc.hpp"

#define CG_LANES 8

namespace cg::hdc {
namespace {

#include "sliced.inl"

void distances(const uint64_t* one, const uint64_t* rows, int64_t n, int32_t* out) {
    __m512i query[20];
    for (int x = 0; x < 20; ++x) query[x] = _mm512_loadu_si512(one + 8 * x);
    for (int64_t i = 0; i < n; ++i) {
        const uint64_t* row = rows + i * WORDS;
        __m512i even = _mm512_setzero_si512(), odd = even;
        for (int x = 0; x < 20; x += 2) {
            _mm_prefetch(reinterpret_cast<const char*>(row + 4 * WORDS + 8 * x), _MM_HINT_T0);
            _mm_prefetch(reinterpret_cast<const char*>(row + 4 * WORDS + 8 * x + 8), _MM_HINT_T0);
            const __m512i a = _mm512_xor_si512(query[x], _mm512_loadu_si512(row + 8 * x));
            const __m512i b = _mm512_xor_si512(query[x + 1], _mm512_loadu_si512(row + 8 * x + 8));
            even = _mm512_add_epi64(even, _mm512_popcnt_epi64(a));
            odd = _mm512_add_epi64(odd, _mm512_popcnt_epi64(b));
        }
        out[i] = static_cast<int32_t>(_mm512_reduce_add_epi64(_mm512_add_epi64(even, odd)));
    }
}

}  // namespace

const Kernel kernel_avx512{distances, tally, majority};

}  // namespace cg::hdc
