// Flat scans: one warp a row, the row read once in 16-byte pieces, the query in shared memory.
//
// Memory is the bound: the bytes of a row a query. A lane adds its products in order of d with fused multiply-adds in
// float, then a butterfly; so a dot product's bits depend on d alone. d <= 12288: the query has to fit beside the queues.
//
// Batches over rows of floats: 128 rows by 32 queries a block on the tensor cores (mma.sync), the rows read once per 32
// queries. Against rows of 16 bits a query is the sum of two halves or three bfloat16; rows of float32 and their queries
// are each two TF32. So products are as exact as in float; sums are in float in another order than a single query's.

#include <cuda_runtime.h>

#include <stdexcept>

#include "../csrc/include/context_graph/dense.hpp"
#include "dense.cuh"
#include "memory.cuh"
#include "parts.cuh"
#include "rows.cuh"
#include "select.cuh"

namespace cg::dense::device {

using namespace cg::device;

template <class Type>
__device__ inline const float* load_query(const float* queries, int d) {
    extern __shared__ __align__(16) float query[];
    for (int x = threadIdx.x; x < d; x += BLOCK) {
        query[place<Type>(x, d)] = queries[static_cast<long long>(blockIdx.y) * d + x];
    }
    __syncthreads();
    return query;
}

template <class Type>
__device__ inline float dot(const unsigned char* row, const float* query, int d) {
    float sum = 0;
    for_each_value<Type>(row, query, d, [&](float value, float of_query) { sum = fmaf(value, of_query, sum); });
    return warp_sum(sum);
}

template <class Type>
__device__ inline void topk(const float* queries, const unsigned char* rows, long long stride, const float* scale, int d,
                            const Selection& select) {
    const float* query = load_query<Type>(queries, d);
    scan_rows(select, [&](unsigned i) {
        const float sum = dot<Type>(rows + i * stride, query, d);
        return scale == nullptr ? sum : __fmul_rn(sum, scale[i]);
    });
}

template <class Type>
__device__ inline void scores(const float* queries, const unsigned char* rows, long long stride, const float* scale,
                              unsigned n, int d, float* out, int* not_finite) {
    const float* query = load_query<Type>(queries, d);
    for (unsigned i = blockIdx.x * WARPS + warp_of(); i < n; i += gridDim.x * WARPS) {
        float sum = dot<Type>(rows + i * stride, query, d);
        if (scale != nullptr) sum = __fmul_rn(sum, scale[i]);
        if (lane_of() != 0) continue;
        out[static_cast<long long>(blockIdx.y) * n + i] = sum;
        if (!isfinite(sum)) atomicOr(not_finite, 1);
    }
}

// A batch. A stage holds four pieces of 16 bytes of each row and of each part of each query. They are permuted, so that
// the eight rows from which ldmatrix reads one piece each lie in different banks.
constexpr int TILE = 128, GROUP = 32, PIECES = 4;
constexpr int PADDED = 32;          // numbers to whose multiple queries are padded: whole stages of any type
constexpr int OWN = GROUP / WARPS;  // queries whose best a warp keeps

template <class Parts>
struct Stage {
    uint4 rows[TILE][PIECES];
    uint4 queries[Parts::COUNT * GROUP][PIECES];
};
__device__ inline int permuted(int row, int piece) { return piece ^ row / 2 % PIECES; }

// All but one on their way: a step that waits for its own copies takes as long as memory does to answer. As many as leave
// two blocks room on a multiprocessor of 100 KB.
template <class Parts>
constexpr int STAGES = 48 * 1024 / sizeof(Stage<Parts>);

using Scores = float[GROUP][TILE + 4];  // of a tile, where the stages were

// A warp a query: its numbers times a power of two that brings the greatest into [1, 2), as a sum of narrow parts.
template <class Parts>
__device__ inline void split(const float* queries, int q, int d, int padded, typename Parts::Item* parts, float* step) {
    const int row = blockIdx.x * WARPS + warp_of(), lane = lane_of(), room = (q + GROUP - 1) / GROUP * GROUP;
    if (row >= room) return;
    const float* query = queries + static_cast<long long>(row) * d;
    float most = 0;
    for (int x = lane; row < q && x < d; x += WARP) most = fmaxf(most, fabsf(query[x]));
    const Scale scale = scale_of(most);
    if (lane == 0) step[row] = scale.up;
    for (int x = lane; x < padded; x += WARP) {
        float rest = row < q && x < d ? __fmul_rn(query[x], scale.down) : 0.0f;
#pragma unroll
        for (int part = 0; part < Parts::COUNT; ++part) {
            const typename Parts::Item narrow = Parts::narrow(rest);
            parts[(static_cast<long long>(part) * room + row) * padded + x] = narrow;
            rest = __fsub_rn(rest, Parts::widen(narrow));
        }
    }
}

template <class Parts>
struct Batch {
    const typename Parts::Item* parts;  // (COUNT, q up to whole groups, padded)
    const float* step;                  // what a query's scores are multiplied by
    int q, padded;
    const unsigned char* rows;
    long long stride;
    unsigned n;
    int d;
};

// sum += the products of 16 rows of a stage and all its queries. Tensor cores cut the bits that a sum has no room for
// instead of rounding, so what they add is short: a stage, which is then added with rounding.
template <class Parts>
__device__ inline void multiply(const Stage<Parts>& stage, int first_row, float (&sum)[GROUP / 8][4]) {
    const int lane = lane_of();
    uint32_t a[PIECES / 2][4];
#pragma unroll
    for (int piece = 0; piece < PIECES; piece += 2) {
        const int row = first_row + lane % 16;
        load_matrices(a[piece / 2], &stage.rows[row][permuted(row, piece + lane / 16)]);
    }
#pragma unroll
    for (int half = 0; half < GROUP; half += 16) {
        const int query = half + lane / 16 * 8 + lane % 8;
        float low_sum[4] = {}, high_sum[4] = {};
#pragma unroll
        for (int piece = 0; piece < PIECES; piece += 2) {
#pragma unroll
            for (int part = 0; part < Parts::COUNT; ++part) {
                uint32_t b[4];
                load_matrices(b, &stage.queries[part * GROUP + query][permuted(query, piece + lane / 8 % 2)]);
                const uint32_t low[2] = {b[0], b[1]}, high[2] = {b[2], b[3]};
                Parts::multiply(low_sum, a[piece / 2], low);
                Parts::multiply(high_sum, a[piece / 2], high);
            }
        }
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            sum[half / 8][i] += low_sum[i];
            sum[half / 8 + 1][i] += high_sum[i];
        }
    }
}

