#pragma once
// Inner products of rows with groups of 32 float rows on the tensor cores, both straight from memory.
//
// A warp takes 16 rows and a group. The order of numbers within a product is free as long as both sides keep to it, so a
// lane takes eight neighbours of a row at a time: 16 bytes of a row of 16 bits are its share of two tiles of
// mma.sync m16n8k16. A group is split into 16-bit parts once, in the order in which lanes take them: 512 bytes in a row a
// warp, from the first-level cache after the first time. Rows of float are split in registers. Products of parts that are
// below 2^-24 of the whole are left out, so they are as exact as in float; sums are in float, in an order that depends on
// the dimension alone.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "parts.cuh"
#include "warp.cuh"

namespace cg::device {

constexpr int ROWS = 16;                     // of a warp
constexpr int TILES = 4, GROUP = 8 * TILES;  // rows of a group
constexpr int STEP = 32;                     // dimensions that four lanes take together

__host__ __device__ constexpr int padded_of(int d) { return (d + STEP - 1) / STEP * STEP; }

// Where the parts of a group begin, in numbers.
template <class Parts>
__host__ __device__ constexpr long long group_at(long long group, int d) {
    return group * Parts::COUNT * GROUP * padded_of(d);
}

// A warp a row: its numbers times a power of two that brings the greatest into [1, 2), as parts in the row's place of its
// group, zeros behind d. Returns the inverse of that power.
template <class Parts>
__device__ inline float split_row(const float* row, int d, int padded, uint16_t* group, int place) {
    float most = 0;
#pragma unroll 8
    for (int x = lane_of(); x < d; x += WARP) most = fmaxf(most, fabsf(__ldg(row + x)));
    const Scale scale = scale_of(most);
#pragma unroll 4
    for (int x = lane_of(); x < padded; x += WARP) {
        float rest = x < d ? __fmul_rn(__ldg(row + x), scale.down) : 0.0f;
        const int lane = place % 8 * 4 + x % STEP / 8;
#pragma unroll
        for (int part = 0; part < Parts::COUNT; ++part) {
            const uint16_t bits = Parts::narrow(rest);
            const int piece = (x / STEP * Parts::COUNT + part) * TILES + place / 8;
            group[(static_cast<long long>(piece) * WARP + lane) * 8 + x % 8] = bits;
            rest = __fsub_rn(rest, Parts::widen(bits));
        }
    }
    return scale.up;
}

// How eight neighbours of a row lie in words, and as COUNT times eight numbers of 16 bits that add up to them.
template <class Of>
struct NarrowRows {
    using Parts = Of;
    static constexpr int WORDS = 4, COUNT = 1, AHEAD = 3;  // steps whose rows are on their way
    static __device__ void put(uint32_t (&words)[WORDS], int i, const unsigned char* row, int x) {
        words[i / 2] |= static_cast<uint32_t>(reinterpret_cast<const uint16_t*>(row)[x]) << (16 * (i % 2));
    }
    static __device__ void split(const uint32_t (&words)[WORDS], uint32_t (&parts)[COUNT][4]) {
#pragma unroll
        for (int i = 0; i < 4; ++i) parts[0][i] = words[i];
    }
};
struct FloatRows {
    using Parts = BfloatParts;
    static constexpr int WORDS = 8, COUNT = Parts::COUNT, AHEAD = 1;
    static __device__ void put(uint32_t (&words)[WORDS], int i, const unsigned char* row, int x) {
        words[i] = reinterpret_cast<const uint32_t*>(row)[x];
    }
    static __device__ void split(const uint32_t (&words)[WORDS], uint32_t (&parts)[COUNT][4]) {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            float low = __uint_as_float(words[2 * i]), high = __uint_as_float(words[2 * i + 1]);
#pragma unroll
            for (int part = 0; part < COUNT; ++part) {
                const uint32_t first = Parts::narrow(low), second = Parts::narrow(high);
                parts[part][i] = first | second << 16;
                low = __fsub_rn(low, Parts::widen(first));
                high = __fsub_rn(high, Parts::widen(second));
            }
        }
    }
};

// Of numbers x .. x + 7 of a row what whole pieces of 16 bytes hold; zeros for the rest and for a row that is null.
template <class Rows>
__device__ inline void take(uint32_t (&words)[Rows::WORDS], const unsigned char* row, int x, int d) {
    constexpr int pieces = Rows::WORDS / 4, per = 8 / pieces;
#pragma unroll
    for (int p = 0; p < pieces; ++p) {
        const int first = x + p * per;
        uint4 piece{};
        if (row != nullptr && first + per <= d) piece = __ldg(reinterpret_cast<const uint4*>(row) + first / per);
        words[4 * p] = piece.x;
        words[4 * p + 1] = piece.y;
        words[4 * p + 2] = piece.z;
        words[4 * p + 3] = piece.w;
    }
}

