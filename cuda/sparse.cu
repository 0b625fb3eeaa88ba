// An inverted index in compressed lists: a block takes a window of documents, whose sums stay in shared memory.
//
// Memory is the bound: 8 bytes a posting of the query's terms, read once. The terms come one after another with a barrier
// between, and within one term a document has at most one posting; so no addition needs an atomic, a sum grows in the
// order of the query's terms, and its bits are those of the CPU.

#include <cuda_runtime.h>

#include <algorithm>

#include "../csrc/include/context_graph/sparse.hpp"
#include "memory.cuh"
#include "select.cuh"

namespace cg::sparse::device {

using namespace cg::device;

constexpr int WINDOW = 4096;

// The first posting from `from` to `to` whose document is at least `limit`.
__device__ inline long long lower_bound(const unsigned* docs, long long from, long long to, unsigned limit) {
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

// What all kernels here take: list t is docs and values begins[t] ... ends[t] - 1. lengths is null for dot products.
struct Lists {
    const unsigned* docs;
    const float* values;
    const long long* begins;
    const long long* ends;
    const float* weights;
    int terms;
    const float* lengths;
    float gain, flat, slope;
};

__device__ inline void add_window(const Lists& lists, unsigned first, unsigned count, float* sums) {
    for (unsigned i = threadIdx.x; i < count; i += BLOCK) sums[i] = 0;
    __syncthreads();
    for (int t = 0; t < lists.terms; ++t) {
        const long long from = lower_bound(lists.docs, lists.begins[t], lists.ends[t], first);
        const long long to = lower_bound(lists.docs, from, lists.ends[t], first + count);
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
    cg_sparse_scores(const unsigned* docs, const float* values, const long long* begins, const long long* ends,
                     const float* weights, int terms, const float* lengths, float gain, float flat, float slope, unsigned n, float* out,
                     int* not_finite) {
    __shared__ float sums[WINDOW];
    const Lists lists{docs, values, begins, ends, weights, terms, lengths, gain, flat, slope};
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
    cg_sparse_search(const unsigned* docs, const float* values, const long long* begins, const long long* ends,
                     const float* weights, int terms, const float* lengths, float gain, float flat, float slope, const unsigned char* mask, unsigned n,
                     int k, const uint64_t* below, uint64_t* best, int* not_finite) {
    __shared__ float sums[WINDOW];
    const Lists lists{docs, values, begins, ends, weights, terms, lengths, gain, flat, slope};
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

// A warp a list: `count` postings from one place to another, which do not overlap, in the same memory or not. Memory is the
// bound: 16 bytes a posting; lists are short, so few lanes of a warp have work.
extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_sparse_move(const unsigned* docs, const float* values, const long long* from, const long long* to,
                   const long long* counts, unsigned lists, unsigned* to_docs, float* to_values) {
    for (unsigned list = blockIdx.x * WARPS + warp_of(); list < lists; list += gridDim.x * WARPS) {
        const long long begin = from[list], place = to[list], count = counts[list];
        for (long long p = lane_of(); p < count; p += WARP) {
            to_docs[place + p] = docs[begin + p];
            to_values[place + p] = values[begin + p];
        }
    }
}

namespace cg::sparse {
namespace {

using namespace cg::cuda;

// Which lists go where.
struct BlockCopies {
    std::vector<int64_t> from, to, counts;

    void add(int64_t begin, int64_t place, int64_t count) {
        from.push_back(begin);
        to.push_back(place);
        counts.push_back(count);
    }
    void run(const uint32_t* docs, const float* values, uint32_t* to_docs, float* to_values, Stream stream) const {
        const auto lists = static_cast<int64_t>(from.size());
        if (lists == 0) return;
        const In<int64_t> begins(from.data(), lists, stream), places(to.data(), lists, stream), lengths(counts.data(), lists, stream);
        cg_sparse_move<<<blocks_for(lists), BLOCK, 0, stream>>>(
            docs, values, reinterpret_cast<const long long*>(begins.get()), reinterpret_cast<const long long*>(places.get()),
            reinterpret_cast<const long long*>(lengths.get()), static_cast<unsigned>(lists), to_docs, to_values);
        launched("cg_sparse_move");
        wait(stream);  // a search on any stream finds them
    }
};

}  // namespace

void Resident::upload(const Index& index) {
    std::vector<int64_t> terms(index.n_terms());
    for (size_t slot = 0; slot < terms.size(); ++slot) terms[slot] = index.term_at(static_cast<int64_t>(slot));
    upload(index, terms.data(), static_cast<int64_t>(terms.size()));
}

void Resident::upload(const Index& index, const int64_t* terms, int64_t n) {
    std::vector<int64_t> changed_terms(terms, terms + n);
    std::sort(changed_terms.begin(), changed_terms.end());
    changed_terms.erase(std::unique(changed_terms.begin(), changed_terms.end()), changed_terms.end());
    BlockCopies moved, appended;
    std::vector<uint32_t> docs;
    std::vector<float> values;
    const int64_t used = top_;
    for (const int64_t term : changed_terms) {
        const Postings list = index.postings(term);
        if (list.size == 0) continue;
        List& here = lists_[term];
        const int64_t total = list.size;
        if (total == here.count) continue;
        if (total > here.room) {
            if (here.count > 0) moved.add(here.begin, top_, here.count);
            here.begin = top_;
            here.room = std::max(total, 2 * here.room);
            top_ += here.room;
        }
        appended.add(static_cast<int64_t>(docs.size()), here.begin + here.count, total - here.count);
        docs.insert(docs.end(), list.docs + here.count, list.docs + total);
        values.insert(values.end(), list.values + here.count, list.values + total);
        here.count = total;
    }
    docs_.reserve(top_, used);
    values_.reserve(top_, used);
    auto* to_docs = reinterpret_cast<uint32_t*>(docs_.block().get());
    auto* to_values = reinterpret_cast<float*>(values_.block().get());
    const auto stream = static_cast<Stream>(gpu::Context().stream);
    moved.run(to_docs, to_values, to_docs, to_values, stream);
    const auto count = static_cast<int64_t>(docs.size());
    const In<uint32_t> new_docs(docs.data(), count, stream);
    const In<float> new_values(values.data(), count, stream);
    appended.run(new_docs.get(), new_values.get(), to_docs, to_values, stream);
    postings_ += count;
    const auto all = static_cast<int64_t>(index.lengths().size());
    lengths_.reserve(all, documents_);
    lengths_.write(documents_, index.lengths().data() + documents_, all - documents_, sizeof(float));
    documents_ = all;
}

Resident::List Resident::list(int64_t term) const {
    const auto found = lists_.find(term);
    return found == lists_.end() ? List{} : found->second;
}

namespace {

// The lists of the query's terms, and what else a launch takes.
struct Lists {
    std::vector<int64_t> host_begins, host_ends;
    In<int64_t> begins, ends;
    In<float> weights;
    const float* lengths;
    Bm25 bm25;
    int* not_finite;
    unsigned blocks;

    Lists(const Resident& index, const Query& query, const Bm25* given, Work& work)
        : host_begins(places(index, query, false)),
          host_ends(places(index, query, true)),
          begins(host_begins.data(), query.size, work.stream),
          ends(host_ends.data(), query.size, work.stream),
          weights(query.weights, query.size, work.stream),
          lengths(given ? index.lengths() : nullptr),
          bm25(given ? *given : Bm25{}),
          not_finite(work.not_finite()),
          blocks(static_cast<unsigned>(std::max<int64_t>((index.size() + WINDOW - 1) / WINDOW, 1))) {}

    static std::vector<int64_t> places(const Resident& index, const Query& query, bool ends) {
        std::vector<int64_t> found(query.size);
        for (int64_t t = 0; t < query.size; ++t) {
            const Resident::List list = index.list(query.terms[t]);
            found[t] = list.begin + (ends ? list.count : 0);
        }
        return found;
    }
    const long long* first() const { return reinterpret_cast<const long long*>(begins.get()); }
    const long long* last() const { return reinterpret_cast<const long long*>(ends.get()); }
};

}  // namespace

void scores_cuda(const Resident& index, const Query& query, const Bm25* bm25, float* out, const gpu::Context& context) {
    if (index.size() == 0) return;
    Work work(context);
    const Lists lists(index, query, bm25, work);
    const Out<float> found(out, index.size(), work);
    cg_sparse_scores<<<lists.blocks, BLOCK, 0, work.stream>>>(
        index.docs(), index.values(), lists.first(), lists.last(), lists.weights.get(), static_cast<int>(query.size), lists.lengths,
        lists.bm25.gain, lists.bm25.flat, lists.bm25.slope, static_cast<unsigned>(index.size()), found.get(),
        lists.not_finite);
    launched("cg_sparse_scores");
    found.finish();
    work.end();
}

void search_cuda(const Resident& index, const Query& query, const Bm25* bm25, int64_t k, const uint8_t* mask, float* scores,
                 int64_t* ids, const gpu::Context& context) {
    if (k == 0) return;
    Work work(context);
    const Lists lists(index, query, bm25, work);
    const In<uint8_t> visible(mask, index.size(), work.stream);
    const Out<float> found(scores, k, work);
    const Out<int64_t> found_ids(ids, k, work);
    choose(1, index.size(), k, lists.blocks, found.get(), found_ids.get(), work.stream,
           [&](int part, const uint64_t* below, uint64_t* best) {
               cg_sparse_search<<<lists.blocks, BLOCK, 0, work.stream>>>(
                   index.docs(), index.values(), lists.first(), lists.last(), lists.weights.get(), static_cast<int>(query.size),
                   lists.lengths, lists.bm25.gain, lists.bm25.flat, lists.bm25.slope, visible.get(),
                   static_cast<unsigned>(index.size()), part, below, best, lists.not_finite);
               launched("cg_sparse_search");
           });
    found.finish();
    found_ids.finish();
    work.end();
}

}  // namespace cg::sparse
