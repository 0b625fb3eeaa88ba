#pragma once
// Edges under neurotransmitters: the factor on a weight, and eight lanes that share a node's edges.

#include <cstdint>

#include "memory.cuh"
#include "warp.cuh"

namespace cg::modulation::device {

using namespace cg::device;

// Rounded one by one in the CPU's order: the same bits there and here.
__device__ inline float factor(float excitatory, float inhibitory, float modulatory) {
    const float difference = __fsub_rn(__fadd_rn(1.0f, excitatory), inhibitory);
    return __fadd_rn(difference, __fmul_rn(0.5f, modulatory));
}

__device__ inline float factor(int gain) {
    return __fmul_rn(static_cast<float>(gain), 1.0f / 510.0f);
}

__device__ inline float effective(const float* weights, const int16_t* gains, long long e) {
    const float weight = __ldg(weights + e);
    return gains == nullptr ? weight : __fmul_rn(weight, factor(static_cast<int>(__ldg(gains + e))));
}

// Memories have about ten edges, so a whole warp a node would idle.
constexpr int TEAM = 8;
constexpr int TEAMS = BLOCK / TEAM;  // nodes a block looks after at a time

inline unsigned blocks_of_teams(int64_t nodes) {
    return static_cast<unsigned>(std::clamp<int64_t>((nodes + TEAMS - 1) / TEAMS, 1, int64_t{6} * cg::cuda::processors()));
}

// All lanes of the warp call; every lane of a team ends with the team's sum.
template <class T>
__device__ inline T team_sum(T value) {
#pragma unroll
    for (int step = TEAM / 2; step > 0; step /= 2) value += __shfl_xor_sync(ALL, value, step);
    return value;
}

// Calls step(node, whether it exists) for this lane's team, the whole warp as often.
template <class Step>
__device__ inline void each_node(unsigned n, Step step) {
    const unsigned first = blockIdx.x * TEAMS + threadIdx.x / WARP * (WARP / TEAM);
    for (unsigned begin = first; begin < n; begin += gridDim.x * TEAMS) {
        const unsigned node = begin + lane_of() / TEAM;
        step(node, node < n);
    }
}

}  // namespace cg::modulation::device