// visit(first row, scores) sees each tile of rows under the block's group of queries; all threads call it.
template <class Parts, class Visit>
__device__ inline void each_tile(const Batch<Parts>& batch, Visit visit) {
    extern __shared__ __align__(16) unsigned char memory[];
    auto* stages = reinterpret_cast<Stage<Parts>*>(memory);
    auto& scores = *reinterpret_cast<Scores*>(memory);
    __shared__ float step[GROUP];
    if (threadIdx.x < GROUP) step[threadIdx.x] = batch.step[blockIdx.y * GROUP + threadIdx.x];
    constexpr int ITEM = sizeof(typename Parts::Item);
    const int lane = lane_of(), g = lane / 4, t = lane % 4, first_row = 16 * warp_of();
    const int line = batch.padded * ITEM / 16, steps = line / PIECES, room = static_cast<int>(gridDim.y) * GROUP;
    // A thread copies the same piece of every APART-th row and query of a stage, which all are permuted alike. Where they
    // lie is found once a tile: found once a stage it took as many instructions as the products.
    constexpr int APART = BLOCK / PIECES;
    const int own = threadIdx.x / PIECES, piece = threadIdx.x % PIECES, place = permuted(own, piece);
    const long long own_query = own / GROUP * room + blockIdx.y * GROUP + own % GROUP;
    const uint4* query = reinterpret_cast<const uint4*>(batch.parts) + own_query * line + piece;
    for (unsigned tile = blockIdx.x; tile < (batch.n + TILE - 1) / TILE; tile += gridDim.x) {
        const unsigned i = tile * TILE + own;
        const unsigned char* row = batch.rows + i * batch.stride + 16 * piece;
        const auto fetch = [&](int at) {
            Stage<Parts>& stage = stages[at % STAGES<Parts>];
            const int left = batch.d * ITEM - 16 * (at * PIECES + piece);
#pragma unroll
            for (int more = 0; more < TILE; more += APART) {
                const int taken = i + more < batch.n ? max(0, min(16, left)) : 0;
                const unsigned char* from = taken > 0 ? row + more * batch.stride + 16 * PIECES * at : batch.rows;
                if (at < steps) copy_async(&stage.rows[own + more][place], from, taken);
            }
#pragma unroll
            for (int more = 0; more < Parts::COUNT * GROUP; more += APART) {
                const uint4* from = query + static_cast<long long>(more / GROUP * room) * line + at * PIECES;
                if (at < steps && own + more < Parts::COUNT * GROUP) copy_async(&stage.queries[own + more][place], from);
            }
            commit_copies();
        };
        float sum[GROUP / 8][4] = {};
        for (int at = 0; at < STAGES<Parts> - 1; ++at) fetch(at);
        for (int at = 0; at < steps; ++at) {
            wait_copies<STAGES<Parts> - 2>();
            __syncthreads();  // this stage is here, and all have read the one before, where the next copies go
            fetch(at + STAGES<Parts> - 1);
            multiply(stages[at % STAGES<Parts>], first_row, sum);
        }
        __syncthreads();  // scores go where stages lie
#pragma unroll
        for (int part = 0; part < GROUP / 8; ++part) {
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const int query = 8 * part + 2 * t + i % 2;
                scores[query][first_row + g + i / 2 * 8] = __fmul_rn(sum[part][i], step[query]);
            }
        }
        __syncthreads();
        visit(tile * TILE, scores);
        __syncthreads();
    }
}

