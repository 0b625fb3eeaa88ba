#pragma once
// Inner products of a batch of queries, packed once in the order a register-blocked product reads them.

#include <cstdint>

#include "stored.hpp"

namespace cg {

// Groups of `wide` queries: `lanes` numbers of each, then the next numbers of each; zeros fill up both.
struct Panels {
    const float* data;
    int64_t q, d;
};

// What a backend offers for batches; one without has wide == 0.
struct BatchProducts {
    int64_t wide = 0, lanes = 0;
    // out[j * ld + i - begin] = <query j, row i> for begin <= i < end, with the bits of one query alone.
    void (*run)(const Panels& queries, const Stored& rows, int64_t begin, int64_t end, float* out,
                int64_t ld) = nullptr;
};

// A batch of queries rounded to bfloat16, for tiles and VDPBF16PS: groups of QUERY_GROUP, two numbers of each query side by side, then the
// next two. Padded with zeros to whole groups and to a multiple of 32 numbers.
inline constexpr int64_t QUERY_GROUP = 16;
struct RoundedQueries {
    const uint16_t* panels;
    int64_t q, padded;
    const float* per_norm;  // what rounding may add to the product with a row of norm 1
    const float* smallest;  // and to that with any row, as numbers below 2^-126 count as zero
};
// From so many queries on.
inline constexpr int64_t MIN_TILE_QUERIES = 12;

}  // namespace cg
