// Postings by term, and how they grow.

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "context_graph/sparse.hpp"

namespace cg::sparse {
namespace {

constexpr int64_t MAX_DOCUMENTS = int64_t{1} << 31;  // gathers read document numbers as signed

}  // namespace

Index::Index() = default;
Index::~Index() = default;  // here, where a Resident is whole

void Index::append(const int64_t* terms, const float* values, const int64_t* sizes, int64_t documents) {
    if (size() + documents >= MAX_DOCUMENTS) throw std::invalid_argument("an index holds at most 2^31 - 1 documents");
    int64_t at = 0;
    for (int64_t i = 0; i < documents; ++i) {
        const auto doc = static_cast<uint32_t>(lengths_.size());
        double length = 0;
        for (int64_t x = 0; x < sizes[i]; ++x, ++at) {
            if (values[at] == 0) continue;
            int64_t slot = slot_of(terms[at]);
            if (slot == NO_SLOT) {
                slot = n_terms();
                slots_.emplace(terms[at], static_cast<uint32_t>(lists_.size()));
                lists_.emplace_back();
                terms_.push_back(terms[at]);
            }
            List& list = owned_list(slot);
            if (!list.docs.empty() && list.docs.back() == doc) {
                list.values.back() += values[at];  // unreachable from Python, which refuses a repeated term
            } else {
                list.docs.push_back(doc);
                list.values.push_back(values[at]);
                ++live_at(slot);
                forward_.push_back(static_cast<uint32_t>(slot));
            }
            list.max_value = std::max(list.max_value, list.values.back());
            length += values[at];
            negative_ |= values[at] < 0;
        }
        forward_start_.push_back(loaded_pairs_ + static_cast<int64_t>(forward_.size()));
        lengths_.push_back(static_cast<float>(length));
        min_length_ = std::min(min_length_, lengths_.back());
        is_live_.push_back(1);
        total_ += lengths_.back();
        ++live_;
    }
}

void Index::set_live(const int64_t* ids, int64_t n, bool live) {
    for (int64_t i = 0; i < n; ++i) {
        const int64_t doc = ids[i];
        if (doc < 0 || doc >= size()) throw std::invalid_argument("ids must name documents of this index");
        if (static_cast<bool>(is_live_[doc]) == live) continue;
        is_live_[doc] = live;
        const int by = live ? 1 : -1;
        for (int64_t x = forward_start(doc); x < forward_start(doc + 1); ++x) live_at(forward_at(x)) += by;
        total_ += by * double{lengths_[doc]};
        live_ += by;
    }
}

std::vector<int64_t> Index::discounted() const {
    std::vector<int64_t> ids;
    for (int64_t doc = 0; doc < size(); ++doc) {
        if (!is_live_[doc]) ids.push_back(doc);
    }
    return ids;
}

std::vector<uint8_t> Index::counting(const uint8_t* mask) const {
    std::vector<uint8_t> counted = is_live_;
    if (mask == nullptr) return counted;
    for (int64_t doc = 0; doc < size(); ++doc) counted[doc] &= mask[doc] != 0;
    return counted;
}

int64_t Index::bytes() const {
    const auto owned = static_cast<int64_t>((lists_.size() + grown_lists_.size()) * (sizeof(List) + 32));
    return pairs() * 12 + size() * 13 + loaded_.n_terms * 24 + owned;
}

void Index::load_arrays(const IndexArrays& arrays) {
    if (size() > 0) throw std::invalid_argument("only an empty index takes over another");
    loaded_ = arrays;
    loaded_pairs_ = arrays.pairs();
    loaded_live_.resize(arrays.n_terms);
    loaded_max_ = std::vector<std::atomic<float>>(arrays.n_terms);
    for (int64_t slot = 0; slot < arrays.n_terms; ++slot)
        loaded_live_[slot] = arrays.starts[slot + 1] - arrays.starts[slot];
    lengths_.assign(arrays.lengths, arrays.lengths + arrays.documents);
    for (const float length : lengths_) min_length_ = std::min(min_length_, length);
    is_live_.assign(arrays.documents, 1);
    forward_start_.assign(1, loaded_pairs_);
    total_ = arrays.total;
    live_ = arrays.documents;
    negative_ = arrays.negative;
}

void Index::to_arrays(int64_t* terms, int64_t* starts, uint32_t* docs, float* values, uint32_t* forward,
                      int64_t* forward_starts) const {
    std::vector<uint32_t> order(n_terms()), place(n_terms());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return term_at(a) < term_at(b); });
    int64_t end = 0;
    for (size_t t = 0; t < order.size(); ++t) {
        const Postings list = at(order[t]);
        place[order[t]] = static_cast<uint32_t>(t);
        terms[t] = term_at(order[t]);
        starts[t] = end;
        std::copy_n(list.docs, list.size, docs + end);
        std::copy_n(list.values, list.size, values + end);
        end += list.size;
    }
    starts[order.size()] = end;
    for (int64_t x = 0; x < end; ++x) forward[x] = place[forward_at(x)];
    for (int64_t doc = 0; doc <= size(); ++doc) forward_starts[doc] = forward_start(doc);
}