// The k best of each query of a group, each kept by one warp.
template <class Parts>
__device__ inline void topk_batch(const Batch<Parts>& batch, const Selection& select) {
    const int lane = lane_of(), first = blockIdx.y * GROUP + warp_of() * OWN;
    Queue queues[OWN] = {Queue(select.k), Queue(select.k), Queue(select.k), Queue(select.k)};
    static_assert(OWN == 4);
    each_tile<Parts>(batch, [&](unsigned row, const Scores& scores) {
#pragma unroll
        for (int own = 0; own < OWN; ++own) {
            if (first + own >= batch.q) continue;
            const uint64_t ceiling = select.below == nullptr ? ~0ull : select.below[first + own];
            for (int x = lane; x < TILE; x += WARP) {
                const unsigned i = row + x;
                const bool seen = i < batch.n && (select.mask == nullptr || select.mask[i] != 0);
                const float found = scores[warp_of() * OWN + own][x];
                if (seen && !isfinite(found)) atomicOr(select.not_finite, 1);
                const uint64_t key = seen && isfinite(found) ? key_of(found, i) : 0;
                queues[own].offer_each(key < ceiling ? key : 0, lane);
            }
        }
    });
    // In order: a key's rank is the number of keys above it, of equal (empty) ones those before it.
    extern __shared__ __align__(16) unsigned char memory[];
    uint64_t* list = reinterpret_cast<uint64_t*>(memory) + warp_of() * MAX_K;
#pragma unroll  // or the queues leave their registers
    for (int own = 0; own < OWN; ++own) {
        if (first + own >= batch.q) continue;
        uint64_t* line = select.best + (static_cast<long long>(first + own) * gridDim.x + blockIdx.x) * select.k;
        __syncwarp();
#pragma unroll
        for (int s = 0; s < SLOTS; ++s) {
            if (s * WARP + lane < select.k) list[s * WARP + lane] = queues[own].entry[s];
        }
        __syncwarp();
        for (int e = lane; e < select.k; e += WARP) {
            int rank = 0;
            for (int j = 0; j < select.k; ++j) rank += list[j] > list[e] || (list[j] == list[e] && j < e);
            line[rank] = list[e];
        }
    }
}

