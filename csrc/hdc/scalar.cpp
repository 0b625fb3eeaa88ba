// One word, one bit at a time.

#include "context_graph/hdc.hpp"

namespace cg::hdc {
namespace {

void distances(const uint64_t* one, const uint64_t* rows, int64_t n, int32_t* out) {
    for (int64_t i = 0; i < n; ++i) {
        int32_t sum = 0;
        for (int64_t w = 0; w < WORDS; ++w) sum += __builtin_popcountll(one[w] ^ rows[i * WORDS + w]);
        out[i] = sum;
    }
}

// A ripple-carry adder on 64 counts at once.
void tally(const uint64_t* rows, int64_t n, const Counts& counts) {
    for (int64_t i = 0; i < n; ++i) {
        for (int64_t w = 0; w < WORDS; ++w) {
            uint64_t carry = rows[i * WORDS + w];
            for (int64_t p = 0; p < counts.depth && carry; ++p) {
                uint64_t& plane = counts.planes[p * WORDS + w];
                const uint64_t both = plane & carry;
                plane ^= carry;
                carry = both;
            }
        }
    }
}

void majority(const Counts& counts, int64_t total, const uint64_t* tie, uint64_t* out) {
    for (int64_t bit = 0; bit < 64 * WORDS; ++bit) {
        const int64_t w = bit / 64, shift = bit % 64;
        int64_t count = 0;
        for (int64_t p = 0; p < counts.depth; ++p) count |= int64_t((counts.planes[p * WORDS + w] >> shift) & 1) << p;
        const uint64_t set = 2 * count == total ? (tie[w] >> shift) & 1 : 2 * count > total;
        out[w] = (out[w] & ~(uint64_t{1} << shift)) | (set << shift);
    }
}

}  // namespace

const Kernel kernel_scalar{distances, tally, majority};

}  // namespace cg::hdc
