// The best documents by float tokens, found through their codes.
//
// With token = c + e (decoded code and rest) and query token = u + f (what its integers mean, and rest):
//     |<query, token> - <u, c>| <= |query| |e| + |f| |c|          (Cauchy-Schwarz)
// A document whose bounds add up to less than the k-th best cannot be chosen. The others are looked at in falling order of
// their bounds, so that few of them come before the k-th best is known: with tiles first by more bits of the query, then the
// bound says which tokens can be a query token's best, one or two of many. These are looked at themselves, query token by
// query token, until the document is out. What remains is hardly more than k documents, which are scored by the kernel that
// `maxima` uses: the answer has its bits. All bounds include the rounding of that score.

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "context_graph/maxsim.hpp"
#include "context_graph/select.hpp"
#include "context_graph/threads.hpp"
#include "maxsim/codes.hpp"
#include "maxsim/values.hpp"

namespace cg::maxsim {
namespace {

constexpr double ROUND_UP = 1.0 + 0x1p-20;  // lifts a bound over the rounding of its own arithmetic

// How far a query token's best may lie from what codes say, for a document's largest rest and code; and from what its tokens
// themselves say in another order of summation.
struct Bound {
    double per_residual, per_norm, rounding;

    Bound(const FineQuery& query, int64_t i, int64_t d) {
        const double slack = static_cast<double>(d + query.view.q + 32) * 0x1p-24;
        per_residual = query.size[i] * (1 + slack) * ROUND_UP;
        per_norm = (query.size[i] * slack + query.missing[i]) * ROUND_UP;
        rounding = query.size[i] * slack * ROUND_UP;
    }

    double of_codes(double residual, double norm) const {
        return per_residual * residual + per_norm * norm + MIN_BOUND;
    }
    double of_tokens(double residual, double norm) const { return 2 * rounding * (residual + norm) + MIN_BOUND; }

    static constexpr double MIN_BOUND = 0x1p-130;  // for numbers too small to round by a part of themselves
};

struct Candidate {
    float upper;
    int64_t doc;
};

float up(double value) { return std::nextafterf(static_cast<float>(value), INFINITY); }
float down(double value) { return std::nextafterf(static_cast<float>(value), -INFINITY); }

// What one thread has found.
struct Screen {
    explicit Screen(int64_t k) : k(k), lower(k) {}

    int64_t k;
    TopK lower;
    std::vector<Candidate> candidates;
};

// What the sum of a document's maxima by codes says of that by its tokens.
struct Estimate {
    Estimate(const dense::Queries& query, const Packed& packed, const float* weights, bool eight)
        : fine(refine(query.data, query.q, packed.dim, packed.padded, eight)) {
        for (int64_t i = 0; i < query.q; ++i) {
            bounds.emplace_back(fine, i, packed.dim);
            weighted_step.push_back(double{weights[i]} * fine.step[i]);
            per_residual += std::fabs(double{weights[i]}) * bounds[i].per_residual * ROUND_UP;
            per_norm += std::fabs(double{weights[i]}) * bounds[i].per_norm * ROUND_UP;
            min_bound += (std::fabs(double{weights[i]}) + 1) * Bound::MIN_BOUND;
        }
    }

