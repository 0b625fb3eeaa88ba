#pragma once
// An inverted index that grows: documents of (term, value) pairs, scored by dot product or BM25.

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <shared_mutex>
#include <unordered_map>
#include <vector>

#include "column.hpp"
#include "dispatch.hpp"
#include "gpu.hpp"

namespace cg::sparse {

class Resident;

// BM25 of one pair: weight * value (k1 + 1) / (value + flat + slope * length), where
// flat = k1 (1 - b) and slope = k1 b / average length.
struct Bm25 {
    float gain;  // k1 + 1
    float flat, slope;
};

struct Kernel {
    // Adds one term's postings to the sums of a window of documents; docs ascend, each once. Plain multiplication and
    // addition in one order, so every backend gives the same bits.
    void (*dot)(const uint32_t* docs, const float* values, int64_t n, float weight, uint32_t base, float* sums);
    void (*bm25)(const uint32_t* docs, const float* values, int64_t n, float weight, const Bm25& bm25,
                 const float* lengths, uint32_t base, float* sums);
    // Writes the numbers of the sums that reach `least`, ascending, and returns how many they are. Room for n of them.
    int64_t (*reaching)(const float* sums, int64_t n, float least, uint32_t* out);
};
extern const Kernel kernel_scalar, kernel_avx2, kernel_avx512;
// The table of one of them, and of the one that best_isa() names; BackendUnavailable where it is not usable here.
const Kernel& kernel_of(Isa isa);
const Kernel& best_kernel();

// The documents of one term, ascending, and their values; valid until the index grows.
struct Postings {
    const uint32_t* docs = nullptr;
    const float* values = nullptr;
    int64_t size = 0;
    int64_t live = 0;  // documents that still count
};

// An index as it was built, in arrays of the caller: the lists of its terms one after another.
struct IndexArrays {
    const int64_t* terms = nullptr;    // ascending
    const int64_t* starts = nullptr;   // of each list, and where the last ends: n_terms + 1
    const uint32_t* docs = nullptr;
    const float* values = nullptr;
    int64_t n_terms = 0;
    const uint32_t* forward = nullptr;       // places of each document's terms, in the order they were given
    const int64_t* forward_starts = nullptr;  // documents + 1
    const float* lengths = nullptr;
    int64_t documents = 0;
    double total = 0;       // of the lengths
    bool negative = false;  // whether a value is below 0

    int64_t pairs() const { return n_terms > 0 ? starts[n_terms] : 0; }
};

struct Query {
    const int64_t* terms;
    const float* weights;
    int64_t size;
};

// A walk between some documents and the terms they share.
struct Walk {
    const int64_t* ids;    // of the documents that take part, each once
    const double* seeds;   // where it restarts, one number a document
    int64_t size;
    const int64_t* terms;  // where else it restarts, in proportion to their idf: half of the mass, if any takes part
    int64_t n_query_terms;
    int64_t max_df;        // documents that may share a term before it links nothing
    double damping;        // how likely it goes on
    int steps;
};

class Index {
   public:
    Index();
    ~Index();
    // Documents one after another: lengths[i] pairs each, terms unique within a document; zeros are not kept.
    void append(const int64_t* terms, const float* values, const int64_t* sizes, int64_t documents);
    // Loads what `to_arrays` of another index wrote, where this one is empty: its arrays stay with the caller, who keeps them as
    // long as this index lives. A list of them that grows is copied then.
    void load_arrays(const IndexArrays& arrays);
    // Writes out all documents as if all counted: room for terms() and pairs().
    void to_arrays(int64_t* terms, int64_t* starts, uint32_t* docs, float* values, uint32_t* forward,
                   int64_t* forward_starts) const;
    // Whether documents count in df and the average length; their postings stay.
    void set_live(const int64_t* ids, int64_t n, bool live);

    // Those that do not count, ascending.
    std::vector<int64_t> discounted() const;

    // A byte a document: 1 for those that count and that a mask of as many bytes, or none, does not hide.
    std::vector<uint8_t> counting(const uint8_t* mask) const;

    int64_t size() const { return static_cast<int64_t>(lengths_.size()); }
    int64_t bytes() const;
    int64_t df(int64_t term) const;
    Postings postings(int64_t term) const;  // of no size where no document holds the term
    const std::vector<float>& lengths() const { return lengths_; }
    double average_length() const { return live_ > 0 ? total_ / static_cast<double>(live_) : 0.0; }
    bool has_negative() const { return negative_; }
    int64_t live() const { return live_; }
    int64_t n_terms() const { return loaded_.n_terms + static_cast<int64_t>(terms_.size()); }
    int64_t term_at(int64_t slot) const {
        return slot < loaded_.n_terms ? loaded_.terms[slot] : terms_[slot - loaded_.n_terms];
    }
    int64_t pairs() const { return forward_start(size()); }
    double total() const { return total_; }