template <class Parts>
__device__ inline void scores_batch(const Batch<Parts>& batch, float* out, int* not_finite) {
    each_tile<Parts>(batch, [&](unsigned row, const Scores& scores) {
        for (int at = threadIdx.x; at < GROUP * TILE; at += BLOCK) {
            const int query = blockIdx.y * GROUP + at / TILE;
            const unsigned i = row + at % TILE;
            if (query >= batch.q || i >= batch.n) continue;
            const float found = scores[at / TILE][at % TILE];
            out[static_cast<long long>(query) * batch.n + i] = found;
            if (!isfinite(found)) atomicOr(not_finite, 1);
        }
    });
}

}  // namespace cg::dense::device

using namespace cg::dense::device;

// At most 64 registers, so that four blocks share a multiprocessor and enough loads are on their way.
#define CG_DENSE(type, Type)                                                                                         \
    extern "C" __global__ void __launch_bounds__(BLOCK, 4)                                                           \
        cg_dense_topk_##type(const float* queries, const unsigned char* rows, long long stride, const float* scale,  \
                             const unsigned char* mask, unsigned n, int d, int k, const uint64_t* below,             \
                             uint64_t* best, int* not_finite) {                                                      \
        topk<Type>(queries, rows, stride, scale, d, {mask, n, k, below, best, not_finite});                          \
    }                                                                                                                \
    extern "C" __global__ void __launch_bounds__(BLOCK, 4)                                                           \
        cg_dense_scores_##type(const float* queries, const unsigned char* rows, long long stride, const float* scale, \
                               unsigned n, int d, float* out, int* not_finite) {                                     \
        scores<Type>(queries, rows, stride, scale, n, d, out, not_finite);                                           \
    }

CG_DENSE(f32, F32)
CG_DENSE(f16, F16)
CG_DENSE(bf16, BF16)
CG_DENSE(i8, I8)

#define CG_DENSE_BATCH(type, Parts)                                                                                    \
    extern "C" __global__ void __launch_bounds__(BLOCK)                                                                \
        cg_dense_split_##type(const float* queries, int q, int d, int padded, Parts::Item* parts, float* step) {       \
        split<Parts>(queries, q, d, padded, parts, step);                                                              \
    }                                                                                                                  \
    extern "C" __global__ void __launch_bounds__(BLOCK, 2)                                                             \
        cg_dense_topk_batch_##type(const Parts::Item* parts, const float* step, int q, int padded,                     \
                                   const unsigned char* rows, long long stride, const unsigned char* mask, unsigned n, \
                                   int d, int k, const uint64_t* below, uint64_t* best, int* not_finite) {             \
        topk_batch<Parts>({parts, step, q, padded, rows, stride, n, d}, {mask, n, k, below, best, not_finite});        \
    }                                                                                                                  \
    extern "C" __global__ void __launch_bounds__(BLOCK, 2)                                                             \
        cg_dense_scores_batch_##type(const Parts::Item* parts, const float* step, int q, int padded,                   \
                                     const unsigned char* rows, long long stride, unsigned n, int d, float* out,       \
                                     int* not_finite) {                                                                \
        scores_batch<Parts>({parts, step, q, padded, rows, stride, n, d}, out, not_finite);                            \
    }

