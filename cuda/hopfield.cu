// Modern Hopfield retrieval: one pass over the patterns a step, each row read once for its score and for the mixture.
//
// A block owns a part of the rows and one query. A warp takes a row of up to 1536 numbers into registers, two or four warps
// share a longer one, for its score and for the mixture: nothing of it goes through shared memory. Scores are in base 2 with
// beta log2(e) folded into the query; when a larger one comes, what was mixed so far shrinks (online softmax). Parts are a
// function of the sizes, not of the device, and cg_hopfield_join adds them in their order: the same bits every time.
// Memory is the bound: bytes of a row, for one query; more queries meet their rows in L2. d <= 6144.
//
// From 8 queries on, rows go to the tensor cores, 32 queries at a time: the scores as `dense` finds them, then
// cg_hopfield_mix for the weights and the mixture, so rows are read twice per 32 queries. Weights are sums of two halves or
// three bfloat16; with rows of float32 both are two TF32.

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "../csrc/include/context_graph/hopfield.hpp"
#include "dense.cuh"
#include "memory.cuh"
#include "parts.cuh"
#include "rows.cuh"

namespace cg::hopfield::device {

using namespace cg::device;

// Four rounds of the 264 blocks that an H100 holds, three of the 340 of an RTX 5090.
constexpr int MAX_PARTS = 1000;
constexpr int COLUMNS = 8;   // that a block joins
constexpr int HELD = 48;     // numbers of a row that a lane holds, and as many of the mixture
constexpr int MAX_TEAM = 4;  // warps that share a row
constexpr int MAX_DIM = HELD * WARP * MAX_TEAM;
constexpr float LOG2_E = 1.4426950408889634f, LN_2 = 0.6931471805599453f;

__host__ __device__ inline int team_of(int d) { return d <= HELD * WARP ? 1 : d <= 2 * HELD * WARP ? 2 : MAX_TEAM; }

struct Patterns {
    const unsigned char* rows;
    long long stride;
    const unsigned char* mask;  // null: all are seen
    const long long* ids;       // (q, n), -1 is nothing; null: row i is pattern i
    long long n;
    int d;

    __device__ long long at(long long i) const { return ids == nullptr ? i : ids[blockIdx.y * n + i]; }
};

// What a lane has of a row: pieces of 16 bytes that the warps of a team take in turns, and of the numbers behind the last
// whole piece one.
template <class Type>
struct Share {
    static constexpr int PER = PER_PIECE<Type>, PIECES = HELD / PER;
    const int pieces, rest, team, member;

