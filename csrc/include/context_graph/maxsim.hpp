#pragma once
// Late interaction: for each query token the best document token, summed.

#include <cstdint>

#include "dense.hpp"

namespace cg::maxsim {

// Tokens are packed in blocks of 16: four dimensions of the 16 tokens side by side, then the next four, one byte each,
// 128 meaning zero. A lane of a vector is then a token, and a dot product needs no sum across lanes.
inline constexpr int64_t BLOCK = 16;
// 255 * 16256 * 512 still fits 32 bits.
inline constexpr int64_t MAX_DIM = 512;

// q query tokens in 15 bits, fine = 128 * high + low, each row padded with zeros to `padded`, a multiple of 4.
struct Query {
    int64_t q, padded;
    const int8_t* high;
    const int8_t* low;
    const int16_t* pairs;  // fine values of each group of four in the order 0 2 1 3
    const int32_t* bias;   // -128 * sum of fine
};

struct Kernel {
    // out[i * ld + t] = scale[t] * (float)(integer dot of query token i and token t), for whole blocks.
    void (*dots)(const Query& query, const uint8_t* blocks, const float* scale, int64_t count, float* out, int64_t ld);
    // best[i] = max(best[i], dots[i * ld + t] for from <= t < to).
    void (*fold)(const float* dots, int64_t ld, int64_t q, int64_t from, int64_t to, float* best);
};
extern const Kernel kernel_scalar, kernel_avx2, kernel_avx512;

// A token is a direction: codes / |codes|. scale[t] = 1 / |codes of t|, 0 for a token of zeros.
struct Packed {
    const uint8_t* blocks;
    const float* scale;
    const int64_t* offsets;  // document i owns tokens offsets[i] ... offsets[i + 1] - 1
    int64_t n, dim, padded;
};

// Writes tokens' codes (rows of int8) at positions first ... of the blocks, with their scales.
void pack(const int8_t* codes, int64_t tokens, int64_t dim, int64_t padded, int64_t first, uint8_t* blocks,
          float* scale);
void unpack(const uint8_t* blocks, int64_t first, int64_t tokens, int64_t dim, int64_t padded, int8_t* codes);
// codes = round(127 x / max |x|), row by row.
void encode(const float* tokens, int64_t count, int64_t dim, int8_t* codes);

// maxima (m, q) of documents ids[0 .. m), or of all documents where ids is null; -inf for an empty document.
void maxima_packed(const Kernel& kernel, const float* query, int64_t q, const Packed& packed, const int64_t* ids,
                   int64_t m, float* out, int threads);

// The same over plain float rows.
void maxima(const Kernel& kernel, const dense::Kernel& values, const dense::Queries& query, const dense::Rows& tokens,
            const int64_t* offsets, int64_t n, float* out, int threads);

// out[j] = sum over i of weights[i] * maxima[j * q + i], in order of i; -inf stays.
void weigh(const float* maxima, int64_t m, int64_t q, const float* weights, float* out);

// The same on the current CUDA device; every pointer may lie on the host or on the device. stream is a cudaStream_t.
void maxima_packed_cuda(const float* query, int64_t q, const Packed& packed, const int64_t* ids, int64_t m, float* out,
                        void* stream = nullptr);
void maxima_cuda(const dense::Queries& query, const dense::Rows& tokens, const int64_t* offsets, int64_t n, float* out,
                 void* stream = nullptr);

}  // namespace cg::maxsim
