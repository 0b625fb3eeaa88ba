// The last step of every selection: few keys, so latency is the bound.

#include <cuda_runtime.h>

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
