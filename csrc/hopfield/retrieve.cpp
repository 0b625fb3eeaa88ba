// One pass over the patterns a step: a block of rows is scored, weighed against the largest score so far and mixed in
// while it lies in L2. Splits of the rows do so for themselves and are then merged in a tree; splits, blocks and tree
// depend on (n, d) alone.

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "context_graph/cpu.hpp"
#include "context_graph/hopfield.hpp"
#include "context_graph/select.hpp"
#include "context_graph/threads.hpp"
#include "finite.hpp"
#include "packed_queries.hpp"
#include "rounded.hpp"

namespace cg::hopfield {
namespace {

constexpr int64_t QUERIES_PER_PASS =
    32;  // queries that share one reading of the patterns: their sums stay in L2 beside a block
constexpr int64_t MAX_SPLITS = 16;
constexpr double MINUS_INFINITY = -std::numeric_limits<double>::infinity();

int64_t block_rows(int64_t d) {
    return std::clamp<int64_t>((int64_t{3} << 15) / std::max<int64_t>(d, 1) / 16 * 16, 16, MAX_BLOCK_ROWS);
}

int64_t splits_of(const Stored& patterns) {
    return std::clamp<int64_t>(patterns.n * std::max<int64_t>(patterns.d, 1) >> 18, 1,
                               std::min(MAX_SPLITS, std::max<int64_t>(patterns.n, 1)));
}

// The softmax of one query over the rows so far, without a pass of its own for the largest score: weights are
// 2^(score - max_score).
struct OnlineSoftmax {
    double max_score = MINUS_INFINITY, total = 0;

    // Log-sum-exp in base 2; -inf for nothing.
    double lse() const { return total > 0 ? max_score + std::log2(total) : MINUS_INFINITY; }

    // Moves to a new largest score and returns what the weights so far are multiplied with.
    double rescale(double new_max) {
        const double factor = new_max == max_score ? 1.0 : std::exp2(max_score - new_max);
        max_score = new_max;
        total *= factor;
        return factor;
    }
};

// Queries of one call for tiles, see SplitQueries.
class SplitBatch {
   public:
    SplitBatch(const float* const* queries, int64_t q, int64_t d) {
        const int64_t padded = (d + 31) / 32 * 32, part = (q + QUERY_GROUP - 1) / QUERY_GROUP * QUERY_GROUP * padded;
        panels_.assign(3 * part, 0);
        for (int64_t j = 0; j < q; ++j) {
            const int64_t panel = j / QUERY_GROUP * QUERY_GROUP * padded + j % QUERY_GROUP * 2;
            for (int64_t x = 0; x < d; ++x) {
                float rest = queries[j][x];
                for (int64_t p = 2; p >= 0; --p) {
                    const uint16_t rounded = to_bfloat(rest);
                    panels_[p * part + panel + x / 2 * 2 * QUERY_GROUP + x % 2] = rounded;
                    rest -= of_bfloat(rounded);
                }
            }
        }
        view_ = {panels_.data(), q, padded, part};
    }

    const SplitQueries& view() const { return view_; }

   private:
    std::vector<uint16_t> panels_;
    SplitQueries view_;
};

class Scan {
   public:
    Scan(const Kernel& kernel, const Stored& patterns, const uint8_t* mask, int threads)
        : kernel_(kernel), patterns_(patterns), mask_(mask), threads_(threads), splits_(splits_of(patterns)),
          block_(block_rows(patterns.d)), cutoff_(cutoff_of(patterns.n)) {}

    // What q <= QUERIES_PER_PASS queries see in all patterns; with `with_sums`, sum(j) is their weighted sum.
    // With `square`, it becomes the largest |pattern|².
    std::vector<OnlineSoftmax> attend(const float* const* queries, int64_t q, bool with_sums,
                                      double* square = nullptr) {
        q_ = q;
        states_.assign(splits_ * q, {});
        if (with_sums) sums_.assign(splits_ * q * patterns_.d, 0.0);
        std::vector<double> largest(splits_, 0.0);
        if (with_sums && kernel_.tiles && patterns_.width == Width::bf16 && q >= MIN_TILE_QUERIES && amx()) {
            attend_on_tiles(SplitBatch(queries, q, patterns_.d).view());
            return merge(with_sums);
        }
        const Products products(kernel_.scores, kernel_.batch, queries, q, patterns_.d);
        split(splits_, parts(q), [&](int, int64_t begin, int64_t end) {
            Block block(q, block_);
            for (int64_t s = begin; s < end; ++s)
                attend_to_split(s, products, block, with_sums, square ? &largest[s] : nullptr);
        });
        if (square) *square = *std::max_element(largest.begin(), largest.end());
        return merge(with_sums);
    }