    __device__ explicit Share(int d)
        : pieces(d / PER), rest(d % PER), team(team_of(d)), member(warp_of() % team_of(d)) {}
    __device__ int at(int p) const { return (p * team + member) * WARP + lane_of(); }
    __device__ bool has(int p) const { return at(p) < pieces; }
    __device__ bool has_rest() const { return member == 0 && lane_of() < rest; }
};

template <class Type>
__device__ inline void part(const float* queries, const Patterns& patterns, long long rows_a_part, float scale,
                            float* part_max, float* part_sum, float* part_out, int* not_finite) {
    using Of = Share<Type>;
    extern __shared__ __align__(16) float query[];  // and at the end the mixture of the block
    __shared__ float of_warps[2][WARPS];
    __shared__ float maxima[WARPS];
    __shared__ float totals[WARPS];
    const int d = patterns.d;
    const Of share(d);
    const int first = warp_of() / share.team, teams = WARPS / share.team;
    auto* fours = reinterpret_cast<float4*>(query);
    for (int x = threadIdx.x; x < d; x += BLOCK) {
        query[place<Type>(x, d)] = queries[static_cast<long long>(blockIdx.y) * d + x] * scale;
    }
    __syncthreads();

    float mixed[Of::PIECES][Of::PER] = {}, mixed_rest = 0, max_score = -INFINITY, total = 0;
    const long long begin = blockIdx.x * rows_a_part;
    const long long end = begin + rows_a_part < patterns.n ? begin + rows_a_part : patterns.n;
    int turn = 0;
    for (long long at = begin; at < end; at += teams, turn ^= 1) {  // as often for every warp
        const long long row = at + first < end ? patterns.at(at + first) : -1;
        const unsigned char* bytes = patterns.rows + (row < 0 ? 0 : row * patterns.stride);
        uint4 piece[Of::PIECES];
#pragma unroll
        for (int p = 0; p < Of::PIECES; ++p) {
            piece[p] = row >= 0 && share.has(p) ? __ldcs(reinterpret_cast<const uint4*>(bytes) + share.at(p)) : make_uint4(0, 0, 0, 0);
        }
        const auto* items = reinterpret_cast<const typename Type::Item*>(bytes) + share.pieces * Of::PER;
        const float last = row >= 0 && share.has_rest() ? Type::item(items + lane_of()) : 0.0f;

        float found = share.has_rest() ? last * query[share.pieces * Of::PER + lane_of()] : 0.0f;
#pragma unroll
        for (int p = 0; p < Of::PIECES; ++p) {
            if (!share.has(p)) continue;
            float values[Of::PER];
            Type::widen(piece[p], values);
#pragma unroll
            for (int j = 0; j < Of::PER / 4; ++j) {
                const float4 four = fours[j * share.pieces + share.at(p)];
                found = fmaf(values[4 * j], four.x, found);
                found = fmaf(values[4 * j + 1], four.y, found);
                found = fmaf(values[4 * j + 2], four.z, found);
                found = fmaf(values[4 * j + 3], four.w, found);
            }
        }
        found = warp_sum(found);
        if (share.team > 1) {  // the same for the whole block
            if (lane_of() == 0) of_warps[turn][warp_of()] = found;
            __syncthreads();  // one a row: the next goes to the other line
            found = 0;
            for (int m = 0; m < share.team; ++m) found += of_warps[turn][first * share.team + m];
        }
        if (row < 0) continue;
        if (!isfinite(found) && lane_of() == 0) atomicOr(not_finite, 1);
        if (patterns.mask != nullptr && patterns.mask[row] == 0) continue;
        const float higher = fmaxf(max_score, found), weight = exp2_fast(found - higher);
        if (higher > max_score) {  // the same for the whole warp
            const float rescale = exp2_fast(max_score - higher);
            max_score = higher;
            total *= rescale;
            mixed_rest *= rescale;
#pragma unroll
            for (int p = 0; p < Of::PIECES; ++p) {
#pragma unroll
                for (int x = 0; x < Of::PER; ++x) mixed[p][x] *= rescale;
            }
        }
        total += weight;
        mixed_rest = fmaf(weight, last, mixed_rest);
#pragma unroll
        for (int p = 0; p < Of::PIECES; ++p) {
            float values[Of::PER];
            Type::widen(piece[p], values);
#pragma unroll
            for (int x = 0; x < Of::PER; ++x) mixed[p][x] = fmaf(weight, values[x], mixed[p][x]);
        }
    }

    // What the teams have, added in their order.
    if (lane_of() == 0 && share.member == 0) {
        maxima[first] = max_score;
        totals[first] = total;
    }
    __syncthreads();
    float most = -INFINITY, sum = 0;
    for (int t = 0; t < teams; ++t) most = fmaxf(most, maxima[t]);
    for (int t = 0; t < teams; ++t) sum += maxima[t] > -INFINITY ? totals[t] * exp2_fast(maxima[t] - most) : 0.0f;
    const float rescale = max_score > -INFINITY ? exp2_fast(max_score - most) : 0.0f;
    for (int t = 0; t < teams; ++t) {
        if (first == t) {
#pragma unroll
            for (int p = 0; p < Of::PIECES; ++p) {
                if (!share.has(p)) continue;
#pragma unroll
                for (int j = 0; j < Of::PER / 4; ++j) {
                    float4& four = fours[j * share.pieces + share.at(p)];
                    const float4 before = t == 0 ? make_float4(0, 0, 0, 0) : four;
                    four = make_float4(fmaf(rescale, mixed[p][4 * j], before.x), fmaf(rescale, mixed[p][4 * j + 1], before.y),
                                       fmaf(rescale, mixed[p][4 * j + 2], before.z), fmaf(rescale, mixed[p][4 * j + 3], before.w));
                }
            }
            if (share.has_rest()) {
                float& own = query[share.pieces * Of::PER + lane_of()];
                own = fmaf(rescale, mixed_rest, t == 0 ? 0.0f : own);
            }
        }
        __syncthreads();
    }
    const long long line = static_cast<long long>(blockIdx.y) * gridDim.x + blockIdx.x;
    if (threadIdx.x == 0) {
        part_max[line] = most;
        part_sum[line] = sum;
    }
    for (int x = threadIdx.x; x < d; x += BLOCK) part_out[line * d + x] = query[place<Type>(x, d)];
}

// A batch: what a part of the patterns gives to 32 queries in SLAB columns, from scores that are known. On the tensor
// cores, weights times rows, the rows brought by cp.async while the last are multiplied. A warp has 16 queries and 64
// columns. Rows of shared memory are longer than their numbers, so that reads meet all banks.
constexpr int GROUP = 32, SLAB = 256, WIDE = SLAB + 8, SHARES = SLAB / 4;

template <class Parts>
struct Stage {
    using Item = typename Parts::Item;
    static constexpr int PIECE = 16 / sizeof(Item), DEPTH = 4 * PIECE;  // a fragment of the tensor cores is two pieces deep
    Item rows[2][DEPTH][WIDE];
    Item weights[Parts::COUNT][GROUP][DEPTH + PIECE];
};

// Two tiles of B beside each other, {b0, b1} of each: from the first row and column of a fragment.
__device__ inline void load_columns(uint32_t (&b)[4], const uint16_t* rows) {
    load_transposed(b, rows + lane_of() % 16 * WIDE + lane_of() / 16 * 8);
}
__device__ inline void load_columns(uint32_t (&b)[4], const float* rows) {
    const float* own = rows + lane_of() % 4 * WIDE + lane_of() / 4;
#pragma unroll
    for (int i = 0; i < 4; ++i) b[i] = __float_as_uint(own[i % 2 * 4 * WIDE + i / 2 * 8]);
}

struct ScoredQueries {
    const float* scores;  // (q, n), not yet times scale
    int q;
    float scale;
};

// Weights are WEIGHT_SCALE times themselves while they are halves: the smallest that counts is then 2^-38 of the largest.
constexpr float WEIGHT_SCALE = 16384.0f;

template <class Parts>
__device__ inline void mix(const ScoredQueries& scored, const Patterns& patterns, long long rows_a_part,
                           float* part_max, float* part_sum, float* part_out) {
    extern __shared__ __align__(16) unsigned char shared[];
    using Item = typename Parts::Item;
    constexpr int PIECE = Stage<Parts>::PIECE, DEPTH = Stage<Parts>::DEPTH;
    auto& stage = *reinterpret_cast<Stage<Parts>*>(shared);
    __shared__ float max_score[GROUP];
    const int lane = lane_of(), warp = warp_of(), first_column = blockIdx.y * SLAB;
    const long long begin = blockIdx.x * rows_a_part;
    const long long end = begin + rows_a_part < patterns.n ? begin + rows_a_part : patterns.n;
    const int count = static_cast<int>(end - begin);  // below, rows are counted from `begin`; negative where there are none

    const unsigned char* mask = patterns.mask == nullptr ? nullptr : patterns.mask + begin;
    const auto scores_of = [&](int query) { return query < scored.q ? scored.scores + query * patterns.n + begin : nullptr; };
    const auto score = [&](const float* scores, int row) {
        if (scores == nullptr || (mask != nullptr && mask[row] == 0)) return -INFINITY;
        return __fmul_rn(scores[row], scored.scale);
    };
    for (int query = warp; query < GROUP; query += WARPS) {
        const float* scores = scores_of(query);
        float most = -INFINITY;
        for (int row = lane; row < count; row += WARP) most = fmaxf(most, score(scores, row));
        for (int with = WARP / 2; with > 0; with /= 2) most = fmaxf(most, __shfl_xor_sync(ALL, most, with));
        if (lane == 0) max_score[query] = most;
    }

    // A thread copies the same piece of every APART-th row.
    constexpr int ACROSS = SLAB / PIECE, APART = BLOCK / ACROSS;
    const int copy_row = threadIdx.x / ACROSS, copy_x = threadIdx.x % ACROSS * PIECE;
    const int bytes = static_cast<int>(sizeof(Item)) * max(0, min(PIECE, patterns.d - first_column - copy_x));
    const unsigned char* rows = patterns.rows + (begin + copy_row) * patterns.stride + sizeof(Item) * (first_column + copy_x);
    const auto fetch = [&](int from, int turn) {
#pragma unroll
        for (int r = 0; r < DEPTH; r += APART) {
            const int taken = from + copy_row + r < count ? bytes : 0;
            const unsigned char* row = taken > 0 ? rows + (from + r) * patterns.stride : patterns.rows;
            copy_async(&stage.rows[turn][copy_row + r][copy_x], row, taken);
        }
        commit_copies();
    };
    // Thread by thread: weights of query threadIdx / 8 and every eighth row.
    const int own = threadIdx.x / 8, place = threadIdx.x % 8, queries = warp % 2 * 16, columns = warp / 2 * SHARES;
    const float* own_scores = scores_of(own);
    float total = 0, sum[SHARES / 8][4] = {}, found[DEPTH / 8];
    const auto load_scores = [&](int from) {  // a step ahead: what a weight waits for comes while rows are multiplied
#pragma unroll
        for (int i = 0; i < DEPTH / 8; ++i) {
            const int row = from + place + 8 * i;
            found[i] = row < count ? score(own_scores, row) : -INFINITY;
        }
    };
    if (count > 0) fetch(0, 0);
    load_scores(0);
    int turn = 0;
    for (int from = 0; from < count; from += DEPTH, turn ^= 1) {
        wait_copies<0>();
        __syncthreads();  // the rows are here, `max_score` too, and all have read the last rows and weights
        if (from + DEPTH < count) fetch(from + DEPTH, turn ^ 1);
#pragma unroll
        for (int i = 0; i < DEPTH / 8; ++i) {
            const float weight = found[i] > -INFINITY ? exp2_fast(found[i] - max_score[own]) : 0.0f;
            total += weight;
            float rest = weight * WEIGHT_SCALE;
#pragma unroll
            for (int part = 0; part < Parts::COUNT; ++part) {
                const Item narrow = Parts::narrow(rest);
                stage.weights[part][own][place + 8 * i] = narrow;
                rest = __fsub_rn(rest, Parts::widen(narrow));
            }
        }
        load_scores(from + DEPTH);
        __syncthreads();
        uint32_t a[2][Parts::COUNT][4];
#pragma unroll
        for (int half = 0; half < 2; ++half) {
#pragma unroll
            for (int part = 0; part < Parts::COUNT; ++part) {
                load_matrices(a[half][part], &stage.weights[part][queries + lane % 16][(2 * half + lane / 16) * PIECE]);
            }
        }
#pragma unroll
        for (int x = 0; x < SHARES; x += 16) {
            float low_sum[4] = {}, high_sum[4] = {};  // short, then added with rounding, as in dense.cu
#pragma unroll
            for (int half = 0; half < 2; ++half) {
                uint32_t b[4];
                load_columns(b, &stage.rows[turn][2 * half * PIECE][columns + x]);
                const uint32_t low[2] = {b[0], b[1]}, high[2] = {b[2], b[3]};
#pragma unroll
                for (int part = 0; part < Parts::COUNT; ++part) {
                    Parts::multiply(low_sum, a[half][part], low);
                    Parts::multiply(high_sum, a[half][part], high);
                }
            }
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                sum[x / 8][i] += low_sum[i];
                sum[x / 8 + 1][i] += high_sum[i];
            }
        }
    }
    __syncthreads();
#pragma unroll
    for (int with = 4; with > 0; with /= 2) total += __shfl_xor_sync(ALL, total, with);
    if (blockIdx.y == 0 && place == 0 && own < scored.q) {
        const long long line = static_cast<long long>(own) * gridDim.x + blockIdx.x;
        part_max[line] = max_score[own];
        part_sum[line] = total;
    }
#pragma unroll
    for (int x = 0; x < SHARES / 8; ++x) {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const int query = queries + lane / 4 + i / 2 * 8, column = first_column + columns + 8 * x + lane % 4 * 2 + i % 2;
            if (query >= scored.q || column >= patterns.d) continue;
            const long long line = static_cast<long long>(query) * gridDim.x + blockIdx.x;
            part_out[line * patterns.d + column] = sum[x][i] * (1.0f / WEIGHT_SCALE);
        }
    }
}

