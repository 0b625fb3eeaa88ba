// Flat top-k: one warp per row, the k best kept in registers while the scan runs.
//
// A block of 8 warps takes rows in grid stride; a row is read once in 16-byte pieces, lane by lane, its lanes' sums meet
// in a butterfly shuffle, and all lanes offer the same key to the warp's queue. Blocks leave their k best keys in
// order, and one block a query merges them. Keys order totally, so neither grid nor timing changes the answer.
// Memory is the bound: bytes of a row. k <= 128; d <= 12288 (the query lies in shared memory).

#include <cuda_runtime.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "../csrc/include/context_graph/dense.hpp"
#include "dense.cuh"

namespace cg::dense::device {

// k times the largest key of the block that is below the last one; thread 0 writes it.
__device__ inline void write_sorted(const uint64_t* keys, int count, int k, uint64_t* out) {
    __shared__ uint64_t best_of_warp[WARPS];
    __shared__ uint64_t last;
    if (threadIdx.x == 0) last = ~0ull;
    __syncthreads();
    for (int rank = 0; rank < k; ++rank) {
        uint64_t best = 0;
        for (int i = threadIdx.x; i < count; i += BLOCK) {
            const uint64_t key = keys[i];
            if (key < last && key > best) best = key;
        }
        best = warp_max(best);
        if (threadIdx.x % WARP == 0) best_of_warp[threadIdx.x / WARP] = best;
        __syncthreads();
        if (threadIdx.x == 0) {
            for (int w = 0; w < WARPS; ++w) best = best_of_warp[w] > best ? best_of_warp[w] : best;
            out[rank] = best;
            last = best;
        }
        __syncthreads();
    }
}

template <class Type>
__device__ inline void scan(const float* queries, const unsigned char* rows, long long stride, const float* scale,
                            const unsigned char* mask, unsigned n, int d, int k, uint64_t* best, int* not_finite) {
    extern __shared__ float query[];
    __shared__ uint64_t found[WARPS * MOST_K];
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    for (int x = threadIdx.x; x < d; x += BLOCK) query[x] = queries[static_cast<long long>(blockIdx.y) * d + x];
    __syncthreads();

    constexpr int per_piece = 16 / sizeof(typename Type::Item);
    const int pieces = d / per_piece;
    Queue queue(k);
    for (unsigned i = blockIdx.x * WARPS + warp; i < n; i += gridDim.x * WARPS) {
        if (mask != nullptr && mask[i] == 0) continue;  // the same for the whole warp
        const unsigned char* row = rows + i * stride;
        float sum = 0;
#pragma unroll 2
        for (int p = lane; p < pieces; p += WARP) {
            sum = Type::dot(__ldg(reinterpret_cast<const uint4*>(row) + p), query + p * per_piece, sum);
        }
        const auto* items = reinterpret_cast<const typename Type::Item*>(row);
        for (int x = pieces * per_piece + lane; x < d; x += WARP) sum = fmaf(Type::item(items + x), query[x], sum);
        sum = warp_sum(sum);
        if (scale != nullptr) sum *= scale[i];
        if (isfinite(sum)) {
            queue.offer(key_of(sum, i), lane);
        } else if (lane == 0) {
            *not_finite = 1;  // every writer writes the same
        }
    }
#pragma unroll
    for (int s = 0; s < SLOTS; ++s) {
        const int e = s * WARP + lane;
        if (e < k) found[warp * k + e] = queue.entry[s];
    }
    __syncthreads();
    const long long block = static_cast<long long>(blockIdx.y) * gridDim.x + blockIdx.x;
    write_sorted(found, WARPS * k, k, best + block * k);
}

}  // namespace cg::dense::device

using namespace cg::dense::device;

#define CG_SCAN(name, Type)                                                                                      \
    extern "C" __global__ void __launch_bounds__(BLOCK, 4)                                                       \
        name(const float* queries, const unsigned char* rows, long long stride, const float* scale,              \
             const unsigned char* mask, unsigned n, int d, int k, uint64_t* best, int* not_finite) {             \
        scan<Type>(queries, rows, stride, scale, mask, n, d, k, best, not_finite);                               \
    }

CG_SCAN(cg_dense_topk_f32, F32)
CG_SCAN(cg_dense_topk_f16, F16)
CG_SCAN(cg_dense_topk_i8, I8)

