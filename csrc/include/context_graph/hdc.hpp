#pragma once
// Binary hypervectors of 10,000 bits: xor binds, majority bundles, Hamming distance compares.

#include <cstdint>

#include "dispatch.hpp"
#include "gpu.hpp"

namespace cg::hdc {

inline constexpr int64_t BITS = 10000;
inline constexpr int64_t WORDS = 160;  // 20 cache lines; bit i is bit i % 64 of word i / 64, bits past 9,999 are 0
inline constexpr int32_t BEYOND = BITS + 1;  // a distance no vector has: pads a search

inline constexpr int64_t QUERIES_AT_ONCE = 4;

// Counts per bit, sliced: plane p holds bit p of all 10,240 counts.
struct Counts {
    uint64_t* planes;
    int64_t depth;  // at least 4, enough for all that is tallied
};

struct Kernel {
    // out[i] = number of differing bits of one vector and row i.
    void (*distances)(const uint64_t* one, const uint64_t* rows, int64_t n, int32_t* out);
    // Adds every bit of n rows to its count.
    void (*tally)(const uint64_t* rows, int64_t n, const Counts& counts);
    // Bit set where 2 * count > total; equal takes the tie vector's bit.
    void (*majority)(const Counts& counts, int64_t total, const uint64_t* tie, uint64_t* out);
    // distances of QUERIES_AT_ONCE vectors, those of vector j at out + j * ld; null where one at a time is as fast.
    void (*distances_at_once)(const uint64_t* vectors, const uint64_t* rows, int64_t n, int32_t* out, int64_t ld) = nullptr;
};
extern const Kernel kernel_scalar, kernel_avx2, kernel_avx512;
// The table of one of them, and of the one that best_isa() names; BackendUnavailable where it is not usable here.
const Kernel& kernel_of(Isa isa);
const Kernel& best_kernel();

// The vector of a symbol: word w is mix(key(symbol, seed) + (w + 1) * 0x9e3779b97f4a7c15), a counter through
// SplitMix64's finaliser; key(symbol, seed) = mix(symbol ^ mix(seed)).
void item(uint64_t symbol, uint64_t seed, uint64_t* out);
// What majority takes where votes are even: the item of no symbol, key ~mix(seed).
void tie(uint64_t seed, uint64_t* out);
// Bit i goes to bit (i + by) mod 10,000.
void permute(const uint64_t* in, int64_t by, uint64_t* out);

void bundle(const Kernel& kernel, const uint64_t* rows, int64_t n, uint64_t seed, uint64_t* out);

// Document i is symbols offsets[i] ... offsets[i + 1] - 1, as the majority of its n-grams
// permute(x_0, n - 1) ^ ... ^ permute(x_{n-1}, 0); a shorter document is one shorter gram.
void encode(const Kernel& kernel, const uint64_t* symbols, const int64_t* offsets, int64_t n, int64_t ngram,
            uint64_t seed, uint64_t* out, int threads);

void distances(const Kernel& kernel, const uint64_t* queries, int64_t q, const uint64_t* rows, int64_t n,
               int32_t* out, int threads);

// The k nearest rows: distances (q, k) and ids (q, k), ties to the lowest id, padded with BEYOND and -1.
void search(const Kernel& kernel, const uint64_t* queries, int64_t q, const uint64_t* rows, int64_t n, int64_t k,
            const uint8_t* mask, int32_t* distances, int64_t* ids, int threads);

// The same on the current CUDA device; every pointer may lie on the host or on the device, 16-byte aligned there. For
// `context` a cudaStream_t does. `tie` is what the function of that name gives.
void hamming_cuda(const uint64_t* x, const uint64_t* y, int64_t n, int32_t* out, const gpu::Context& context = {});
void distances_cuda(const uint64_t* queries, int64_t q, const uint64_t* rows, int64_t n, int32_t* out,
                    const gpu::Context& context = {});
void search_cuda(const uint64_t* queries, int64_t q, const uint64_t* rows, int64_t n, int64_t k, const uint8_t* mask,
                 int32_t* distances, int64_t* ids, const gpu::Context& context = {});
// What `tie` gives, to memory of the device; the host does not wait.
void tie_cuda(uint64_t seed, uint64_t* out, const gpu::Context& context = {});
void bundle_cuda(const uint64_t* rows, int64_t n, const uint64_t* tie, uint64_t* out, const gpu::Context& context = {});
// Exclusive or of matching vectors; where of_x or of_y is 1, of that one with each of the other's.
void bind_cuda(const uint64_t* x, int64_t of_x, const uint64_t* y, int64_t of_y, uint64_t* out, const gpu::Context& context = {});
void permute_cuda(const uint64_t* rows, int64_t n, int64_t by, uint64_t* out, const gpu::Context& context = {});
// A document has fewer than 2^24 symbols. Offsets on the device are checked there, and need the number of symbols.
void encode_cuda(const uint64_t* symbols, const int64_t* offsets, int64_t n, int64_t ngram, uint64_t seed, const uint64_t* tie,
                 uint64_t* out, const gpu::Context& context = {}, int64_t count = -1);

}  // namespace cg::hdc
