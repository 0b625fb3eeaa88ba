// Scores, a window of documents at a time. A search stops adding whole lists once what is left of the query cannot lift a
// document that has nothing yet among the best: the lists behind, which are the longest where rare terms come first, are
// looked up for the few documents that can still be (MaxScore: Turtle and Flood, Query evaluation: strategies and
// optimizations, 1995). Each of these gets all of its terms in the same order as without that, so no bit changes.

#include <algorithm>
#include <cmath>

#include "context_graph/select.hpp"
#include "context_graph/sparse.hpp"
#include "context_graph/threads.hpp"
#include "finite.hpp"

namespace cg::sparse {
namespace {

constexpr int64_t WINDOW = 1 << 15;  // sums of one window: 128 KiB, inside L2
constexpr int64_t LOOKUP = 8;        // what finding one posting costs, in postings that are added one after another
constexpr int64_t LONG_LIST = 4;     // a list that every fourth document is in costs more to add than to look for candidates
constexpr double MAX_BOUND = 1e37;   // sums below it cannot overflow

// The first posting of a list at or after `limit`, looked for near `from`: windows and documents come in order.
int64_t gallop(const Postings& list, int64_t from, int64_t limit, int64_t step) {
    int64_t low = from;
    while (low + step < list.size && list.docs[low + step] < limit) {
        low += step;
        step *= 2;
    }
    const int64_t high = std::min(low + step, list.size);
    return std::lower_bound(list.docs + low, list.docs + high, static_cast<uint32_t>(limit)) - list.docs;
}

// What a value adds at a weight of 1, with the bits of every kernel. It grows with the value and falls with the length.
float gained(const Bm25* bm25, float value, float length) {
    return bm25 ? value * bm25->gain / (value + (bm25->flat + bm25->slope * length)) : value;
}

// What all threads share of a search.
struct SharedQuery {
    const Kernel& kernel;
    const Query& query;
    const Bm25* bm25;
    std::vector<Postings> lists;
    const float* lengths;

    int64_t terms() const { return query.size; }

    int64_t postings() const {
        int64_t count = 0;
        for (const Postings& list : lists) count += list.size;
        return count;
    }
};

// The sums of a window of documents.
class Window {
   public:
    explicit Window(const SharedQuery& shared) : shared_(shared), sums_(WINDOW), from_(shared.terms(), 0), to_(shared.terms(), 0) {}

    void open(int64_t first, int64_t last) {
        first_ = first;
        count_ = last - first;
        std::fill(sums_.begin(), sums_.begin() + count_, 0.0f);
        for (int64_t t = 0; t < shared_.terms(); ++t) {
            from_[t] = gallop(shared_.lists[t], to_[t], first, 64);
            to_[t] = gallop(shared_.lists[t], from_[t], last, 64);
        }
    }

    int64_t first() const { return first_; }
    int64_t count() const { return count_; }
    const float* sums() const { return sums_.data(); }
    int64_t postings(int64_t t) const { return to_[t] - from_[t]; }

    void add(int64_t t) {
        const Postings& list = shared_.lists[t];
        if (postings(t) == 0) return;
        const uint32_t* docs = list.docs + from_[t];
        const float *values = list.values + from_[t], weight = shared_.query.weights[t];
        const auto base = static_cast<uint32_t>(first_);
        if (shared_.bm25) {
            shared_.kernel.bm25(docs, values, postings(t), weight, *shared_.bm25, shared_.lengths, base, sums_.data());
        } else {
            shared_.kernel.dot(docs, values, postings(t), weight, base, sums_.data());
        }
    }

    // The same for these documents alone, ascending.
    void add_to(const std::vector<uint32_t>& documents, int64_t t) {
        const Postings& list = shared_.lists[t];
        int64_t at = from_[t];
        for (const uint32_t i : documents) {
            const int64_t doc = first_ + i;
            at = gallop(list, at, doc, 8);
            if (at >= to_[t]) return;
            if (list.docs[at] != doc) continue;
            sums_[i] += shared_.query.weights[t] * gained(shared_.bm25, list.values[at], shared_.lengths[doc]);
        }
    }

   private:
    const SharedQuery& shared_;
    std::vector<float> sums_;
    std::vector<int64_t> from_, to_;  // postings of each term that lie in it
    int64_t first_ = 0, count_ = 0;
};

// The best of one thread's windows.
class Search {
   public:
    Search(const SharedQuery& shared, const std::vector<float>& remaining, int64_t k, const uint8_t* mask, TopK& best)
        : window_(shared), shared_(shared), remaining_(remaining), k_(k), mask_(mask), best_(best),
          // Sums and bounds are rounded once a term.
          slack_(1 + static_cast<float>(shared.terms() + 8) * 0x1p-21f) {}

    void operator()(int64_t first, int64_t last) {
        window_.open(first, last);
        visible_ = mask_ ? mask_ + first : nullptr;
        float bar = best_.threshold();  // what a document must reach
        const bool known = bar > 0;
        const int64_t bounded = add_until_bounded(bar);
        if (bounded == shared_.terms()) {
            require_finite(window_.sums(), window_.count());
            best_.offer_all(window_.sums(), window_.count(), first, visible_);
        } else {
            find_candidates(bounded, bar);
            for (int64_t t = bounded; t < shared_.terms(); ++t) {
                if (window_.postings(t) < LOOKUP * static_cast<int64_t>(candidates_.size())) {
                    window_.add(t);
                } else {
                    window_.add_to(candidates_, t);
                }
                if (!known) raise(bar);
                keep_candidates(t + 1, bar);
            }
            for (const uint32_t i : candidates_) best_.offer(window_.sums()[i], first + i);
        }
        best_.prune();
    }

