// Postings by term, scored window by window.

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "context_graph/select.hpp"
#include "context_graph/sparse.hpp"
#include "context_graph/threads.hpp"
#include "finite.hpp"

namespace cg::sparse {
namespace {

constexpr int64_t WINDOW = 1 << 15;  // sums of one window: 128 KiB, inside L2
constexpr int64_t MOST_DOCUMENTS = int64_t{1} << 31;  // gathers read document numbers as signed

// The first posting at or after `limit`, looked for near `from`: windows come in order.
int64_t reach(const std::vector<uint32_t>& docs, int64_t from, int64_t limit) {
    const int64_t n = static_cast<int64_t>(docs.size());
    int64_t step = 64, low = from;
    while (low + step < n && docs[low + step] < limit) {
        low += step;
        step *= 2;
    }
    const int64_t high = std::min(low + step, n);
    return std::lower_bound(docs.begin() + low, docs.begin() + high, static_cast<uint32_t>(limit)) - docs.begin();
}

}  // namespace

Index::Index() = default;
Index::~Index() = default;  // here, where a Resident is whole

void Index::append(const int64_t* terms, const float* values, const int64_t* sizes, int64_t documents) {
    if (size() + documents >= MOST_DOCUMENTS) throw std::invalid_argument("an index holds at most 2^31 - 1 documents");
    int64_t at = 0;
    for (int64_t i = 0; i < documents; ++i) {
        const auto doc = static_cast<uint32_t>(lengths_.size());
        double length = 0;
        for (int64_t x = 0; x < sizes[i]; ++x, ++at) {
            if (values[at] == 0) continue;
            const auto [slot, fresh] = slots_.try_emplace(terms[at], static_cast<uint32_t>(lists_.size()));
            if (fresh) {
                lists_.emplace_back();
                terms_.push_back(terms[at]);
            }
            Postings& list = lists_[slot->second];
            if (!list.docs.empty() && list.docs.back() == doc) {
                list.values.back() += values[at];  // unreachable from Python, which refuses a repeated term
            } else {
                list.docs.push_back(doc);
                list.values.push_back(values[at]);
                ++list.live;
                forward_.push_back(slot->second);
            }
            length += values[at];
            negative_ |= values[at] < 0;
        }
        forward_start_.push_back(static_cast<int64_t>(forward_.size()));
        lengths_.push_back(static_cast<float>(length));
        counted_.push_back(1);
        total_ += lengths_.back();
        ++live_;
    }
}

void Index::set_live(const int64_t* ids, int64_t n, bool live) {
    for (int64_t i = 0; i < n; ++i) {
        const int64_t doc = ids[i];
        if (doc < 0 || doc >= size()) throw std::invalid_argument("ids must name documents of this index");
        if (static_cast<bool>(counted_[doc]) == live) continue;
        counted_[doc] = live;
        const int by = live ? 1 : -1;
        for (int64_t x = forward_start_[doc]; x < forward_start_[doc + 1]; ++x) lists_[forward_[x]].live += by;
        total_ += by * double{lengths_[doc]};
        live_ += by;
    }
}

int64_t Index::bytes() const {
    const int64_t pairs = static_cast<int64_t>(forward_.size());
    return pairs * 12 + size() * 13 + static_cast<int64_t>(lists_.size() * (sizeof(Postings) + 32));
}

const Postings* Index::postings(int64_t term) const {
    const auto slot = slots_.find(term);
    return slot == slots_.end() ? nullptr : &lists_[slot->second];
}

int64_t Index::df(int64_t term) const {
    const Postings* list = postings(term);
    return list ? list->live : 0;
}

int64_t Index::touched(const Query& query) const {
    int64_t pairs = 0;
    for (int64_t t = 0; t < query.size; ++t) {
        if (const Postings* list = postings(query.terms[t])) pairs += static_cast<int64_t>(list->docs.size());
    }
    return pairs;
}

// visit(part, first, last, sums) sees each window once its sums are whole. A document belongs to one window and its
// sum grows in the order of the query's terms, so parts and threads change no bit.
template <class Visit>
void Index::scan(const Kernel& kernel, const Query& query, const Bm25* bm25, int parts, Visit visit) const {
    std::vector<const Postings*> lists(query.size);
    for (int64_t t = 0; t < query.size; ++t) lists[t] = postings(query.terms[t]);
    const int64_t windows = (size() + WINDOW - 1) / WINDOW;
    split(windows, parts, [&](int part, int64_t begin, int64_t end) {
        std::vector<float> sums(WINDOW);
        std::vector<int64_t> at(query.size, 0);
        for (int64_t window = begin; window < end; ++window) {
            const int64_t first = window * WINDOW, last = std::min(first + WINDOW, size());
            std::fill(sums.begin(), sums.begin() + (last - first), 0.0f);
            for (int64_t t = 0; t < query.size; ++t) {
                if (lists[t] == nullptr) continue;
                const Postings& list = *lists[t];
                const int64_t from = reach(list.docs, at[t], first), to = reach(list.docs, from, last);
                at[t] = to;
                const uint32_t* docs = list.docs.data() + from;
                const float* values = list.values.data() + from;
                const auto base = static_cast<uint32_t>(first);
                if (bm25 != nullptr) {
                    kernel.bm25(docs, values, to - from, query.weights[t], *bm25, lengths_.data(), base, sums.data());
                } else {
                    kernel.dot(docs, values, to - from, query.weights[t], base, sums.data());
                }
            }
            require_finite(sums.data(), last - first);
            visit(part, first, last, sums.data());
        }
    });
}

void Index::scores(const Kernel& kernel, const Query& query, const Bm25* bm25, float* out, int threads) const {
    const int parts = worth_waking(threads, 8 * touched(query) + size());
    scan(kernel, query, bm25, parts, [&](int, int64_t first, int64_t last, const float* sums) {
        std::copy(sums, sums + (last - first), out + first);
    });
}

void Index::search(const Kernel& kernel, const Query& query, const Bm25* bm25, int64_t k, const uint8_t* mask,
                   float* scores, int64_t* ids, int threads) const {
    const int parts = worth_waking(threads, 8 * touched(query) + size());
    std::vector<TopK> best(parts, TopK(k));
    scan(kernel, query, bm25, parts, [&](int part, int64_t first, int64_t last, const float* sums) {
        best[part].offer_all(sums, last - first, first, mask ? mask + first : nullptr);
    });
    write_best(best, k, scores, ids);
}

}  // namespace cg::sparse