// One block a query: each thread walks the sorted lists it owns, and k times the largest head is taken.
extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_dense_merge(const uint64_t* best, int lists, int k, float* scores, long long* ids) {
    __shared__ uint64_t best_of_warp[WARPS];
    __shared__ uint64_t last;
    const uint64_t* mine = best + static_cast<long long>(blockIdx.x) * lists * k;
    if (threadIdx.x == 0) last = ~0ull;
    __syncthreads();
    for (int rank = 0; rank < k; ++rank) {
        uint64_t head = 0;
        for (int list = threadIdx.x; list < lists; list += BLOCK) {
            for (int e = 0; e < k; ++e) {
                const uint64_t key = mine[static_cast<long long>(list) * k + e];
                if (key < last) {
                    head = key > head ? key : head;
                    break;  // lists descend
                }
            }
        }
        head = warp_max(head);
        if (threadIdx.x % WARP == 0) best_of_warp[threadIdx.x / WARP] = head;
        __syncthreads();
        if (threadIdx.x == 0) {
            for (int w = 0; w < WARPS; ++w) head = best_of_warp[w] > head ? best_of_warp[w] : head;
            const long long at = static_cast<long long>(blockIdx.x) * k + rank;
            scores[at] = head == 0 ? -INFINITY : score_of(head);
            ids[at] = head == 0 ? -1 : static_cast<long long>(0xffffffffu - static_cast<uint32_t>(head));
            last = head;
        }
        __syncthreads();
    }
}

namespace cg::dense {
namespace {

void check(cudaError_t status, const char* what) {
    if (status == cudaSuccess) return;
    cudaGetLastError();
    throw std::runtime_error(std::string("cuda: ") + what + ": " + cudaGetErrorString(status));
}

// Device memory that frees itself.
struct Buffer {
    explicit Buffer(size_t bytes) { check(cudaMalloc(&data, std::max<size_t>(bytes, 16)), "allocation"); }
    ~Buffer() { cudaFree(data); }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    template <class T>
    T* as() const { return static_cast<T*>(data); }

    void* data = nullptr;
};

}  // namespace

void topk_cuda(const Queries& queries, const Rows& rows, int64_t k, const uint8_t* mask, float* scores, int64_t* ids) {
    if (k < 1 || k > MOST_K || queries.d > 12288) throw std::invalid_argument("cuda: k must lie in [1, 128], d <= 12288");
    if (queries.q == 0) return;
    if (queries.q > 65535) throw std::invalid_argument("cuda: at most 65535 queries a call");
    const int item = rows.element == Element::f32 ? 4 : rows.element == Element::f16 ? 2 : 1;
    const size_t width = rows.d * item, stride = (width + 15) / 16 * 16;  // 16-byte loads need aligned rows
    int device = 0, processors = 0;
    check(cudaGetDevice(&device), "device");
    check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device), "device");
    const int blocks = static_cast<int>(std::clamp<int64_t>((rows.n + WARPS - 1) / WARPS, 1, 4 * processors));

    Buffer d_queries(queries.q * queries.d * 4), d_rows(rows.n * stride), d_scale(rows.n * 4), d_mask(rows.n),
        best(queries.q * blocks * k * 8), d_scores(queries.q * k * 4), d_ids(queries.q * k * 8), flag(sizeof(int));
    check(cudaMemcpy(d_queries.data, queries.data, queries.q * queries.d * 4, cudaMemcpyHostToDevice), "queries");
    if (rows.n > 0 && width > 0) {
        check(cudaMemcpy2D(d_rows.data, stride, rows.data, rows.stride, width, rows.n, cudaMemcpyHostToDevice), "rows");
    }
    if (rows.scale) check(cudaMemcpy(d_scale.data, rows.scale, rows.n * 4, cudaMemcpyHostToDevice), "scale");
    if (mask) check(cudaMemcpy(d_mask.data, mask, rows.n, cudaMemcpyHostToDevice), "mask");
    check(cudaMemset(flag.data, 0, sizeof(int)), "flag");

    const auto kernel = rows.element == Element::f32   ? cg_dense_topk_f32
                        : rows.element == Element::f16 ? cg_dense_topk_f16
                                                       : cg_dense_topk_i8;
    const size_t shared = queries.d * sizeof(float);
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared)), "shared");
    const dim3 grid(blocks, static_cast<unsigned>(queries.q));
    kernel<<<grid, BLOCK, shared>>>(d_queries.as<float>(), d_rows.as<unsigned char>(), static_cast<long long>(stride),
                                    rows.scale ? d_scale.as<float>() : nullptr,
                                    mask ? d_mask.as<unsigned char>() : nullptr, static_cast<unsigned>(rows.n),
                                    static_cast<int>(rows.d), static_cast<int>(k), best.as<uint64_t>(), flag.as<int>());
    check(cudaGetLastError(), "cg_dense_topk");
    cg_dense_merge<<<static_cast<unsigned>(queries.q), BLOCK>>>(best.as<uint64_t>(), blocks, static_cast<int>(k),
                                                                d_scores.as<float>(), d_ids.as<long long>());
    check(cudaGetLastError(), "cg_dense_merge");
    int not_finite = 0;
    check(cudaMemcpy(&not_finite, flag.data, sizeof(int), cudaMemcpyDeviceToHost), "flag");
    if (not_finite) throw std::domain_error("a score is not finite: a row or query holds NaN or infinity");
    check(cudaMemcpy(scores, d_scores.data, queries.q * k * 4, cudaMemcpyDeviceToHost), "scores");
    check(cudaMemcpy(ids, d_ids.data, queries.q * k * 8, cudaMemcpyDeviceToHost), "ids");
}

}  // namespace cg::dense