   private:
    // Adds lists until a long one comes and those left cannot lift a document from nothing to the bar; returns how many it
    // added. Where no bar is known yet, the sums so far may be one: they can only grow.
    int64_t add_until_bounded(float& bar) {
        const bool known = bar > 0;
        float try_below = remaining_.empty() ? 0 : remaining_[0] / 2;  // no sum so far exceeds what has been added
        for (int64_t t = 0; t < shared_.terms(); ++t) {
            if (!remaining_.empty() && LONG_LIST * window_.postings(t) > window_.count()) {
                if (!known && remaining_[t] < try_below) {
                    bar = std::max(bar, kth_sum());
                    try_below = (bar + remaining_[t]) / 2;  // as much as it can rise by until then
                }
                if (remaining_[t] * slack_ < bar) return t;
            }
            window_.add(t);
        }
        return shared_.terms();
    }

    float kth_sum() const {
        TopK some(k_);
        some.offer_all(window_.sums(), window_.count(), 0, visible_);
        some.prune();
        return some.threshold();
    }

    void raise(float& bar) const {
        if (static_cast<int64_t>(candidates_.size()) <= k_) return;
        TopK some(k_);
        for (const uint32_t i : candidates_) some.offer(window_.sums()[i], i);
        some.prune();
        bar = std::max(bar, some.threshold());
    }

    // The sum from which on what the terms from t on add may reach the bar.
    float least_sum(float bar, int64_t t) const { return bar / slack_ - remaining_[t]; }

    void find_candidates(int64_t t, float bar) {
        const float *sums = window_.sums(), least = least_sum(bar, t);
        const int64_t count = shared_.kernel.reaching(sums, window_.count(), least, reaching_.data());
        candidates_.assign(reaching_.begin(), reaching_.begin() + count);
        if (visible_) {
            const auto hidden = [this](uint32_t i) { return !visible_[i]; };
            candidates_.erase(std::remove_if(candidates_.begin(), candidates_.end(), hidden), candidates_.end());
        }
    }

    void keep_candidates(int64_t t, float bar) {
        const float *sums = window_.sums(), least = least_sum(bar, t);
        size_t count = 0;
        for (const uint32_t i : candidates_) {
            candidates_[count] = i;
            count += sums[i] >= least;
        }
        candidates_.resize(count);
    }

    Window window_;
    const SharedQuery& shared_;
    const std::vector<float>& remaining_;
    const int64_t k_;
    const uint8_t* mask_;
    TopK& best_;
    const float slack_;
    const uint8_t* visible_ = nullptr;
    std::vector<uint32_t> candidates_, reaching_ = std::vector<uint32_t>(WINDOW);  // in the window
};

// visit(part) gives what sees the windows of a part. A document belongs to one window and its sum grows in the order of the
// query's terms, so parts and threads change no bit.
template <class Visit>
void each_window(int64_t documents, int parts, const Visit& visit) {
    split((documents + WINDOW - 1) / WINDOW, parts, [&](int part, int64_t begin, int64_t end) {
        auto see = visit(part);
        for (int64_t window = begin; window < end; ++window) {
            see(window * WINDOW, std::min((window + 1) * WINDOW, documents));
        }
    });
}

}  // namespace

std::vector<Postings> Index::lists_of(const Query& query) const {
    std::vector<Postings> lists(query.size);
    for (int64_t t = 0; t < query.size; ++t) lists[t] = postings(query.terms[t]);
    return lists;
}

// What the terms from each on can add to a score at most, after the last of them 0; empty where a score may also sink or
// overflow.
std::vector<float> Index::remaining(const Query& query, const Bm25* bm25) const {
    if (negative_ || (bm25 && std::min({bm25->gain, bm25->flat, bm25->slope}) < 0)) return {};
    std::vector<float> rest(query.size + 1, 0.0f);
    double sum = 0;
    for (int64_t t = query.size - 1; t >= 0; --t) {
        if (query.weights[t] < 0) return {};
        const float value = max_value(query.terms[t]);
        if (value > 0) sum += double{query.weights[t]} * gained(bm25, value, min_length_);
        rest[t] = static_cast<float>(sum);
    }
    return sum < MAX_BOUND ? rest : std::vector<float>{};
}

void Index::scores(const Kernel& kernel, const Query& query, const Bm25* bm25, float* out, int threads) const {
    const SharedQuery shared{kernel, query, bm25, lists_of(query), lengths_.data()};
    each_window(size(), worth_waking(threads, 8 * shared.postings() + size()), [&](int) {
        return [&, window = Window(shared)](int64_t first, int64_t last) mutable {
            window.open(first, last);
            for (int64_t t = 0; t < query.size; ++t) window.add(t);
            require_finite(window.sums(), window.count());
            std::copy_n(window.sums(), window.count(), out + first);
        };
    });
}

void Index::search(const Kernel& kernel, const Query& query, const Bm25* bm25, int64_t k, const uint8_t* mask,
                   float* scores, int64_t* ids, int threads) const {
    const SharedQuery shared{kernel, query, bm25, lists_of(query), lengths_.data()};
    const std::vector<float> remaining = this->remaining(query, bm25);
    const int parts = worth_waking(threads, 8 * shared.postings() + size());
    std::vector<TopK> best(parts, TopK(k));
    each_window(size(), parts, [&](int part) { return Search(shared, remaining, k, mask, best[part]); });
    write_best(best, k, scores, ids);
}

}  // namespace cg::sparse