// The others, which no whole piece holds.
template <class Rows>
__device__ inline void take_rest(uint32_t (&words)[Rows::WORDS], const unsigned char* row, int x, int d) {
    constexpr int per = 32 / Rows::WORDS;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        if (row != nullptr && x + i >= d / per * per && x + i < d) Rows::put(words, i, row, x + i);
    }
}

// sum += the products of one step: words of rows g and g + 8 with the group's parts of this step. Tensor cores cut off what
// they add to, so a step starts from zero, its small products first, and is added to the others in float.
template <class Rows>
__device__ inline void multiply_step(float (&sum)[TILES][4], const uint32_t (&low)[Rows::WORDS],
                                     const uint32_t (&high)[Rows::WORDS], const uint4* parts) {
    using Parts = typename Rows::Parts;
    uint32_t upper[Rows::COUNT][4], lower[Rows::COUNT][4];
    Rows::split(low, upper);
    Rows::split(high, lower);
#pragma unroll
    for (int pair = 0; pair < TILES; pair += 2) {
        float own[2][4] = {};
#pragma unroll(Rows::COUNT == 1 ? Parts::COUNT : 1)  // or three times three parts would not fit
        for (int part = Parts::COUNT - 1; part >= 0; --part) {
#pragma unroll
            for (int tile = 0; tile < 2; ++tile) {
                const uint4 eight = __ldg(parts + (part * TILES + pair + tile) * WARP);
                const uint32_t first[2] = {eight.x, eight.y}, second[2] = {eight.z, eight.w};
#pragma unroll
                for (int of_row = Rows::COUNT - 1; of_row >= 0; --of_row) {
                    if (of_row + part >= Parts::COUNT) continue;
                    const auto &u = upper[of_row], &l = lower[of_row];
                    const uint32_t left[4] = {u[0], l[0], u[1], l[1]}, right[4] = {u[2], l[2], u[3], l[3]};
                    Parts::multiply(own[tile], left, first);
                    Parts::multiply(own[tile], right, second);
                }
            }
        }
#pragma unroll
        for (int i = 0; i < 8; ++i) sum[pair + i / 4][i % 4] = __fadd_rn(sum[pair + i / 4][i % 4], own[i / 4][i % 4]);
    }
}

// sum[tile] += <row, row 8 tile + . of the group>, laid out as mma.sync does: `low` is this lane's row lane / 4, `high` the
// one 8 further; null counts as zeros. Rows are 16-byte aligned.
template <class Rows>
__device__ inline void multiply_rows(float (&sum)[TILES][4], const unsigned char* low, const unsigned char* high, int d,
                                     const uint16_t* group) {
    constexpr int AHEAD = Rows::AHEAD, per = 32 / Rows::WORDS;
    const auto* parts = reinterpret_cast<const uint4*>(group) + lane_of();
    const int own = lane_of() % 4 * 8, steps = padded_of(d) / STEP;
    uint32_t words[AHEAD][2][Rows::WORDS];
#pragma unroll
    for (int i = 0; i < AHEAD; ++i) {
        take<Rows>(words[i][0], low, i * STEP + own, d);
        take<Rows>(words[i][1], high, i * STEP + own, d);
    }
#pragma unroll 1  // or the parts of all steps would want registers at once
    for (int step = 0; step < steps; ++step) {
        uint32_t now[2][Rows::WORDS];
#pragma unroll
        for (int i = 0; i < Rows::WORDS; ++i) {
            now[0][i] = words[0][0][i];
            now[1][i] = words[0][1][i];
#pragma unroll
            for (int j = 0; j + 1 < AHEAD; ++j) {
                words[j][0][i] = words[j + 1][0][i];
                words[j][1][i] = words[j + 1][1][i];
            }
        }
        take<Rows>(words[AHEAD - 1][0], low, (step + AHEAD) * STEP + own, d);
        take<Rows>(words[AHEAD - 1][1], high, (step + AHEAD) * STEP + own, d);
        if (d % per != 0 && step == d / STEP) {
            take_rest<Rows>(now[0], low, step * STEP + own, d);
            take_rest<Rows>(now[1], high, step * STEP + own, d);
        }
        multiply_step<Rows>(sum, now[0], now[1], parts);
        parts += Rows::Parts::COUNT * TILES * WARP;
    }
}

}  // namespace cg::device