CG_DENSE_BATCH(f32, FloatParts)
CG_DENSE_BATCH(f16, HalfParts)
CG_DENSE_BATCH(bf16, BfloatParts)

namespace cg::dense {
namespace {

using namespace cg::cuda;

struct Scan {
    In<float> queries;
    InRows rows;
    In<float> scale;
    int* not_finite;
    dim3 grid;
    size_t shared;

    Scan(const Queries& q, const Rows& r, Work& work)
        : queries(q.data, q.q * q.d, work.stream),
          rows(r.data, r.n, r.d * (r.element == Element::f32 ? 4 : r.element == Element::i8 ? 1 : 2), r.stride, work.stream),
          scale(r.scale, r.n, work.stream),
          not_finite(work.not_finite()),
          grid(blocks_for(r.n), static_cast<unsigned>(q.q)),
          shared(q.d * sizeof(float)) {}
};

// Queries from which tensor cores take rows of floats, eight being the narrowest side of their tiles.
constexpr int64_t BATCH = 8;

bool batched(const Queries& queries, const Rows& rows) {
    return rows.element != Element::i8 && rows.scale == nullptr && queries.q >= BATCH && rows.d > 0;
}

// use(parts, split, topk, scores): how rows of this type are multiplied, and the kernels that do it.
template <class Use>
void with_kernels(Element rows, Use use) {
    if (rows == Element::f32) {
        use(FloatParts(), cg_dense_split_f32, cg_dense_topk_batch_f32, cg_dense_scores_batch_f32);
    } else if (rows == Element::f16) {
        use(HalfParts(), cg_dense_split_f16, cg_dense_topk_batch_f16, cg_dense_scores_batch_f16);
    } else {
        use(BfloatParts(), cg_dense_split_bf16, cg_dense_topk_batch_bf16, cg_dense_scores_batch_bf16);
    }
}

// The queries of a batch in parts, and how its kernels are launched.
template <class Parts>
struct Tiles {
    using Item = typename Parts::Item;
    In<float> queries;
    InRows rows;
    int* not_finite;
    int q, d, padded;
    dim3 grid;
    Buffer<Item> parts;
    Buffer<float> step;
    size_t shared = STAGES<Parts> * sizeof(Stage<Parts>);