    double sum(const float* maxima) const {
        double sum[4] = {};  // one would wait for its last addition
        const int64_t q = fine.view.q;
        int64_t i = 0;
        for (; i + 4 <= q; i += 4) {
            for (int64_t j = 0; j < 4; ++j) sum[j] += weighted_step[i + j] * maxima[i + j];
        }
        for (; i < q; ++i) sum[0] += weighted_step[i] * maxima[i];
        return (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
    double error(double residual, double norm) const { return min_bound + per_residual * residual + per_norm * norm; }

    FineQuery fine;
    std::vector<Bound> bounds;
    std::vector<double> weighted_step;  // of a step of a query token
    double per_residual = 0, per_norm = 0, min_bound = 0;  // of all together
};

// An error that includes the rounding of its own sum.
double widened(double estimate, double error) { return error + 0x1p-40 * (std::fabs(estimate) + error); }

class CodeScanner {
   public:
    CodeScanner(const Kernel& kernel, const dense::Queries& query, const Packed& packed, const FloatTokens& kept,
                const float* weights)
        : kernel_(kernel), query_(query), packed_(packed), kept_(kept), weights_(weights),
          fine_(query, packed, weights, kernel.halves && tiles_of(kernel) == nullptr) {
        if (kernel.halves && tiles_of(kernel) != nullptr) coarse_.emplace(query, packed, weights, true);
    }

    void scan(int64_t begin, int64_t end, const uint8_t* mask, Screen& screen) const {
        std::vector<Candidate> heap = likely_ones(begin, end, mask, screen.k);
        const auto less = [](const Candidate& a, const Candidate& b) { return a.upper < b.upper; };
        std::make_heap(heap.begin(), heap.end(), less);
        CodeScorer scorer(kernel_, fine_.fine, packed_);
        std::vector<float> maxima(query_.q);
        std::vector<int32_t> room;
        for (int64_t looked = 1; !heap.empty() && !(heap.front().upper < screen.lower.threshold()); ++looked) {
            const int64_t doc = heap.front().doc;
            std::pop_heap(heap.begin(), heap.end(), less);
            heap.pop_back();
            scorer.maxima_and_dots(doc, heap.empty() ? doc : heap.front().doc, maxima.data());
            look_closely(scorer, doc, maxima.data(), room, screen);
            if (looked % (screen.k / 4 + 1) == 0) screen.lower.prune();  // an early threshold ends this soon
        }
    }

   private:
    // Those that can be among the k best by what the first look says.
    std::vector<Candidate> likely_ones(int64_t begin, int64_t end, const uint8_t* mask, int64_t k) const {
        const Estimate& query = coarse_ ? *coarse_ : fine_;
        CodeScorer scorer(kernel_, query.fine, packed_);
        TopK lower(k);
        std::vector<Candidate> likely;
        std::vector<float> maxima(AT_ONCE * query_.q);
        for (int64_t first = begin, last; first < end; first = last) {
            last = first + 1;
            if (mask != nullptr && !mask[first]) continue;
            while (last < std::min(end, first + AT_ONCE) && (mask == nullptr || mask[last])) ++last;
            scorer.maxima(first, last, maxima.data());
            for (int64_t doc = first; doc < last; ++doc) {
                if (packed_.offsets[doc] == packed_.offsets[doc + 1]) continue;
                const double estimate = query.sum(maxima.data() + (doc - first) * query_.q);
                const double error = widened(estimate, query.error(kept_.residual[doc], kept_.norm[doc]));
                if (estimate + error < lower.threshold()) continue;
                lower.offer(down(estimate - error), doc);
                const float upper = up(estimate + error);
                likely.push_back({std::isnan(upper) ? INFINITY : upper, doc});
            }
        }
        lower.prune();
        std::erase_if(likely, [&](const Candidate& candidate) { return candidate.upper < lower.threshold(); });
        return likely;
    }

    // By all bits of `fine_`, whose dot products `scorer` holds, and then by tokens.
    void look_closely(const CodeScorer& scorer, int64_t doc, const float* maxima, std::vector<int32_t>& room,
                      Screen& screen) const {
        const double residual = kept_.residual[doc], norm = kept_.norm[doc], threshold = screen.lower.threshold();
        double estimate = fine_.sum(maxima), error = fine_.error(residual, norm);
        const auto is_out = [&] { return estimate + widened(estimate, error) < threshold; };
        if (is_out()) return;

        const FineQuery& fine = fine_.fine;
        const std::vector<Bound>& bounds = fine_.bounds;
        const int64_t first = packed_.offsets[doc], count = packed_.offsets[doc + 1] - first;
        room.resize(2 * count);
        int64_t found[2];
        // The tokens that may be best for query token i; they come from memory while those before are looked at.
        const auto look_ahead = [&](int64_t i) {
            int32_t* tokens = room.data() + i % 2 * count;
            const double least = double{fine.step[i]} * maxima[i] - 2 * bounds[i].of_codes(residual, norm) * ROUND_UP;
            const float bar = down(least / fine.step[i]);
            found[i % 2] = fine.step[i] == 0 ? 0 : kernel_.hits(scorer.dots(i, doc), count, bar, tokens);
            for (int64_t j = 0; j < found[i % 2]; ++j) fetch(first + tokens[j]);
        };
        look_ahead(0);
        for (int64_t i = 0; i < query_.q && !is_out(); ++i) {
            if (i + 1 < query_.q) look_ahead(i + 1);
            if (found[i % 2] == 0) continue;  // a query token of zeros
            float best = MINUS_INFINITY;
            for (int64_t j = 0; j < found[i % 2]; ++j) {
                best = std::max(best, kernel_.dot(query_.row(i), kept_.tokens, first + room[i % 2 * count + j]));
            }
            estimate += double{weights_[i]} * (best - double{fine.step[i]} * maxima[i]);
            error += std::fabs(double{weights_[i]}) *
                     (bounds[i].of_tokens(residual, norm) - bounds[i].of_codes(residual, norm));
        }
        if (is_out()) return;
        error = widened(estimate, error);
        screen.lower.offer(down(estimate - error), doc);
        screen.candidates.push_back({up(estimate + error), doc});
    }

    void fetch(int64_t token) const {
        const int64_t bytes = kept_.tokens.d * (kept_.tokens.element == dense::Element::f32 ? 4 : 2);
        for (int64_t x = 0; x < bytes; x += 64) __builtin_prefetch(kept_.tokens.row(token) + x);
    }

    const Kernel& kernel_;
    const dense::Queries& query_;
    const Packed& packed_;
    const FloatTokens& kept_;
    const float* weights_;
    Estimate fine_;
    std::optional<Estimate> coarse_;  // in eight bits, for the first look, where a second one in all takes little
};

}  // namespace

void token_bounds(const float* tokens, const int8_t* codes, const int64_t* lengths, int64_t n, int64_t dim,
                  float* scale, float* residual, float* norm) {
    for (int64_t doc = 0; doc < n; ++doc) {
        double most_rest = 0, most_size = 0;
        for (int64_t t = 0; t < lengths[doc]; ++t, tokens += dim, codes += dim, ++scale) {
            float largest = 0;
            for (int64_t x = 0; x < dim; ++x) largest = std::max(largest, std::fabs(tokens[x]));
            *scale = largest / 127;
            double rest = 0, size = 0;
            for (int64_t x = 0; x < dim; ++x) {
                const double decoded = double{*scale} * codes[x];
                rest += (tokens[x] - decoded) * (tokens[x] - decoded);
                size += decoded * decoded;
            }
            most_rest = std::max(most_rest, rest);
            most_size = std::max(most_size, size);
        }
        residual[doc] = up(std::sqrt(most_rest) * ROUND_UP);
        norm[doc] = up(std::sqrt(most_size) * ROUND_UP);
    }
}

int64_t search(const Kernel& kernel, const dense::Queries& query, const Packed& packed, const FloatTokens& kept,
               const float* weights, int64_t k, const uint8_t* mask, float* scores, int64_t* ids, int threads) {
    const CodeScanner scanner(kernel, query, packed, kept, weights);
    const int parts = worth_waking(threads, code_work(packed, packed.n, query.q));
    std::vector<Screen> screens(parts, Screen(k));
    split(packed.n, parts,
          [&](int part, int64_t begin, int64_t end) { scanner.scan(begin, end, mask, screens[part]); });

    TopK lower(k);
    for (Screen& screen : screens) {
        for (uint64_t key : screen.lower.finish()) lower.push(key);
    }
    lower.finish();
    std::vector<int64_t> documents;
    for (const Screen& screen : screens) {
        for (const Candidate& candidate : screen.candidates) {
            if (k > 0 && !(candidate.upper < lower.threshold())) documents.push_back(candidate.doc);
        }
    }

    const PackedQuery side_by_side(query);
    const int64_t count = static_cast<int64_t>(documents.size());
    std::vector<float> found(count);
    split(count, worth_waking(threads, 4 * code_work(packed, count, query.q)), [&](int, int64_t begin, int64_t end) {
        ValueScorer scorer(kernel, side_by_side, kept.tokens);
        for (int64_t j = begin; j < end; ++j) {
            const float* maxima = scorer.maxima(packed.offsets[documents[j]], packed.offsets[documents[j] + 1]);
            weighted_sum(maxima, 1, query.q, weights, &found[j]);
        }
    });
    std::vector<TopK> best(1, TopK(k));
    for (int64_t j = 0; j < count; ++j) best[0].offer(found[j], documents[j]);
    write_best(best, k, scores, ids);
    return count;
}

}  // namespace cg::maxsim
