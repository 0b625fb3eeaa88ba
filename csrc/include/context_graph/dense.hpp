#pragma once
// Inner products of queries with many rows, and the k best of them.

#include <cstdint>

#include "batch.hpp"
#include "dispatch.hpp"
#include "gpu.hpp"

namespace cg::dense {

using Element = Width;

// n rows of d elements, `stride` bytes apart. i8 rows mean their integers, times scale[i] where scale is given.
struct Rows {
    const void* data;
    Element element;
    int64_t n, d, stride;
    const float* scale = nullptr;

    [[gnu::always_inline]] const char* row(int64_t i) const { return static_cast<const char*>(data) + i * stride; }
    [[gnu::always_inline]] Stored stored() const { return {data, element, n, d, stride}; }
};

struct Queries {
    const float* data;
    int64_t q, d;

    [[gnu::always_inline]] const float* row(int64_t j) const { return data + j * d; }
};

// out[j * ld + i - begin] = <query j, row i> for rows begin <= i < end.
// The order of a dot product depends on d alone, so its bits do not change with blocks, batches or threads.
using Scores = void(const Queries& queries, const Rows& rows, int64_t begin, int64_t end, float* out, int64_t ld);

// A query in 15 bits: value = step * fine, fine = 128 * high + low. Padded with zeros to a multiple of 64.
struct FineQuery {
    const int16_t* fine;
    const int8_t* high;
    const int8_t* low;
    int64_t padded;
    int64_t sum;  // of fine
};

// d <= 8192 keeps every sum of a code scan inside 32 bits.
inline constexpr int64_t MAX_CODED_DIM = 8192;

// out[i - begin] = sum over d of fine * (code - 128), in integers: the same on every backend.
// Codes are rows of bytes, 128 meaning zero, readable up to query.padded.
using CodeDots = void(const FineQuery& query, const uint8_t* codes, int64_t stride, int64_t begin, int64_t end,
                      int64_t* out);

// Rows beside their 8-bit codes: row = scale * (code - 128) + rest, |rest| <= residual, |scale * (code - 128)| <= norm.
struct Codes {
    const uint8_t* codes;
    int64_t stride;
    const float* scale;
    const float* residual;
    const float* norm;
};

// A batch of queries in 8 bits, value = step * coarse: groups of COARSE_GROUP, four numbers of each query side by side,
// then the next four. Padded with zeros to whole groups and to a multiple of 64 numbers.
inline constexpr int64_t COARSE_GROUP = QUERY_GROUP;
struct CoarseQueries {
    const int8_t* panels;
    int64_t q, padded;
    const int32_t* sum;  // of a query's coarse numbers
    const float* step;
    const float* per_residual;  // what a row's residual and norm may add to its score
    const float* per_norm;
};

// Bit r of out[j * ld + b] is set unless row begin + 16 b + r scores below thresholds[j] for sure.
// room: 32 * padded bytes.
using CodeMasks = void(const CoarseQueries& queries, const Codes& codes, int64_t begin, int64_t end,
                       const float* thresholds, uint8_t* room, uint16_t* out, int64_t ld);

// As CodeMasks, with rows of floats that are rounded to bfloat16 on the way. room: 32 * padded numbers.
using RoundedMasks = void(const RoundedQueries& queries, const Rows& rows, int64_t begin, int64_t end,
                          const float* thresholds, uint16_t* room, uint16_t* out, int64_t ld);

// What a processor with tiles (AMX) has for batches.
struct TileKernel {
    CodeMasks* code_masks;
    RoundedMasks* rounded_masks;
};

// out[i - begin] = sum of 0..15 numbers of a query where row i has a bit: plane p of four holds bit p of each number, planes
// and rows are `words` words of 64 bits. In integers: the same on every backend.
using SignDots = void(const uint64_t* planes, const uint64_t* rows, int64_t words, int64_t begin, int64_t end,
                      int32_t* out);

// A backend: how it scans values and codes, and both for a batch, where it has a way; the batch of values leaves out the
// rows' scale.
struct Kernel {
    Scores* scores;
    CodeDots* code_dots;
    BatchProducts batch;
    CodeMasks* code_masks = nullptr;
    SignDots* sign_dots = nullptr;
    RoundedMasks* rounded_masks = nullptr;  // used where bfloat16() says so
    const TileKernel* tiles = nullptr;      // instead of those above where amx() says so
};
extern const Kernel kernel_scalar, kernel_avx2, kernel_avx512;
// The table of one of them, and of the one that best_isa() names; BackendUnavailable where it is not usable here.
const Kernel& kernel_of(Isa isa);
const Kernel& best_kernel();

// All scores, (q, n) row by row.
void scores_all(const Kernel& kernel, const Queries& queries, const Rows& rows, float* out, int threads);

// The k best rows of each query: scores (q, k) and ids (q, k), best first, ties to the lowest id, padded with
// -inf and -1. mask: n bytes, 0 hides a row; may be null.
void topk(const Kernel& kernel, const Queries& queries, const Rows& rows, int64_t k, const uint8_t* mask,
          float* scores, int64_t* ids, int threads);

// The same by products of numbers rounded to bfloat16 first, and then of the rows that can still be among the best. The answer
// is topk's, bit by bit. For a batch of at least MIN_TILE_QUERIES and rows of floats.
void topk_rounded(const Kernel& kernel, RoundedMasks* rounded_masks, const Queries& queries, const Rows& rows, int64_t k,
                  const uint8_t* mask, float* scores, int64_t* ids, int threads);

// The same on the current CUDA device; every pointer may lie on the host or on the device. For `context` a cudaStream_t does.
// d <= 12288. Hidden rows are not looked at.
void scores_cuda(const Queries& queries, const Rows& rows, float* out, const gpu::Context& context = {});
void topk_cuda(const Queries& queries, const Rows& rows, int64_t k, const uint8_t* mask, float* scores, int64_t* ids,
               const gpu::Context& context = {});

// Fills codes and bounds for rows (f32 or f16).
void encode(const Rows& rows, uint8_t* codes, int64_t stride, float* scale, float* residual, float* norm);

// As topk, reading codes first and only the rows that can still be among the best. The answer is topk's, bit by bit.
// Returns how many rows were read in full.
int64_t topk_screened(const Kernel& kernel, const Queries& queries, const Rows& rows, const Codes& codes, int64_t k,
                      const uint8_t* mask, float* scores, int64_t* ids, int threads);

// Rows beside the signs of their rotated numbers, rotated_dim(d) bits each, and how to weigh these: |row|^2 over the sum of
// the rotated row's absolute values, and the number of its bits that are set.
struct Signs {
    const uint64_t* bits;
    const float* factor;
    const float* ones;
};
// The power of two from 256 on that holds d numbers: what a row is padded to and rotated in.
int64_t rotated_dim(int64_t d);
// Fills them for rows (f32, f16 or bf16): rotated_dim(d) / 64 words a row.
void encode_signs(const Rows& rows, uint64_t* bits, float* factor, float* ones);

// As topk among the `candidates` rows (at least k) that the signs call the most promising. Not exact: a row may be missed;
// what is found has topk's scores, and with candidates >= n it is topk.
void topk_prefiltered(const Kernel& kernel, const Queries& queries, const Rows& rows, const Signs& signs, int64_t k,
                      int64_t candidates, const uint8_t* mask, float* scores, int64_t* ids, int threads);

}  // namespace cg::dense