    const double* sum(int64_t j) const { return sums_.data() + j * patterns_.d; }

    // The same among the `shortlist` best scores only, and what the others can hold at most.
    std::vector<OnlineSoftmax> attend_to_shortlist(const float* const* queries, int64_t q, int64_t shortlist,
                                                   float* dropped) {
        std::vector<std::vector<TopK>> best(q, std::vector<TopK>(splits_, TopK(shortlist)));
        const Products products(kernel_.scores, kernel_.batch, queries, q, patterns_.d);
        split(splits_, parts(q), [&](int, int64_t begin, int64_t end) {
            Block block(q, block_);
            for (int64_t s = begin; s < end; ++s) {
                each_block(s, [&](int64_t first, int64_t last) {
                    products(patterns_, first, last, block.scores.data(), block_);
                    for (int64_t j = 0; j < q; ++j) {
                        const float* scores = block.scores.data() + j * block_;
                        require_finite(scores, last - first);
                        best[j][s].offer_all(scores, last - first, first, mask_ ? mask_ + first : nullptr);
                    }
                });
            }
        });
        const int64_t visible = mask_ ? patterns_.n - std::count(mask_, mask_ + patterns_.n, 0) : patterns_.n;
        std::vector<OnlineSoftmax> states(q);
        sums_.assign(q * patterns_.d, 0.0);
        std::vector<float> scores(shortlist);
        std::vector<int64_t> ids(shortlist);
        std::vector<const char*> rows;
        for (int64_t j = 0; j < q; ++j) {
            write_best(best[j], shortlist, scores.data(), ids.data());
            const int64_t n_best = std::min(shortlist, visible);
            dropped[j] = 0;
            if (n_best == 0) continue;
            const float last = scores[n_best - 1];
            rows.clear();
            for (int64_t t = 0; t < n_best; ++t) rows.push_back(patterns_.row(ids[t]));
            states[j].max_score = scores[0];
            states[j].total = kernel_.exponentiate(scores.data(), n_best, scores[0], cutoff_);
            const double factor = 0;
            const Mixture mixture{
                rows.data(), nullptr, n_best, scores.data(), 1, &factor, {sums_.data() + j * patterns_.d}};
            kernel_.add_weighted_rows(patterns_, 0, 0, &mixture, 1);
            const double others = static_cast<double>(visible - n_best) * std::exp2(last - states[j].lse());
            dropped[j] = static_cast<float>(std::min(others, 1.0));
        }
        return states;
    }

   private:
    // A thread's own room for the block it reads.
    struct Block {
        std::vector<float> scores, squares, packed;
        std::vector<const char*> rows;
        std::vector<int32_t> places;
        std::vector<double> factor;
        std::vector<Mixture> mixtures;

        Block(int64_t q, int64_t block)
            : scores(q * block), squares(block), packed(q * block),
              rows((q + QUERIES_PER_MIXTURE - 1) / QUERIES_PER_MIXTURE * block), places(rows.size()), factor(q) {}
    };

    int parts(int64_t q) const {
        return std::min<int64_t>(worth_waking(threads_, q * patterns_.n * std::max<int64_t>(patterns_.d, 1)), splits_);
    }

    template <class Work>
    void each_block(int64_t s, const Work& work) const {
        const int64_t begin = patterns_.n * s / splits_, end = patterns_.n * (s + 1) / splits_;
        for (int64_t first = begin; first < end; first += block_) work(first, std::min(first + block_, end));
    }

    void attend_to_split(int64_t s, const Products& products, Block& block, bool with_sums, double* square) {
        each_block(s, [&](int64_t first, int64_t last) {
            const int64_t n = last - first;
            products(patterns_, first, last, block.scores.data(), block_);
            for (int64_t j = 0; j < q_; ++j)
                block.factor[j] = exponentiate(block.scores.data() + j * block_, first, n, state(s, j));
            if (with_sums) {
                block.mixtures.clear();
                for (int64_t j = 0; j < q_; j += QUERIES_PER_MIXTURE) add_mixture(s, j, first, n, block);
                kernel_.add_weighted_rows(patterns_, first, last, block.mixtures.data(),
                                          static_cast<int64_t>(block.mixtures.size()));
            }
            if (square) {
                kernel_.squares(patterns_, first, last, block.squares.data());
                require_finite(block.squares.data(), n);
                for (int64_t i = 0; i < n; ++i) {
                    if (!mask_ || mask_[first + i]) *square = std::max(*square, double{block.squares[i]});
                }
            }
        });
    }

