// What documents hold: read off the index by document instead of by term.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "context_graph/sparse.hpp"

namespace cg::sparse {
namespace {

constexpr uint32_t NONE = UINT32_MAX;

// Calls visit(i, value) for every posting of a document that has a place i.
template <class Visit>
void each_placed(const Postings& list, const std::vector<uint32_t>& place, const Visit& visit) {
    for (int64_t x = 0; x < list.size; ++x) {
        if (const uint32_t i = place[list.docs[x]]; i != NONE) visit(i, list.values[x]);
    }
}

}  // namespace

void Index::terms_of(int64_t id, std::vector<int64_t>& out) const {
    if (id < 0 || id >= size()) throw std::invalid_argument("ids must name documents of this index");
    for (int64_t x = forward_start(id); x < forward_start(id + 1); ++x) out.push_back(term_at(forward_at(x)));
}

void Index::table(const int64_t* terms, int64_t n, const int64_t* ids, int64_t m, float* out) const {
    std::vector<uint32_t> place(size(), NONE);
    for (int64_t i = 0; i < m; ++i) {
        if (ids[i] < 0 || ids[i] >= size()) throw std::invalid_argument("ids must name documents of this index");
        place[ids[i]] = static_cast<uint32_t>(i);
    }
    std::fill(out, out + n * m, 0.0f);
    for (int64_t t = 0; t < n; ++t) {
        each_placed(postings(terms[t]), place, [&](uint32_t i, float value) { out[i * n + t] = value; });
    }
}

bool Index::pagerank(const Walk& walk, double* out) const {
    struct Edge {
        uint32_t document, term;
    };
    std::vector<Edge> edges;                        // by document
    std::vector<uint32_t> place(n_terms(), NONE);   // slot -> position among the terms of the walk
    std::vector<uint32_t> slots;
    std::vector<double> idf;
    for (int64_t i = 0; i < walk.size; ++i) {
        const int64_t id = walk.ids[i];
        if (id < 0 || id >= size()) throw std::invalid_argument("ids must name documents of this index");
        for (int64_t x = forward_start(id); x < forward_start(id + 1); ++x) {
            const uint32_t slot = forward_at(x);
            const int64_t holding = slot < loaded_.n_terms ? loaded_live_[slot] : lists_[slot - loaded_.n_terms].live;
            if (holding < 2 || holding > walk.max_df || holding >= live_) continue;
            if (place[slot] == NONE) {
                place[slot] = static_cast<uint32_t>(idf.size());
                slots.push_back(slot);
                idf.push_back(std::log(static_cast<double>(live_) / static_cast<double>(holding)));
            }
            edges.push_back({static_cast<uint32_t>(i), place[slot]});
        }
    }
    if (edges.empty()) return false;

    // What a document gives away is shared in proportion to idf, what a term gives away equally.
    std::vector<double> of_document(walk.size, 0.0), of_term(idf.size(), 0.0);
    for (const Edge& edge : edges) {
        of_document[edge.document] += idf[edge.term];
        of_term[edge.term] += 1.0;
    }
    std::vector<double> restart_terms(idf.size(), 0.0);
    double sum = 0;
    for (int64_t t = 0; t < walk.n_query_terms; ++t) {
        const int64_t slot = slot_of(walk.terms[t]);
        if (slot == NO_SLOT || place[slot] == NONE) continue;
        const uint32_t term = place[slot];
        if (restart_terms[term] == 0) sum += restart_terms[term] = idf[term];
    }
    double seeded = 0;
    for (int64_t i = 0; i < walk.size; ++i) seeded += walk.seeds[i];
    const double of_seeds = seeded > 0 ? (sum > 0 ? 0.5 : 1.0) / seeded : 0.0,
                 of_restart_terms = sum > 0 ? 0.5 / sum : 0.0;
    std::vector<double> restart(walk.size), documents(walk.size), terms(idf.size()), next(walk.size);
    for (int64_t i = 0; i < walk.size; ++i) documents[i] = restart[i] = of_seeds * walk.seeds[i];
    for (size_t t = 0; t < terms.size(); ++t) terms[t] = restart_terms[t] *= of_restart_terms;

    // Numbers that do not change are divided once: what each document and term sends along one of its edges.
    for (double& total : of_document) total = total > 0 ? 1.0 / total : 0.0;
    for (double& total : of_term) total = 1.0 / total;
    std::vector<double> per_edge(terms.size()), received(terms.size());
    for (int step = 0; step < walk.steps; ++step) {
        for (size_t t = 0; t < terms.size(); ++t) per_edge[t] = terms[t] * of_term[t];
        std::fill(received.begin(), received.end(), 0.0);
        std::fill(next.begin(), next.end(), 0.0);
        for (const Edge& edge : edges) {
            next[edge.document] += per_edge[edge.term];
            received[edge.term] += documents[edge.document] * of_document[edge.document];
        }
        for (int64_t i = 0; i < walk.size; ++i) documents[i] = (1 - walk.damping) * restart[i] + walk.damping * next[i];
        for (size_t t = 0; t < terms.size(); ++t) {
            terms[t] = (1 - walk.damping) * restart_terms[t] + walk.damping * received[t] * idf[t];
        }
    }
    std::copy(documents.begin(), documents.end(), out);
    return true;
}

}  // namespace cg::sparse
