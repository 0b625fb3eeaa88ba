#pragma once
// Scans as parts of another call.

#include "../csrc/include/context_graph/dense.hpp"
#include "memory.cuh"

namespace cg::dense {

// As `topk_cuda` and `scores_cuda`, in the stream of `work` and without its end.
void topk(cuda::Work& work, const Queries& queries, const Rows& rows, int64_t k, const uint8_t* mask, float* scores, int64_t* ids);
void scores(cuda::Work& work, const Queries& queries, const Rows& rows, float* out);

}  // namespace cg::dense