int64_t Index::slot_of(int64_t term) const {
    const int64_t* end = loaded_.terms + loaded_.n_terms;
    const int64_t* found = std::lower_bound(loaded_.terms, end, term);
    if (found != end && *found == term) return found - loaded_.terms;
    const auto slot = slots_.find(term);
    return slot == slots_.end() ? NO_SLOT : loaded_.n_terms + slot->second;
}

Postings Index::at(int64_t slot) const {
    const List* list = nullptr;
    if (slot >= loaded_.n_terms) {
        list = &lists_[slot - loaded_.n_terms];
    } else if (const auto found = grown_lists_.find(slot); found != grown_lists_.end()) {
        list = &found->second;
    } else {
        const int64_t start = loaded_.starts[slot];
        return {loaded_.docs + start, loaded_.values + start, loaded_.starts[slot + 1] - start, loaded_live_[slot]};
    }
    return {list->docs.data(), list->values.data(), static_cast<int64_t>(list->docs.size()),
            slot < loaded_.n_terms ? loaded_live_[slot] : list->live};
}

float Index::max_value(int64_t term) const {
    const int64_t slot = slot_of(term);
    if (slot == NO_SLOT) return 0;
    if (slot >= loaded_.n_terms) return lists_[slot - loaded_.n_terms].max_value;
    const auto grown = grown_lists_.find(slot);
    return grown == grown_lists_.end() ? loaded_max(slot) : grown->second.max_value;
}

// Looked for at the first search, so that a mapped index is not read whole when it opens.
float Index::loaded_max(int64_t slot) const {
    float largest = loaded_max_[slot].load(std::memory_order_relaxed);
    if (largest == 0) {
        for (int64_t x = loaded_.starts[slot]; x < loaded_.starts[slot + 1]; ++x) largest = std::max(largest, loaded_.values[x]);
        loaded_max_[slot].store(largest, std::memory_order_relaxed);
    }
    return largest;
}

Index::List& Index::owned_list(int64_t slot) {
    if (slot >= loaded_.n_terms) return lists_[slot - loaded_.n_terms];
    const auto [found, fresh] = grown_lists_.try_emplace(slot);
    if (fresh) {
        const int64_t start = loaded_.starts[slot], end = loaded_.starts[slot + 1];
        found->second.docs.assign(loaded_.docs + start, loaded_.docs + end);
        found->second.values.assign(loaded_.values + start, loaded_.values + end);
        found->second.max_value = loaded_max(slot);
    }
    return found->second;
}

int64_t& Index::live_at(int64_t slot) {
    return slot < loaded_.n_terms ? loaded_live_[slot] : lists_[slot - loaded_.n_terms].live;
}

Postings Index::postings(int64_t term) const {
    const int64_t slot = slot_of(term);
    return slot == NO_SLOT ? Postings{} : at(slot);
}

int64_t Index::df(int64_t term) const { return postings(term).live; }

}  // namespace cg::sparse