    void attend_on_tiles(const SplitQueries& queries) {
        const int64_t d = patterns_.d, ld = MAX_TILE_BLOCK, groups = (q_ + QUERY_GROUP - 1) / QUERY_GROUP * QUERY_GROUP;
        split(splits_, parts(q_), [&](int, int64_t begin, int64_t end) {
            std::vector<float> scores(q_ * ld);
            std::vector<double> factor(q_);
            std::vector<uint16_t> room(std::max(32 * queries.padded, MAX_TILE_BLOCK * (32 + 2 * groups)));
            for (int64_t s = begin; s < end; ++s) {
                const int64_t stop = patterns_.n * (s + 1) / splits_;
                for (int64_t first = patterns_.n * s / splits_; first < stop; first += MAX_TILE_BLOCK) {
                    const int64_t last = std::min(first + MAX_TILE_BLOCK, stop);
                    kernel_.tiles->scores(queries, patterns_, first, last, room.data(), scores.data(), ld);
                    for (int64_t j = 0; j < q_; ++j)
                        factor[j] = exponentiate(scores.data() + j * ld, first, last - first, state(s, j));
                    kernel_.tiles->add_weighted(patterns_, first, last, scores.data(), ld, q_, factor.data(),
                                                sums_.data() + s * q_ * d, room.data());
                }
            }
        });
    }

    // Scores become weights; returns what the sum so far is multiplied with.
    double exponentiate(float* scores, int64_t first, int64_t n, OnlineSoftmax& state) const {
        require_finite(scores, n);
        if (mask_) {
            for (int64_t i = 0; i < n; ++i) {
                if (!mask_[first + i]) scores[i] = static_cast<float>(MINUS_INFINITY);
            }
        }
        const double max_score = std::max<double>(kernel_.max_score(scores, n), state.max_score);
        if (max_score == MINUS_INFINITY) {
            std::fill(scores, scores + n, 0.0f);
            return 1;
        }
        const double factor = state.rescale(max_score);
        state.total += kernel_.exponentiate(scores, n, static_cast<float>(max_score), cutoff_);
        return factor;
    }

    // The rows that weigh anything for one of up to QUERIES_PER_MIXTURE queries from j on.
    void add_mixture(int64_t s, int64_t j, int64_t first, int64_t n, Block& block) {
        const int64_t q = std::min(QUERIES_PER_MIXTURE, q_ - j);
        const float* weights = block.scores.data() + j * block_;
        float* packed = block.packed.data() + j * block_;
        const char** rows = block.rows.data() + j / QUERIES_PER_MIXTURE * block_;
        int32_t* places = block.places.data() + j / QUERIES_PER_MIXTURE * block_;
        int64_t count = 0;
        for (int64_t i = 0; i < n; ++i) {
            float any = 0;
            for (int64_t l = 0; l < q; ++l) any += packed[count * q + l] = weights[l * block_ + i];
            rows[count] = patterns_.row(first + i);
            places[count] = static_cast<int32_t>(i);
            count += any > 0;
        }
        if (count == 0) return;
        Mixture mixture{rows, places, count, packed, q, block.factor.data() + j, {}};
        for (int64_t l = 0; l < q; ++l) mixture.sums[l] = sums_.data() + (s * q_ + j + l) * patterns_.d;
        block.mixtures.push_back(mixture);
    }

    OnlineSoftmax& state(int64_t s, int64_t j) { return states_[s * q_ + j]; }

    // Neighbours, then neighbours of neighbours; the first split ends up with everything.
    std::vector<OnlineSoftmax> merge(bool with_sums) {
        const int64_t d = patterns_.d;
        split(q_, worth_waking(threads_, with_sums ? q_ * splits_ * d : 0), [&](int, int64_t begin, int64_t end) {
            for (int64_t j = begin; j < end; ++j) {
                for (int64_t step = 1; step < splits_; step *= 2) {
                    for (int64_t s = 0; s + step < splits_; s += 2 * step) {
                        OnlineSoftmax &mine = state(s, j), &other = state(s + step, j);
                        const double max_score = std::max(mine.max_score, other.max_score);
                        if (max_score == MINUS_INFINITY) continue;
                        const double factor = mine.rescale(max_score), other_factor = other.rescale(max_score);
                        mine.total += other.total;
                        if (!with_sums) continue;
                        double* to = sums_.data() + (s * q_ + j) * d;
                        const double* from = sums_.data() + ((s + step) * q_ + j) * d;
                        for (int64_t x = 0; x < d; ++x) to[x] = factor * to[x] + other_factor * from[x];
                    }
                }
            }
        });
        return {states_.begin(), states_.begin() + q_};
    }

