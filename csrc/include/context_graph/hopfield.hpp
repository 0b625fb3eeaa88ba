#pragma once
// Modern Hopfield retrieval: a query moves to the softmax mixture of the patterns it resembles.

#include <cstdint>

#include "batch.hpp"
#include "dispatch.hpp"
#include "gpu.hpp"

namespace cg::hopfield {

// A row whose weight is below 2^-cutoff of the largest so far is not mixed in; with cutoff_of(n) all such rows
// together hold less than 2^-26 of the softmax.
int cutoff_of(int64_t n);

// Queries that `add_weighted_rows` serves at once.
inline constexpr int64_t QUERIES_PER_MIXTURE = 4;
inline constexpr int64_t MAX_BLOCK_ROWS = 256;

// Rows to mix for q <= QUERIES_PER_MIXTURE queries: sums[j] = factor[j] * sums[j] + sum over t of weights[t * q + j] * rows[t].
struct Mixture {
    const char* const* rows;
    const int32_t* places;  // where in the block each row lies
    int64_t count;
    const float* weights;
    int64_t q;
    const double* factor;
    double* sums[QUERIES_PER_MIXTURE];
};

// A batch of queries as sums of three numbers of bfloat16, the smallest part first: each part in panels as `RoundedQueries` has
// them, `part` numbers from one to the next.
struct SplitQueries {
    const uint16_t* panels;
    int64_t q, padded, part;
};

// What a processor with tiles (AMX) has for a batch over patterns of bfloat16; numbers below 2^-126 count as zero. At most
// MAX_TILE_BLOCK patterns at a time.
inline constexpr int64_t MAX_TILE_BLOCK = 256;
struct TileKernel {
    // out[j * ld + i - begin] = <query j, pattern i> for begin <= i < end. room: 32 * padded numbers.
    void (*scores)(const SplitQueries& queries, const Stored& patterns, int64_t begin, int64_t end, uint16_t* room, float* out,
                   int64_t ld);
    // sums[j * d + x] = factor[j] * sums[j * d + x] + sum over i of weights[j * ld + i - begin] * pattern i for q queries; a
    // weight is taken as the sum of two numbers of bfloat16. room: MAX_TILE_BLOCK * (32 + 2 * q rounded up to 16) numbers.
    void (*add_weighted)(const Stored& patterns, int64_t begin, int64_t end, const float* weights, int64_t ld, int64_t q,
                         const double* factor, double* sums, uint16_t* room);
};

// A backend. Queries arrive multiplied by beta * log2(e), so weights are powers of two of scores. All orders of
// addition depend on d and the row's place alone: neither batches nor threads change a bit, but for batches on tiles.
struct Kernel {
    // out[j * ld + i - begin] = <query j, pattern i> for begin <= i < end.
    void (*scores)(const float* const* queries, int64_t q, const Stored& patterns, int64_t begin, int64_t end,
                   float* out, int64_t ld);
    // The same for many queries.
    BatchProducts batch;
    // out[i - begin] = |pattern i|² for begin <= i < end.
    void (*squares)(const Stored& patterns, int64_t begin, int64_t end, float* out);
    // The largest of n > 0 scores.
    float (*max_score)(const float* scores, int64_t n);
    // scores become 2^(score - max_score), 0 below 2^-cutoff; returns their sum.
    double (*exponentiate)(float* scores, int64_t n, float max_score, int cutoff);
    // Mixes patterns of the block begin ... end - 1, at most MAX_BLOCK_ROWS, for each of n groups of queries; a single group of
    // one query may take its rows from anywhere.
    void (*add_weighted_rows)(const Stored& patterns, int64_t begin, int64_t end, const Mixture* mixtures, int64_t n);
    const TileKernel* tiles = nullptr;  // used where amx() says so
};
extern const Kernel kernel_scalar, kernel_avx2, kernel_avx512;
// The table of one of them, and of the one that best_isa() names; BackendUnavailable where it is not usable here.
const Kernel& kernel_of(Isa isa);
const Kernel& best_kernel();

// What a retrieval writes, one entry or row of d numbers a query.
struct Retrieved {
    float* output;
    float* lse;
    int64_t* steps;
    bool* converged;
    float* dropped;
};

// At most `steps` >= 1 updates of q queries (float32, row by row); a query stops when it moved by at most `tolerance`.
// mask: n bytes, 0 hides a pattern; may be null. shortlist: softmax over so many best scores only; 0 for all.
void retrieve(const Kernel& kernel, const float* queries, int64_t q, const Stored& patterns, double beta, int64_t steps,
              double tolerance, const uint8_t* mask, int64_t shortlist, const Retrieved& out, int threads);

// -lse / beta + |query|² / 2 + ln(n) / beta + M² / 2 with M the largest |pattern|; infinite where all are hidden.
void energy(const Kernel& kernel, const float* queries, int64_t q, const Stored& patterns, double beta,
            const uint8_t* mask, float* out, int threads);

#ifdef CG_HAS_CUDA
// The same on the current CUDA device, d <= 4096; every pointer may lie on the host or on the device. For `context` a
// cudaStream_t does. Without checks all steps run, though they change no query that has stopped.
void retrieve_cuda(const float* queries, int64_t q, const Stored& patterns, double beta, int64_t steps, double tolerance,
                   const uint8_t* mask, int64_t shortlist, const Retrieved& out, const gpu::Context& context = {});
void energy_cuda(const float* queries, int64_t q, const Stored& patterns, double beta, const uint8_t* mask, float* out,
                 const gpu::Context& context = {});
#endif

}  // namespace cg::hopfield