// The largest |row|², as bits: for numbers that are not negative they are ordered as the numbers.
template <class Type>
__device__ inline void longest_row(const unsigned char* patterns, long long stride, const unsigned char* mask,
                                   long long n, int d, unsigned* longest, int* not_finite) {
    constexpr int per = PER_PIECE<Type>;
    float most = 0;
    for (long long i = blockIdx.x * WARPS + warp_of(); i < n; i += gridDim.x * WARPS) {
        if (mask != nullptr && mask[i] == 0) continue;  // the same for the whole warp
        const unsigned char* row = patterns + i * stride;
        float sum = 0;
        for (int p = lane_of(); p < d / per; p += WARP) {
            float values[per];
            Type::widen(__ldcs(reinterpret_cast<const uint4*>(row) + p), values);
#pragma unroll
            for (int x = 0; x < per; ++x) sum = fmaf(values[x], values[x], sum);
        }
        const auto* items = reinterpret_cast<const typename Type::Item*>(row);
        for (int x = d / per * per + lane_of(); x < d; x += WARP) {
            const float value = Type::item(items + x);
            sum = fmaf(value, value, sum);
        }
        most = fmaxf(most, warp_sum(sum));
        if (!isfinite(sum)) atomicOr(not_finite, 1);
    }
    if (lane_of() == 0) atomicMax(longest, __float_as_uint(most));
}

}  // namespace cg::hopfield::device

