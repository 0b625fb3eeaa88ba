// The last step of every selection, where keys are few and latency is the bound; and the k best of scores that are there.

#include <cuda_runtime.h>

#include "../csrc/include/context_graph/gpu.hpp"
#include "memory.cuh"
#include "select.cuh"

using namespace cg::device;

// Each lane walks down a list of its own for as long as some lane's next key beats the warp's k-th; then the warps' queues
// are joined.
extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_select_merge(const uint64_t* best, int lists, int k, int first, int ld, float* scores, long long* ids,
                    uint64_t* below) {
    const uint64_t* mine = best + static_cast<long long>(blockIdx.x) * lists * k;
    const int lane = lane_of();
    Queue queue(k);
    for (int from = warp_of() * WARP; from < lists; from += BLOCK) {
        const int list = from + lane;
        for (int e = 0; e < k; ++e) {
            const uint64_t key = list < lists ? mine[static_cast<long long>(list) * k + e] : 0;
            if (!__any_sync(ALL, key > queue.worst)) break;  // lists descend
            queue.offer_each(key, lane);
        }
    }
    const long long line = static_cast<long long>(blockIdx.x) * ld + first;
    join_queues(queue, k, [&](int rank, uint64_t key) {
        scores[line + rank] = key == 0 ? -INFINITY : score_of(key);
        ids[line + rank] = key == 0 ? -1 : static_cast<long long>(0xffffffffu - static_cast<uint32_t>(key));
        if (rank == k - 1) below[blockIdx.x] = key;
    });
}

// A lane a score: memory is the bound, 4 bytes a score. -inf and NaN are never chosen.
extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_select_scores(const float* scores, const unsigned char* mask, unsigned n, int k, const uint64_t* below,
                     uint64_t* best) {
    const Selection select{mask, n, k, below, best, nullptr};
    const uint64_t ceiling = select.ceiling();
    Queue queue(k);
    const unsigned rounds = (n + gridDim.x * BLOCK - 1) / (gridDim.x * BLOCK);
    for (unsigned round = 0; round < rounds; ++round) {
        const unsigned i = (round * gridDim.x + blockIdx.x) * BLOCK + threadIdx.x;
        const bool shown = i < n && (mask == nullptr || mask[i] != 0);
        const float score = shown ? __ldg(scores + i) : -INFINITY;
        const uint64_t key = isfinite(score) ? key_of(score, i) : 0;
        queue.offer_each(key < ceiling ? key : 0, lane_of());
    }
    uint64_t* line = select.line();
    join_queues(queue, k, [&](int rank, uint64_t key) { line[rank] = key; });
}

namespace cg::gpu {

using namespace cg::cuda;

void best(const float* scores, int64_t n, int64_t k, const uint8_t* mask, float* found, int64_t* ids) {
    if (k == 0) return;
    Work work{Context()};
    const In<float> from(scores, n, work.stream);
    const In<uint8_t> visible(mask, n, work.stream);
    const Out<float> best_scores(found, k, work);
    const Out<int64_t> best_ids(ids, k, work);
    const unsigned blocks = blocks_for((n + device::WARP - 1) / device::WARP);
    choose(1, n, k, blocks, best_scores.get(), best_ids.get(), work.stream,
           [&](int part, const uint64_t* below, uint64_t* keys) {
               cg_select_scores<<<blocks, device::BLOCK, 0, work.stream>>>(from.get(), visible.get(), static_cast<unsigned>(n), part,
                                                                      below, keys);
               launched("cg_select_scores");
           });
    best_scores.finish();
    best_ids.finish();
    work.end();
}

}  // namespace cg::gpu