    template <class Split>
    Tiles(const Queries& given, const Rows& r, Split split, Work& work)
        : queries(given.data, given.q * given.d, work.stream),
          rows(r.data, r.n, r.d * int64_t{sizeof(Item)}, r.stride, work.stream),
          not_finite(work.not_finite()),
          q(static_cast<int>(given.q)),
          d(static_cast<int>(r.d)),
          padded((d + PADDED - 1) / PADDED * PADDED),
          grid(static_cast<unsigned>(std::clamp<int64_t>((r.n + TILE - 1) / TILE, 1, int64_t{2} * processors())),
               static_cast<unsigned>((q + GROUP - 1) / GROUP)),
          parts(int64_t{Parts::COUNT} * grid.y * GROUP * padded, work.stream),
          step(int64_t{grid.y} * GROUP, work.stream) {
        split<<<grid.y * GROUP / device::WARPS, device::BLOCK, 0, work.stream>>>(queries.get(), q, d, padded, parts.get(), step.get());
        launched("cg_dense_split");
    }
};

}  // namespace

void topk(Work& work, const Queries& queries, const Rows& rows, int64_t k, const uint8_t* mask, float* scores, int64_t* ids) {
    expect_queries(queries.q);
    expect_dim(queries.d);
    if (queries.q == 0 || k == 0) return;
    const In<uint8_t> visible(mask, rows.n, work.stream);
    const Out<float> found(scores, queries.q * k, work);
    const Out<int64_t> found_ids(ids, queries.q * k, work);
    if (batched(queries, rows)) {
        with_kernels(rows.element, [&](auto parts, auto split, auto kernel, auto) {
            const Tiles<decltype(parts)> tiles(queries, rows, split, work);
            allow_shared(kernel, tiles.shared);
            choose(queries.q, rows.n, k, tiles.grid.x, found.get(), found_ids.get(), work.stream,
                   [&](int part, const uint64_t* below, uint64_t* best) {
                       kernel<<<tiles.grid, BLOCK, tiles.shared, work.stream>>>(
                           tiles.parts.get(), tiles.step.get(), tiles.q, tiles.padded, tiles.rows.get(), tiles.rows.stride(),
                           visible.get(), static_cast<unsigned>(rows.n), tiles.d, part, below, best, tiles.not_finite);
                       launched("cg_dense_topk_batch");
                   });
        });
        found.finish();
        found_ids.finish();
        return;
    }
    const Scan scan(queries, rows, work);
    const auto kernel = rows.element == Element::f32   ? cg_dense_topk_f32
                        : rows.element == Element::f16 ? cg_dense_topk_f16
                        : rows.element == Element::bf16 ? cg_dense_topk_bf16
                                                       : cg_dense_topk_i8;
    allow_shared(kernel, scan.shared);
    choose(queries.q, rows.n, k, scan.grid.x, found.get(), found_ids.get(), work.stream,
           [&](int part, const uint64_t* below, uint64_t* best) {
               kernel<<<scan.grid, BLOCK, scan.shared, work.stream>>>(
                   scan.queries.get(), scan.rows.get(), scan.rows.stride(), scan.scale.get(), visible.get(),
                   static_cast<unsigned>(rows.n), static_cast<int>(rows.d), part, below, best, scan.not_finite);
               launched("cg_dense_topk");
           });
    found.finish();
    found_ids.finish();
}

void scores(Work& work, const Queries& queries, const Rows& rows, float* out) {
    expect_queries(queries.q);
    expect_dim(queries.d);
    if (queries.q == 0 || rows.n == 0) return;
    const Out<float> found(out, queries.q * rows.n, work);
    if (batched(queries, rows)) {
        with_kernels(rows.element, [&](auto parts, auto split, auto, auto kernel) {
            const Tiles<decltype(parts)> tiles(queries, rows, split, work);
            allow_shared(kernel, tiles.shared);
            kernel<<<tiles.grid, BLOCK, tiles.shared, work.stream>>>(
                tiles.parts.get(), tiles.step.get(), tiles.q, tiles.padded, tiles.rows.get(), tiles.rows.stride(),
                static_cast<unsigned>(rows.n), tiles.d, found.get(), tiles.not_finite);
            launched("cg_dense_scores_batch");
        });
        found.finish();
        return;
    }
    const Scan scan(queries, rows, work);
    const auto kernel = rows.element == Element::f32   ? cg_dense_scores_f32
                        : rows.element == Element::f16 ? cg_dense_scores_f16
                        : rows.element == Element::bf16 ? cg_dense_scores_bf16
                                                       : cg_dense_scores_i8;
    allow_shared(kernel, scan.shared);
    kernel<<<scan.grid, BLOCK, scan.shared, work.stream>>>(scan.queries.get(), scan.rows.get(), scan.rows.stride(),
                                                      scan.scale.get(), static_cast<unsigned>(rows.n),
                                                      static_cast<int>(rows.d), found.get(), scan.not_finite);
    launched("cg_dense_scores");
    found.finish();
}

void topk_cuda(const Queries& queries, const Rows& rows, int64_t k, const uint8_t* mask, float* scores, int64_t* ids,
               const gpu::Context& context) {
    Work work(context);
    topk(work, queries, rows, k, mask, scores, ids);
    work.end();
}

void scores_cuda(const Queries& queries, const Rows& rows, float* out, const gpu::Context& context) {
    Work work(context);
    scores(work, queries, rows, out);
    work.end();
}

}  // namespace cg::dense