using namespace cg::hopfield::device;

#define CG_PART(name, Type)                                                                                           \
    extern "C" __global__ void __launch_bounds__(BLOCK, 2)                                                            \
        cg_hopfield_part_##name(const float* queries, const unsigned char* patterns, long long stride,                \
                                const unsigned char* mask, const long long* ids, long long n, int d,                  \
                                long long rows_a_part, float scale, float* part_max, float* part_sum, float* part_out, \
                                int* not_finite) {                                                                    \
        part<Type>(queries, {patterns, stride, mask, ids, n, d}, rows_a_part, scale, part_max, part_sum, part_out,    \
                   not_finite);                                                                                       \
    }                                                                                                                 \
    extern "C" __global__ void __launch_bounds__(BLOCK)                                                               \
        cg_hopfield_longest_##name(const unsigned char* patterns, long long stride, const unsigned char* mask,        \
                                   long long n, int d, unsigned* longest, int* not_finite) {                          \
        longest_row<Type>(patterns, stride, mask, n, d, longest, not_finite);                                         \
    }

CG_PART(f32, F32)
CG_PART(f16, F16)
CG_PART(bf16, BF16)

#define CG_MIX(name, Parts)                                                                                            \
    extern "C" __global__ void __launch_bounds__(BLOCK, 2)                                                             \
        cg_hopfield_mix_##name(const float* scores, int q, const unsigned char* patterns, long long stride,           \
                               const unsigned char* mask, long long n, int d, long long rows_a_part, float scale,     \
                               float* part_max, float* part_sum, float* part_out) {                                   \
        mix<Parts>({scores, q, scale}, {patterns, stride, mask, nullptr, n, d}, rows_a_part, part_max, part_sum,      \
                   part_out);                                                                                         \
    }

