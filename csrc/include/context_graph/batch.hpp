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

}  // namespace cg
