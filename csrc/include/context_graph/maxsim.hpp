#pragma once
// Late interaction: for each query token the best document token, summed.

#include <cstdint>

#include "dense.hpp"
#include "dispatch.hpp"
#include "gpu.hpp"

namespace cg::maxsim {

// Tokens are packed in blocks of 16: four dimensions of the 16 tokens side by side, then the next four, one byte each,
// 128 meaning zero. A lane of a vector is then a token, and a dot product needs no sum across lanes.
inline constexpr int64_t BLOCK = 16;
// 255 * 16256 * 512 still fits 32 bits.
inline constexpr int64_t MAX_DIM = 512;

// q query tokens in 15 bits, fine = 128 * high + low, each row padded with zeros to `padded`, a multiple of 4. Rows of zeros
// make their number in `high` and `low` a multiple of 16. A null `low` stands for zeros: a query in 8 bits.
struct Query {
    int64_t q, padded;
    const int8_t* high;
    const int8_t* low;
    const int16_t* pairs;  // fine values of each group of four in the order 0 2 1 3
    const int32_t* bias;   // -128 * sum of fine
};

// Float query tokens, PANEL side by side, dimension after dimension; the last panel is padded with zeros.
inline constexpr int64_t PANEL = 16;
struct Panels {
    int64_t count;
    const float* data;
};
// So many products are summed before their sum joins the others: a long dot product loses less.
inline constexpr int64_t CHUNK = 128;
// As many tokens as `values` wants room for, in float32.
inline constexpr int64_t ROOM = 8;

// out[i * ld + t] = scale[t] * (float)(integer dot of query token i and token t), for `count` whole blocks.
using Dots = void(const Query& query, const uint8_t* blocks, const float* scale, int64_t count, float* out, int64_t ld);

struct Packed;

// The same numbers by a processor with tiles (AMX).
struct TileKernel {
    // As Dots; meanwhile the blocks from `next` on, as many, are asked for from memory.
    void (*dots)(const Query& query, const uint8_t* blocks, const float* scale, int64_t count, const uint8_t* next,
                 float* out, int64_t ld);
    // best[(doc - begin) * q + i] = the largest for query token i and a token of document doc, -inf without a token.
    void (*maxima)(const Query& query, const Packed& packed, int64_t begin, int64_t end, float* best);
};

struct Kernel {
    Dots* dots;
    // best[i] = max(best[i], dots[i * ld + t] for from <= t < to).
    void (*fold)(const float* dots, int64_t ld, int64_t q, int64_t from, int64_t to, float* best);
    // best[i] = max(best[i], <query token i, token t> for from <= t < to), for whole panels. The order of a dot product
    // depends on d alone. False where one is not finite.
    bool (*values)(const Panels& query, const dense::Rows& tokens, int64_t from, int64_t to, float* room, float* best);
    // Which of `count` dot products are at least `least`: their places in rising order, and how many they are.
    int64_t (*hits)(const float* dots, int64_t count, float least, int32_t* out);
    // <query token, token t> of d numbers, summed in an order of its own.
    float (*dot)(const float* query, const dense::Rows& tokens, int64_t t);
    // `dots` take half the time for a query in 8 bits.
    bool halves;
    const TileKernel* tiles = nullptr;  // used where amx() says so
};
extern const Kernel kernel_scalar, kernel_avx2, kernel_avx512;
// The table of one of them, and of the one that best_isa() names; BackendUnavailable where it is not usable here.
const Kernel& kernel_of(Isa isa);
const Kernel& best_kernel();

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
void maxima(const Kernel& kernel, const dense::Queries& query, const dense::Rows& tokens, const int64_t* offsets, int64_t n,
            float* out, int threads);

// Float tokens (f32 or f16) of the documents of `Packed`, whose scale then says what a code means: token = scale * code + rest.
// Of each document the largest |rest| and |scale * code|, or a little more.
struct FloatTokens {
    dense::Rows tokens;
    const float* residual;
    const float* norm;
};

// Fills scale, residual and norm for n documents whose tokens and codes lie one after another.
void token_bounds(const float* tokens, const int8_t* codes, const int64_t* lengths, int64_t n, int64_t dim,
                  float* scale, float* residual, float* norm);

// The k documents with the best `weighted_sum` of `maxima`, with its bits, ties to the lowest id; empty and hidden ones (mask 0) are
// left out. Reads all codes, some tokens of some documents, and all tokens of those that can still be among the best: returns
// how many these are.
int64_t search(const Kernel& kernel, const dense::Queries& query, const Packed& packed, const FloatTokens& kept,
               const float* weights, int64_t k, const uint8_t* mask, float* scores, int64_t* ids, int threads);

// out[j] = sum over i of weights[i] * maxima[j * q + i], in order of i; -inf stays.
void weighted_sum(const float* maxima, int64_t m, int64_t q, const float* weights, float* out);

// The same on the current CUDA device; every pointer may lie on the host or on the device. For `context` a cudaStream_t does.
void maxima_packed_cuda(const float* query, int64_t q, const Packed& packed, const int64_t* ids, int64_t m, float* out,
                        const gpu::Context& context = {});
void maxima_cuda(const dense::Queries& query, const dense::Rows& tokens, const int64_t* offsets, int64_t n, float* out,
                 const gpu::Context& context = {});
void weighted_sum_cuda(const float* maxima, int64_t m, int64_t q, const float* weights, float* out,
                       const gpu::Context& context = {});

}  // namespace cg::maxsim