CG_MIX(f32, FloatParts)
CG_MIX(f16, HalfParts)
CG_MIX(bf16, BfloatParts)

// A block COLUMNS columns of one query; a warp takes four parts at a time, in the order of their numbers modulo 32. lse in
// natural units; zeros and -inf where nothing was seen.
extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_hopfield_join(const float* part_max, const float* part_sum, const float* part_out, int parts, int d, float* out,
                     float* lse) {
    __shared__ float share[MAX_PARTS];
    __shared__ float sums[WARPS][COLUMNS];
    __shared__ float of_warps[WARPS];
    const long long query = blockIdx.y, line = query * parts;
    const int x = blockIdx.x * COLUMNS + lane_of() % COLUMNS, warp = warp_of();
    float most = -INFINITY;
    for (int p = threadIdx.x; p < parts; p += BLOCK) most = fmaxf(most, part_max[line + p]);
    for (int with = WARP / 2; with > 0; with /= 2) most = fmaxf(most, __shfl_xor_sync(ALL, most, with));
    if (lane_of() == 0) of_warps[warp] = most;
    __syncthreads();
    for (int w = 0; w < WARPS; ++w) most = fmaxf(most, of_warps[w]);
    const bool any = most > -INFINITY;
    for (int p = threadIdx.x; p < parts; p += BLOCK) share[p] = any ? exp2_fast(part_max[line + p] - most) : 0.0f;
    __syncthreads();
    float total = 0, mixed = 0;
    for (int p = threadIdx.x; p < parts; p += BLOCK) total = fmaf(share[p], part_sum[line + p], total);
    total = warp_sum(total);
    if (lane_of() == 0) of_warps[warp] = total;
#pragma unroll 8
    for (int p = threadIdx.x / COLUMNS; p < parts; p += BLOCK / COLUMNS) {
        if (x < d) mixed = fmaf(share[p], part_out[(line + p) * d + x], mixed);
    }
    for (int with = COLUMNS; with < WARP; with *= 2) mixed += __shfl_xor_sync(ALL, mixed, with);
    if (lane_of() < COLUMNS) sums[warp][lane_of()] = mixed;
    __syncthreads();
    if (threadIdx.x >= COLUMNS) return;
    total = mixed = 0;
    for (int w = 0; w < WARPS; ++w) {
        total += of_warps[w];
        mixed += sums[w][threadIdx.x];
    }
    if (x < d) out[query * d + x] = total > 0 ? mixed / total : 0.0f;
    if (x == 0) lse[query] = total > 0 ? (most + log2f(total)) * LN_2 : -INFINITY;
}

