#pragma once
// The k best of a scan, kept in registers while it runs. `scan_rows` is the scan: give it what scores a row.
//
// A block of 8 warps takes rows in grid stride, a row is scored by one warp, and all lanes offer the same key to the
// warp's queue. Blocks leave their k best keys in order, and cg_select_merge takes the k best of all blocks. Keys order
// totally (score first, then the lower id), so neither grid nor timing changes the answer. k <= 128; more are found by
// scanning again below the last key.

#include <cmath>
#include <cstdint>

#include "warp.cuh"

namespace cg::device {

constexpr int MAX_K = 128;
constexpr int SLOTS = MAX_K / WARP;  // queue entries a lane keeps

// The CPU's key: order-preserving score bits above the inverted id. 0 is smaller than any row's key: an empty entry.
__device__ inline uint64_t key_of(float score, uint32_t id) {
    const uint32_t bits = __float_as_uint(__fadd_rn(score, 0.0f));
    const uint32_t ordered = bits ^ ((bits >> 31) ? 0xffffffffu : 0x80000000u);
    return (static_cast<uint64_t>(ordered) << 32) | (0xffffffffu - id);
}

__device__ inline float score_of(uint64_t key) {
    const uint32_t ordered = static_cast<uint32_t>(key >> 32);
    return __uint_as_float(ordered ^ ((ordered >> 31) ? 0x80000000u : 0xffffffffu));
}

// The k best keys a warp has seen: entry e sits in slot e / 32 of lane e % 32. Loops unroll so entries stay in registers.
struct Queue {
    uint64_t entry[SLOTS];
    uint64_t worst;  // the same on all lanes
    int k;

    __device__ explicit Queue(int size) : worst(0), k(size) {
#pragma unroll
        for (int s = 0; s < SLOTS; ++s) entry[s] = 0;
    }

    // All lanes call with the same key.
    __device__ void offer(uint64_t key, int lane) {
        if (key <= worst) return;
        // Exactly one entry gives way: keys differ, and of equal empty entries the first lane and slot is taken.
        int mine = -1;
#pragma unroll
        for (int s = SLOTS - 1; s >= 0; --s) {
            if (s * WARP + lane < k && entry[s] == worst) mine = s;
        }
        const unsigned holders = __ballot_sync(ALL, mine >= 0);
        const bool chosen = lane == __ffs(holders) - 1;
        uint64_t least = ~0ull;
#pragma unroll
        for (int s = 0; s < SLOTS; ++s) {
            if (chosen && s == mine) entry[s] = key;
            if (s * WARP + lane < k && entry[s] < least) least = entry[s];
        }
        worst = warp_min(least);
    }

    // Every lane calls with a key of its own, 0 for none.
    __device__ void offer_each(uint64_t key, int lane) {
        for (unsigned better = __ballot_sync(ALL, key > worst); better != 0; better &= better - 1) {
            offer(from_lane(key, __ffs(better) - 1), lane);
        }
    }
};

// The queues of the block's warps, joined: emit(rank, key) for ranks 0 ... k - 1, each by one thread. A key's rank is the
// number of keys above it, of equal (empty) ones those before it: no round of barriers per rank.
template <class Emit>
__device__ inline void join_queues(const Queue& queue, int k, Emit emit) {
    __shared__ uint64_t found[WARPS * MAX_K];
#pragma unroll
    for (int s = 0; s < SLOTS; ++s) {
        const int e = s * WARP + lane_of();
        if (e < k) found[warp_of() * k + e] = queue.entry[s];
    }
    __syncthreads();
    for (int i = threadIdx.x; i < WARPS * k; i += BLOCK) {
        const uint64_t key = found[i];
        int rank = 0;
        for (int j = 0; j < WARPS * k; ++j) rank += found[j] > key || (found[j] == key && j < i);
        if (rank < k) emit(rank, key);
    }
}

// What all selecting kernels take beside their rows.
struct Selection {
    const unsigned char* mask;  // n bytes, 0 hides a row; may be null
    unsigned n;
    int k;
    const uint64_t* below;  // one key a query: only smaller ones count; may be null
    uint64_t* best;         // (q, gridDim.x, k) out, each line descending, 0 is empty
    int* not_finite;        // set to 1 where a score is NaN or infinite

    __device__ uint64_t ceiling() const { return below == nullptr ? ~0ull : below[blockIdx.y]; }
    __device__ uint64_t* line() const {
        return best + (static_cast<long long>(blockIdx.y) * gridDim.x + blockIdx.x) * k;
    }
};

// score(i) is the score of row i, the same on all lanes of the warp that calls it. Hidden rows are not read.
template <class Score>
__device__ inline void scan_rows(const Selection& select, Score score) {
    const int lane = lane_of();
    const uint64_t ceiling = select.ceiling();
    Queue queue(select.k);
    for (unsigned i = blockIdx.x * WARPS + warp_of(); i < select.n; i += gridDim.x * WARPS) {
        if (select.mask != nullptr && select.mask[i] == 0) continue;  // the same for the whole warp
        const float found = score(i);
        if (isfinite(found)) {
            const uint64_t key = key_of(found, i);
            if (key < ceiling) queue.offer(key, lane);
        } else if (lane == 0) {
            atomicOr(select.not_finite, 1);
        }
    }
    uint64_t* line = select.line();
    join_queues(queue, select.k, [&](int rank, uint64_t key) { line[rank] = key; });
}

}  // namespace cg::device

// One block a query: the k best of `lists` descending lists become ranks first ... first + k - 1 of its line of scores
// and ids, `ld` long; the last key goes to `below`. Without lists the ranks are padded with -inf and -1.
extern "C" __global__ void cg_select_merge(const uint64_t* best, int lists, int k, int first, int ld, float* scores,
                                           long long* ids, uint64_t* below);
