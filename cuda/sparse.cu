// An inverted index in compressed lists: a block takes a window of documents, whose sums stay in shared memory.
//
// Memory is the bound: 8 bytes a posting of the query's terms, read once. The terms come one after another with a barrier
// between, and within one term a document has at most one posting; so no addition needs an atomic, a sum grows in the
// order of the query's terms, and its bits are those of the CPU.

#include <cuda_runtime.h>

#include "../csrc/include/context_graph/sparse.hpp"
#include "memory.cuh"
#include "select.cuh"

namespace cg::sparse::device {

using namespace cg::device;

constexpr int WINDOW = 4096;

// The first posting from `from` to `to` whose document is at least `limit`.
__device__ inline long long reach(const unsigned* docs, long long from, long long to, unsigned limit) {
    while (from < to) {
        const long long middle = (from + to) / 2;
        if (docs[middle] < limit) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from;
}

// What all kernels here take: list t is docs and values starts[t] ... starts[t + 1] - 1. lengths is null for dot products.
struct Lists {
    const unsigned* docs;
    const float* values;
    const long long* starts;
    const float* weights;
    int terms;
    const float* lengths;
    float gain, flat, slope;
};

__device__ inline void add_window(const Lists& lists, unsigned first, unsigned count, float* sums) {
    for (unsigned i = threadIdx.x; i < count; i += BLOCK) sums[i] = 0;
    __syncthreads();
    for (int t = 0; t < lists.terms; ++t) {
        const long long from = reach(lists.docs, lists.starts[t], lists.starts[t + 1], first);
        const long long to = reach(lists.docs, from, lists.starts[t + 1], first + count);
        for (long long p = from + threadIdx.x; p < to; p += BLOCK) {
            const unsigned doc = __ldg(lists.docs + p);
            float share = __ldg(lists.values + p);
            if (lists.lengths != nullptr) {
                const float saturation =
                    __fadd_rn(share, __fadd_rn(lists.flat, __fmul_rn(lists.slope, lists.lengths[doc])));
                share = __fdiv_rn(__fmul_rn(share, lists.gain), saturation);
            }
            sums[doc - first] = __fadd_rn(sums[doc - first], __fmul_rn(lists.weights[t], share));
        }
        __syncthreads();
    }
}

}  // namespace cg::sparse::device

using namespace cg::sparse::device;

extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_sparse_scores(const unsigned* docs, const float* values, const long long* starts, const float* weights, int terms,
                     const float* lengths, float gain, float flat, float slope, unsigned n, float* out,
                     int* not_finite) {
    __shared__ float sums[WINDOW];
    const Lists lists{docs, values, starts, weights, terms, lengths, gain, flat, slope};
    for (unsigned first = blockIdx.x * WINDOW; first < n; first += gridDim.x * WINDOW) {
        const unsigned count = min(static_cast<unsigned>(WINDOW), n - first);
        add_window(lists, first, count, sums);
        for (unsigned i = threadIdx.x; i < count; i += BLOCK) {
            out[first + i] = sums[i];
            if (!isfinite(sums[i])) atomicOr(not_finite, 1);
        }
        __syncthreads();
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_sparse_search(const unsigned* docs, const float* values, const long long* starts, const float* weights, int terms,
                     const float* lengths, float gain, float flat, float slope, const unsigned char* mask, unsigned n,
                     int k, const uint64_t* below, uint64_t* best, int* not_finite) {
    __shared__ float sums[WINDOW];
    const Lists lists{docs, values, starts, weights, terms, lengths, gain, flat, slope};
    const Selection select{mask, n, k, below, best, not_finite};
    const uint64_t ceiling = select.ceiling();
    Queue queue(k);
    for (unsigned first = blockIdx.x * WINDOW; first < n; first += gridDim.x * WINDOW) {
        const unsigned count = min(static_cast<unsigned>(WINDOW), n - first);
        add_window(lists, first, count, sums);
        for (unsigned from = warp_of() * WARP; from < count; from += BLOCK) {
            const unsigned i = from + lane_of();
            uint64_t key = 0;
            if (i < count) {
                if (!isfinite(sums[i])) {
                    atomicOr(not_finite, 1);
                } else if (mask == nullptr || mask[first + i] != 0) {
                    key = key_of(sums[i], first + i);
                }
            }
            queue.offer_each(key < ceiling ? key : 0, lane_of());
        }
        __syncthreads();
    }
    uint64_t* line = select.line();
    join_queues(queue, k, [&](int rank, uint64_t found) { line[rank] = found; });
}

namespace cg::sparse {
namespace {

using namespace cg::cuda;

// The postings of the query's terms, one list after another on the device.
struct QueryLists {
    std::vector<uint32_t> docs;
    std::vector<float> values;
    std::vector<int64_t> starts{0};

    QueryLists(const Index& index, const Query& query) {
        for (int64_t t = 0; t < query.size; ++t) {
            if (const Postings* list = index.postings(query.terms[t])) {
                docs.insert(docs.end(), list->docs.begin(), list->docs.end());
                values.insert(values.end(), list->values.begin(), list->values.end());
            }
            starts.push_back(static_cast<int64_t>(docs.size()));
        }
    }
};

struct Gathered {
    QueryLists host;
    In<uint32_t> docs;
    In<float> values;
    In<int64_t> starts;
    In<float> weights, lengths;
    Bm25 bm25;
    Flag not_finite;
    unsigned blocks;

    Gathered(const Index& index, const Query& query, const Bm25* given, Stream stream)
        : host(index, query),
          docs(host.docs.data(), static_cast<int64_t>(host.docs.size()), stream),
          values(host.values.data(), static_cast<int64_t>(host.values.size()), stream),
          starts(host.starts.data(), static_cast<int64_t>(host.starts.size()), stream),
          weights(query.weights, query.size, stream),
          lengths(given ? index.lengths().data() : nullptr, index.size(), stream),
          bm25(given ? *given : Bm25{}),
          not_finite(stream),
          blocks(static_cast<unsigned>(std::max<int64_t>((index.size() + WINDOW - 1) / WINDOW, 1))) {}
};

}  // namespace

void scores_cuda(const Index& index, const Query& query, const Bm25* bm25, float* out, void* given_stream) {
    if (index.size() == 0) return;
    const auto stream = static_cast<Stream>(given_stream);
    const Gathered lists(index, query, bm25, stream);
    const Out<float> found(out, index.size(), stream);
    cg_sparse_scores<<<lists.blocks, BLOCK, 0, stream>>>(
        lists.docs.get(), lists.values.get(), reinterpret_cast<const long long*>(lists.starts.get()), lists.weights.get(),
        static_cast<int>(query.size), lists.lengths.get(), lists.bm25.gain, lists.bm25.flat, lists.bm25.slope,
        static_cast<unsigned>(index.size()), found.get(), lists.not_finite.get());
    launched("cg_sparse_scores");
    require_finite(lists.not_finite);
    found.finish();
    wait(stream);
}

void search_cuda(const Index& index, const Query& query, const Bm25* bm25, int64_t k, const uint8_t* mask, float* scores,
                 int64_t* ids, void* given_stream) {
    if (k == 0) return;
    const auto stream = static_cast<Stream>(given_stream);
    const Gathered lists(index, query, bm25, stream);
    const In<uint8_t> visible(mask, index.size(), stream);
    const Out<float> found(scores, k, stream);
    const Out<int64_t> found_ids(ids, k, stream);
    choose(1, index.size(), k, lists.blocks, found.get(), found_ids.get(), stream,
           [&](int part, const uint64_t* below, uint64_t* best) {
               cg_sparse_search<<<lists.blocks, BLOCK, 0, stream>>>(
                   lists.docs.get(), lists.values.get(), reinterpret_cast<const long long*>(lists.starts.get()),
                   lists.weights.get(), static_cast<int>(query.size), lists.lengths.get(), lists.bm25.gain,
                   lists.bm25.flat, lists.bm25.slope, visible.get(), static_cast<unsigned>(index.size()), part, below,
                   best, lists.not_finite.get());
               launched("cg_sparse_search");
           });
    require_finite(lists.not_finite);
    found.finish();
    found_ids.finish();
    wait(stream);
}

}  // namespace cg::sparse