// How many patterns are seen.
extern "C" __global__ void __launch_bounds__(BLOCK) cg_hopfield_count(const unsigned char* mask, unsigned n, unsigned* seen) {
    unsigned own = 0;
    for (unsigned i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK) own += __ldg(mask + i) != 0;
    own = __reduce_add_sync(ALL, own);
    if (lane_of() == 0 && own > 0) atomicAdd(seen, own);
}

namespace cg::hopfield::device {

// The sum over a block, in double, for its first thread.
__device__ inline double block_sum(double own) {
    __shared__ double sums[WARPS];
    own = warp_sum(own);
    if (lane_of() == 0) sums[warp_of()] = own;
    __syncthreads();
    double sum = 0;
    for (int w = 0; w < WARPS; ++w) sum += sums[w];
    return sum;
}

__device__ inline long long seen_of(const unsigned* seen, long long n) { return seen == nullptr ? n : *seen; }

}  // namespace cg::hopfield::device

// A block a query, after a step: it takes its new state unless it had converged, and converges where that is near the old one.
extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_hopfield_settle(const float* moved, const float* lse, const float* best, int kept, const unsigned* seen, long long n,
                       int d, double beta, double tolerance, float* states, float* found, long long* steps,
                       unsigned char* converged, float* dropped) {
    const long long query = blockIdx.x;
    if (converged[query] != 0) return;
    double square = 0;
    for (int x = threadIdx.x; x < d; x += BLOCK) {
        const float next = moved[query * d + x];
        const double change = static_cast<double>(next) - states[query * d + x];
        square = fma(change, change, square);
        states[query * d + x] = next;
    }
    square = block_sum(square);  // and all have read `converged`
    if (threadIdx.x != 0) return;
    found[query] = lse[query];
    ++steps[query];
    converged[query] = sqrt(square) <= tolerance;
    const long long rest = seen_of(seen, n) - kept;
    if (best == nullptr || rest <= 0) return;
    const double others = rest * exp(beta * best[query * kept + kept - 1] - lse[query]);
    dropped[query] = static_cast<float>(others < 1 ? others : 1.0);
}

// A block a query.
extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_hopfield_energy(const float* queries, const float* lse, const unsigned* longest, const unsigned* seen, long long n, int d,
                       double beta, float* out) {
    const long long query = blockIdx.x;
    double square = 0;
    for (int x = threadIdx.x; x < d; x += BLOCK) {
        const double value = queries[query * d + x];
        square = fma(value, value, square);
    }
    square = block_sum(square);
    if (threadIdx.x != 0) return;
    const long long visible = seen_of(seen, n);
    const double rest = visible > 0 ? log(static_cast<double>(visible)) - lse[query] : INFINITY;
    out[query] = static_cast<float>(rest / beta + (square + __uint_as_float(*longest)) / 2);
}

namespace cg::hopfield {

using namespace cg::cuda;

namespace {

constexpr int64_t BATCH = 8;  // queries from which tensor cores are used
constexpr int64_t PART_BYTES = 256 * 1024, PART_ROWS = 512;  // of a part, unless there are too many
constexpr int64_t MAX_BATCH_PARTS = 256;

int item_of(const Stored& patterns) { return patterns.width == Width::f32 ? 4 : 2; }

// The patterns on the device, and one step of softmax over them.
class Scan {
   public:
    Scan(const Stored& patterns, const uint8_t* mask, Work& work)
        : patterns_(patterns), work_(work), item_(item_of(patterns)),
          rows_(patterns.data, patterns.n, patterns.d * item_, patterns.stride, work.stream), mask_(mask, patterns.n, work.stream) {
        if (patterns.d > MAX_DIM) {
            throw std::invalid_argument("cuda: at most 6144 dimensions, got " + std::to_string(patterns.d));
        }
        if (mask == nullptr || patterns.n == 0) return;
        seen_.emplace_back(1, work.stream);
        check(cudaMemsetAsync(seen_[0].get(), 0, sizeof(unsigned), work.stream), "count");
        cg_hopfield_count<<<blocks_for(patterns.n / WARP + 1), BLOCK, 0, work.stream>>>(mask_.get(), static_cast<unsigned>(patterns.n),
                                                                                        seen_[0].get());
        launched("cg_hopfield_count");
    }

