#include "context_graph/c/sparse.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <optional>
#include <shared_mutex>

#include "c_api.hpp"
#include "context_graph/sparse.hpp"
#include "finite.hpp"

using namespace cg::c_api;
namespace sparse = cg::sparse;

struct cgk_sparse_index {
    sparse::Index index;
};

namespace {

// The rarest terms first, of equal ones the lowest: sums are then the same whatever order a query lists them in.
class SortedQuery {
   public:
    SortedQuery(const cgk_sparse_query& query, const sparse::Index& index) {
        expect_array(query.terms, query.n, "query.terms");
        expect_finite(query.weights, query.n, "query.weights");
        std::vector<int64_t> order(query.n), df(query.n);
        std::iota(order.begin(), order.end(), int64_t{0});
        for (int64_t i = 0; i < query.n; ++i) df[i] = index.df(query.terms[i]);
        std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
            return std::make_pair(df[a], query.terms[a]) < std::make_pair(df[b], query.terms[b]);
        });
        for (const int64_t i : order) {
            expect(query.terms[i] >= 0, "query.terms must be at least 0, got " + std::to_string(query.terms[i]));
            terms_.push_back(query.terms[i]);
            weights_.push_back(query.weights[i]);
        }
    }
    sparse::Query view() const { return {terms_.data(), weights_.data(), static_cast<int64_t>(terms_.size())}; }

   private:
    std::vector<int64_t> terms_;
    std::vector<float> weights_;
};

// To be asked for under the lock: the average length changes with the documents.
std::optional<sparse::Bm25> constants(const sparse::Index& index, const cgk_bm25* bm25) {
    if (bm25 == nullptr) return std::nullopt;
    const double k1 = bm25->k1, b = bm25->b, average = index.average_length();
    expect(k1 >= 0 && b >= 0 && b <= 1, "bm25.k1 must be at least 0 and .b in [0, 1], got " + std::to_string(k1) + " and " +
                                            std::to_string(b));
    expect(!index.has_negative(), "bm25 needs positive values, and this index holds negative ones; use dot products");
    return sparse::Bm25{static_cast<float>(k1 + 1), static_cast<float>(k1 * (1 - b)),
                        static_cast<float>(average > 0 ? k1 * b / average : 0.0)};
}

void expect_documents(const int64_t* terms, const int64_t* sizes, int64_t documents) {
    std::vector<int64_t> sorted;
    for (int64_t i = 0, at = 0; i < documents; at += sizes[i++]) {
        sorted.assign(terms + at, terms + at + sizes[i]);
        std::sort(sorted.begin(), sorted.end());
        expect(sorted.empty() || sorted.front() >= 0, "terms must be at least 0, got others in document " + std::to_string(i));
        expect(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end(),
               "terms must be unique in a document, got one twice in document " + std::to_string(i));
    }
}

}  // namespace

cgk_status cgk_sparse_create(cgk_sparse_index** out) {
    return guarded([&] {
        expect(out != nullptr, "out must not be NULL");
        *out = nullptr;
        *out = new cgk_sparse_index;
    });
}

void cgk_sparse_destroy(cgk_sparse_index* index) { delete index; }

cgk_status cgk_sparse_append(cgk_sparse_index* index, const int64_t* terms, const float* values, const int64_t* sizes,
                             int64_t documents) {
    return guarded([&] {
        given(index, "index");
        expect_array(sizes, documents, "sizes");
        expect(std::all_of(sizes, sizes + documents, [](int64_t size) { return size >= 0; }), "sizes must be at least 0");
        const int64_t pairs = std::accumulate(sizes, sizes + documents, int64_t{0});
        expect_array(terms, pairs, "terms");
        expect_finite(values, pairs, "values");
        expect_documents(terms, sizes, documents);
        std::unique_lock writing(index->index.mutex);
        index->index.append(terms, values, sizes, documents);
    });
}

cgk_status cgk_sparse_set_live(cgk_sparse_index* index, const int64_t* ids, int64_t n, int live) {
    return guarded([&] {
        given(index, "index");
        expect_array(ids, n, "ids");
        std::unique_lock writing(index->index.mutex);
        for (int64_t i = 0; i < n; ++i)
            expect(ids[i] >= 0 && ids[i] < index->index.size(), "ids must name documents of this index, got " + std::to_string(ids[i]));
        index->index.set_live(ids, n, live != 0);
    });
}

int64_t cgk_sparse_size(const cgk_sparse_index* index) {
    if (index == nullptr) return 0;
    std::shared_lock reading(index->index.mutex);
    return index->index.size();
}

int64_t cgk_sparse_live(const cgk_sparse_index* index) {
    if (index == nullptr) return 0;
    std::shared_lock reading(index->index.mutex);
    return index->index.live();
}

cgk_status cgk_sparse_df(const cgk_sparse_index* index, const int64_t* terms, int64_t n, int64_t* out) {
    return guarded([&] {
        given(index, "index");
        expect_array(terms, n, "terms");
        expect_array(out, n, "out");
        std::shared_lock reading(index->index.mutex);
        for (int64_t i = 0; i < n; ++i) out[i] = index->index.df(terms[i]);
    });
}

cgk_status cgk_sparse_scores(const cgk_sparse_index* index, const cgk_sparse_query* query, const cgk_bm25* bm25, float* out,
                             int64_t n, int threads) {
    return guarded([&] {
        given(index, "index");
        given(query, "query");
        expect_array(out, n, "out");
        std::shared_lock reading(index->index.mutex);
        const SortedQuery sorted(*query, index->index);
        expect(n == index->index.size(), "n must be the number of documents, " + std::to_string(index->index.size()) + ", got " +
                                             std::to_string(n));
        const std::optional<sparse::Bm25> by = constants(index->index, bm25);
        index->index.scores(sparse::best_kernel(), sorted.view(), by ? &*by : nullptr, out, thread_count(threads));
    });
}

cgk_status cgk_sparse_search(const cgk_sparse_index* index, const cgk_sparse_query* query, const cgk_bm25* bm25, int64_t k,
                             const uint8_t* mask, int64_t n, float* scores, int64_t* ids, int threads) {
    return guarded([&] {
        given(index, "index");
        given(query, "query");
        expect_choice(k, scores, ids, 1);
        std::shared_lock reading(index->index.mutex);
        const SortedQuery sorted(*query, index->index);
        expect(mask == nullptr || n == index->index.size(), "mask must have one byte a document, " +
                                                                std::to_string(index->index.size()) + ", got " + std::to_string(n));
        const std::optional<sparse::Bm25> by = constants(index->index, bm25);
        index->index.search(sparse::best_kernel(), sorted.view(), by ? &*by : nullptr, k, mask, scores, ids,
                            thread_count(threads));
    });
}