    const Kernel& kernel_;
    const Stored& patterns_;
    const uint8_t* mask_;
    const int threads_;
    const int64_t splits_, block_;
    const int cutoff_;
    int64_t q_ = 0;
    std::vector<OnlineSoftmax> states_;  // (split, query)
    std::vector<double> sums_;  // (split, query, d)
};

// Queries times beta * log2(e), and where each begins.
class ScaledQueries {
   public:
    ScaledQueries(double beta, int64_t d) : factor_(beta * std::numbers::log2e), d_(d) {}

    const float* const* of(const std::vector<const float*>& queries) {
        values_.resize(queries.size() * d_);
        starts_.clear();
        for (size_t j = 0; j < queries.size(); ++j) {
            float* to = values_.data() + j * d_;
            for (int64_t x = 0; x < d_; ++x) to[x] = static_cast<float>(factor_ * queries[j][x]);
            starts_.push_back(to);
        }
        return starts_.data();
    }

   private:
    double factor_;
    int64_t d_;
    std::vector<float> values_;
    std::vector<const float*> starts_;
};

// Writes sum / total over `output` and returns how far from `query` that is.
double normalize(const double* sum, double total, const float* query, int64_t d, float* output) {
    const double share = total > 0 ? 1 / total : 0;
    double moved = 0;
    for (int64_t x = 0; x < d; ++x) {
        const float value = static_cast<float>(share * sum[x]);
        const double step = double{value} - double{query[x]};
        moved += step * step;
        output[x] = value;
    }
    return std::sqrt(moved);
}

}  // namespace

int cutoff_of(int64_t n) { return 26 + static_cast<int>(std::bit_width(static_cast<uint64_t>(n))); }

void retrieve(const Kernel& kernel, const float* queries, int64_t q, const Stored& patterns, double beta, int64_t steps,
              double tolerance, const uint8_t* mask, int64_t shortlist, const Retrieved& out, int threads) {
    const int64_t d = patterns.d;
    Scan scan(kernel, patterns, mask, threads);
    ScaledQueries scaled_queries(beta, d);
    for (int64_t first = 0; first < q; first += QUERIES_PER_PASS) {
        std::vector<int64_t> moving;
        for (int64_t j = first; j < std::min(first + QUERIES_PER_PASS, q); ++j) moving.push_back(j);
        for (int64_t step = 1; step <= steps && !moving.empty(); ++step) {
            std::vector<const float*> at;
            for (const int64_t j : moving) at.push_back((step == 1 ? queries : out.output) + j * d);
            const int64_t count = static_cast<int64_t>(moving.size());
            const float* const* scaled = scaled_queries.of(at);
            std::vector<float> dropped(count, 0.0f);
            const std::vector<OnlineSoftmax> states =
                shortlist > 0 ? scan.attend_to_shortlist(scaled, count, shortlist, dropped.data())
                              : scan.attend(scaled, count, true);
            std::vector<int64_t> unconverged;
            for (int64_t l = 0; l < count; ++l) {
                const int64_t j = moving[l];
                const double moved = normalize(scan.sum(l), states[l].total, at[l], d, out.output + j * d);
                out.lse[j] = static_cast<float>(std::numbers::ln2 * states[l].lse());
                out.steps[j] = step;
                out.dropped[j] = dropped[l];
                out.converged[j] = moved <= tolerance;
                if (!out.converged[j]) unconverged.push_back(j);
            }
            moving = std::move(unconverged);
        }
    }
}

void energy(const Kernel& kernel, const float* queries, int64_t q, const Stored& patterns, double beta,
            const uint8_t* mask, float* out, int threads) {
    const int64_t d = patterns.d;
    const int64_t visible = mask ? patterns.n - std::count(mask, mask + patterns.n, 0) : patterns.n;
    Scan scan(kernel, patterns, mask, threads);
    ScaledQueries scaled_queries(beta, d);
    double largest = 0;
    for (int64_t first = 0; first < q; first += QUERIES_PER_PASS) {
        std::vector<const float*> at;
        for (int64_t j = first; j < std::min(first + QUERIES_PER_PASS, q); ++j) at.push_back(queries + j * d);
        const int64_t count = static_cast<int64_t>(at.size());
        const std::vector<OnlineSoftmax> states =
            scan.attend(scaled_queries.of(at), count, false, first == 0 ? &largest : nullptr);
        for (int64_t l = 0; l < count; ++l) {
            double own = 0;
            for (int64_t x = 0; x < d; ++x) own += double{at[l][x]} * at[l][x];
            const double lse = std::numbers::ln2 * states[l].lse() - std::log(static_cast<double>(visible));
            out[first + l] = visible == 0 ? std::numeric_limits<float>::infinity()
                                          : static_cast<float>((own + largest) / 2 - lse / beta);
        }
    }
}

}  // namespace cg::hopfield