    // How many patterns are seen, on the device; null: all.
    const unsigned* seen() const { return seen_.empty() ? nullptr : seen_[0].get(); }
    const uint8_t* mask() const { return mask_.get(); }
    dense::Rows rows() const { return {rows_.get(), patterns_.width, patterns_.n, patterns_.d, rows_.stride(), nullptr}; }

    // States (q, d) to outputs (q, d) and lse (q), all on the device. ids (q, count): the patterns to look at, or null.
    void step(const float* states, int64_t q, double beta, const int64_t* ids, int64_t count, float* output, float* lse) {
        const int64_t d = patterns_.d, n = ids ? count : patterns_.n;
        const int64_t parts = std::clamp<int64_t>(std::max(n * d * item_ / PART_BYTES, n / PART_ROWS), 1,
                                                  std::min<int64_t>(MAX_PARTS, std::max<int64_t>(n, 1)));
        expect_queries(q);
        if (q >= BATCH && ids == nullptr && n > 0 && d > 0) {
            return step_batch(states, q, beta, output, lse);
        }
        const Stream stream = work_.stream;
        const Buffer<float> max_score(q * parts, stream), total(q * parts, stream), mixed(q * parts * d, stream);
        const auto kernel = patterns_.width == Width::f32   ? cg_hopfield_part_f32
                            : patterns_.width == Width::f16 ? cg_hopfield_part_f16
                                                            : cg_hopfield_part_bf16;
        const dim3 grid(static_cast<unsigned>(parts), static_cast<unsigned>(q));
        kernel<<<grid, BLOCK, std::max<int64_t>(d, 1) * sizeof(float), stream>>>(states, rows_.get(), rows_.stride(), mask_.get(),
                                                reinterpret_cast<const long long*>(ids), n, static_cast<int>(d),
                                                (n + parts - 1) / parts, static_cast<float>(beta * LOG2_E),
                                                max_score.get(), total.get(), mixed.get(), work_.not_finite());
        launched("cg_hopfield_part");
        join(q, parts, max_score, total, mixed, output, lse);
    }

    // The largest |pattern|², as the bits of a float on the device.
    Buffer<unsigned> longest() {
        Buffer<unsigned> bits(1, work_.stream);
        check(cudaMemsetAsync(bits.get(), 0, sizeof(unsigned), work_.stream), "longest");
        const auto kernel = patterns_.width == Width::f32   ? cg_hopfield_longest_f32
                            : patterns_.width == Width::f16 ? cg_hopfield_longest_f16
                                                            : cg_hopfield_longest_bf16;
        kernel<<<blocks_for(patterns_.n), BLOCK, 0, work_.stream>>>(rows_.get(), rows_.stride(), mask_.get(), patterns_.n,
                                                                    static_cast<int>(patterns_.d), bits.get(), work_.not_finite());
        launched("cg_hopfield_longest");
        return bits;
    }

   private:
    // The same for many queries, GROUP at a time: their scores, then what the weights make of the rows.
    void step_batch(const float* states, int64_t q, double beta, float* output, float* lse) {
        const int64_t d = patterns_.d, n = patterns_.n;
        const int64_t parts = std::clamp<int64_t>(n / 1024, 1, MAX_BATCH_PARTS);
        const unsigned slabs = static_cast<unsigned>((d + SLAB - 1) / SLAB);
        const Stream stream = work_.stream;
        const Buffer<float> scores(GROUP * n, stream), max_score(GROUP * parts, stream), total(GROUP * parts, stream);
        const Buffer<float> mixed(GROUP * parts * d, stream);
        const auto kernel = patterns_.width == Width::f32   ? cg_hopfield_mix_f32
                            : patterns_.width == Width::f16 ? cg_hopfield_mix_f16
                                                            : cg_hopfield_mix_bf16;
        const size_t shared = patterns_.width == Width::f32   ? sizeof(Stage<FloatParts>)
                              : patterns_.width == Width::f16 ? sizeof(Stage<HalfParts>)
                                                              : sizeof(Stage<BfloatParts>);
        for (int64_t first = 0; first < q; first += GROUP) {
            const int64_t count = std::min<int64_t>(GROUP, q - first);
            dense::scores(work_, {states + first * d, count, d}, rows(), scores.get());
            kernel<<<dim3(static_cast<unsigned>(parts), slabs), BLOCK, shared, stream>>>(
                scores.get(), static_cast<int>(count), rows_.get(), rows_.stride(), mask_.get(), n, static_cast<int>(d),
                (n + parts - 1) / parts, static_cast<float>(beta * LOG2_E), max_score.get(), total.get(), mixed.get());
            launched("cg_hopfield_mix");
            join(count, parts, max_score, total, mixed, output + first * d, lse + first);
        }
    }