    // Scores of all documents, in order of the query's terms. bm25 may be null: then dot products.
    void scores(const Kernel& kernel, const Query& query, const Bm25* bm25, float* out, int threads) const;
    // The same scores, of the best. Fastest where the terms that can add most come first: lists behind them are looked
    // up for the documents alone that can still be among the best.
    void search(const Kernel& kernel, const Query& query, const Bm25* bm25, int64_t k, const uint8_t* mask,
                float* scores, int64_t* ids, int threads) const;

    // The terms of a document, in the order they were given.
    void terms_of(int64_t id, std::vector<int64_t>& out) const;
    // What each of some documents has of each term: out[i * terms + t], 0 where it lacks it.
    void table(const int64_t* terms, int64_t n, const int64_t* ids, int64_t m, float* out) const;
    // Personalised PageRank of the documents of a walk. It goes from a document to its terms and from a term to its
    // documents, both in proportion to the idf of the term, ln(live documents / documents that hold it).
    // False, and out untouched, where no two of the index's documents share a term of these.
    bool pagerank(const Walk& walk, double* out) const;

    // Where searches run on a device; null where none do.
    std::unique_ptr<Resident> resident;

    // For callers with threads: shared around scores and search, exclusive around append and set_live.
    mutable std::shared_mutex mutex;

   private:
    std::vector<Postings> lists_of(const Query& query) const;
    float max_value(int64_t term) const;  // of its postings; 0 where none is above
    std::vector<float> remaining(const Query& query, const Bm25* bm25) const;

    struct List {
        std::vector<uint32_t> docs;
        std::vector<float> values;
        int64_t live = 0;
        float max_value = 0;
    };
    static constexpr int64_t NO_SLOT = -1;

    // A term's slot is its place in what was taken over, or follows those.
    int64_t slot_of(int64_t term) const;
    Postings at(int64_t slot) const;
    float loaded_max(int64_t slot) const;
    List& owned_list(int64_t slot);  // the list that this index owns
    int64_t& live_at(int64_t slot);
    int64_t forward_start(int64_t doc) const {
        return doc <= loaded_.documents && loaded_.documents > 0 ? loaded_.forward_starts[doc]
                                                                 : forward_start_[doc - loaded_.documents];
    }
    uint32_t forward_at(int64_t x) const {
        return x < loaded_pairs_ ? loaded_.forward[x] : forward_[x - loaded_pairs_];
    }

    IndexArrays loaded_;
    int64_t loaded_pairs_ = 0;
    std::vector<int64_t> loaded_live_;  // of each list taken over
    mutable std::vector<std::atomic<float>> loaded_max_;  // its largest value, from the first search on; 0 before
    std::unordered_map<int64_t, List> grown_lists_;  // those that have grown since
    std::unordered_map<int64_t, uint32_t> slots_;  // other term -> its place in lists_
    std::vector<int64_t> terms_;                   // that place -> term
    std::vector<List> lists_;
    std::vector<uint32_t> forward_;  // slots of each document, to discount it later
    std::vector<int64_t> forward_start_{0};
    std::vector<float> lengths_;  // sum of a document's values
    std::vector<uint8_t> is_live_;
    float min_length_ = std::numeric_limits<float>::max();
    double total_ = 0;
    int64_t live_ = 0;
    bool negative_ = false;
};

// The postings of an index once more, in the memory of the CUDA device that was in use when this was made: a list of each
// term in room of its own, which doubles and then moves within that memory.
class Resident {
 public:
    struct List {
        int64_t begin = 0, count = 0, room = 0;
    };

    Resident() : docs_(4, 4), values_(4, 4), lengths_(4, 4) {}

    // What the index has more than this: of these terms, and of all documents. It goes up once. After an exception this is
    // of no use.
    void upload(const Index& index, const int64_t* terms, int64_t n);
    // The whole index.
    void upload(const Index& index);

    int device() const { return docs_.device(); }
    int64_t size() const { return documents_; }
    int64_t bytes() const { return 8 * postings_ + 4 * documents_; }
    List list(int64_t term) const;
    const uint32_t* docs() const { return reinterpret_cast<const uint32_t*>(docs_.block().get()); }
    const float* values() const { return reinterpret_cast<const float*>(values_.block().get()); }
    const float* lengths() const { return reinterpret_cast<const float*>(lengths_.block().get()); }

 private:
    gpu::Column docs_, values_, lengths_;
    int64_t top_ = 0, postings_ = 0, documents_ = 0;  // top: where the last room ends
    std::unordered_map<int64_t, List> lists_;
};

// The same on that device. Query and results may lie on the host or there; for `context` a cudaStream_t does.
void scores_cuda(const Resident& index, const Query& query, const Bm25* bm25, float* out, const gpu::Context& context = {});
void search_cuda(const Resident& index, const Query& query, const Bm25* bm25, int64_t k, const uint8_t* mask, float* scores,
                 int64_t* ids, const gpu::Context& context = {});

}  // namespace cg::sparse