    void join(int64_t q, int64_t parts, const Buffer<float>& max_score, const Buffer<float>& total, const Buffer<float>& mixed,
              float* output, float* lse) {
        const int64_t d = patterns_.d;
        const dim3 columns(static_cast<unsigned>((std::max<int64_t>(d, 1) + COLUMNS - 1) / COLUMNS), static_cast<unsigned>(q));
        cg_hopfield_join<<<columns, BLOCK, 0, work_.stream>>>(max_score.get(), total.get(), mixed.get(), static_cast<int>(parts),
                                                              static_cast<int>(d), output, lse);
        launched("cg_hopfield_join");
    }

    Stored patterns_;
    Work& work_;
    int item_;
    InRows rows_;
    In<uint8_t> mask_;
    std::vector<Buffer<unsigned>> seen_;
};

template <class T>
void clear(const Out<T>& out, int64_t count, Stream stream) {
    check(cudaMemsetAsync(out.get(), 0, count * sizeof(T), stream), "answers");
}

}  // namespace

void retrieve_cuda(const float* queries, int64_t q, const Stored& patterns, double beta, int64_t steps, double tolerance,
                   const uint8_t* mask, int64_t shortlist, const Retrieved& out, const gpu::Context& context) {
    const int64_t d = patterns.d;
    if (q == 0) return;
    Work work(context);
    Scan scan(patterns, mask, work);
    const Out<float> states(out.output, q * d, work), found(out.lse, q, work), dropped(out.dropped, q, work);
    const Out<int64_t> taken(out.steps, q, work);
    const Out<bool> converged(out.converged, q, work);
    if (d > 0) check(cudaMemcpyAsync(states.get(), queries, q * d * sizeof(float), cudaMemcpyDefault, work.stream), "queries");
    clear(dropped, q, work.stream);
    clear(taken, q, work.stream);
    clear(converged, q, work.stream);
    const int64_t kept = std::min(shortlist, patterns.n);
    const Buffer<float> moved(q * d, work.stream), lse(q, work.stream), best(q * kept, work.stream);
    const Buffer<int64_t> ids(q * kept, work.stream);
    for (int64_t step = 0; step < steps; ++step) {
        if (kept > 0) dense::topk(work, {states.get(), q, d}, scan.rows(), kept, scan.mask(), best.get(), ids.get());
        scan.step(states.get(), q, beta, kept > 0 ? ids.get() : nullptr, kept, moved.get(), lse.get());
        cg_hopfield_settle<<<static_cast<unsigned>(q), BLOCK, 0, work.stream>>>(
            moved.get(), lse.get(), kept > 0 ? best.get() : nullptr, static_cast<int>(kept), scan.seen(), patterns.n,
            static_cast<int>(d), beta, tolerance, states.get(), found.get(), reinterpret_cast<long long*>(taken.get()),
            reinterpret_cast<unsigned char*>(converged.get()), dropped.get());
        launched("cg_hopfield_settle");
        // Who waits anyway looks whether another step would change anything; else every step runs, and changes no query
        // that has converged.
        if (!work.checks() || step + 1 == steps) continue;
        const HostIn<unsigned char> there(reinterpret_cast<unsigned char*>(converged.get()), q, work.stream);
        if (std::all_of(there.get(), there.get() + q, [](unsigned char own) { return own != 0; })) break;
    }
    for (const Out<float>* array : {&states, &found, &dropped}) array->finish();
    taken.finish();
    converged.finish();
    work.end();
}

void energy_cuda(const float* queries, int64_t q, const Stored& patterns, double beta, const uint8_t* mask, float* out,
                 const gpu::Context& context) {
    const int64_t d = patterns.d;
    if (q == 0) return;
    Work work(context);
    Scan scan(patterns, mask, work);
    const In<float> states(queries, q * d, work.stream);
    const Out<float> energies(out, q, work);
    const Buffer<float> mixed(q * d, work.stream), lse(q, work.stream);
    scan.step(states.get(), q, beta, nullptr, 0, mixed.get(), lse.get());
    const Buffer<unsigned> longest = scan.longest();
    cg_hopfield_energy<<<static_cast<unsigned>(q), BLOCK, 0, work.stream>>>(states.get(), lse.get(), longest.get(), scan.seen(), patterns.n,
                                                                            static_cast<int>(d), beta, energies.get());
    launched("cg_hopfield_energy");
    energies.finish();
    work.end();
}

}  // namespace cg::hopfield
