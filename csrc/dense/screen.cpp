// Exact top-k that reads one byte per element.
//
// With row = c + e (decoded code and rest) and query = u + f (its 15-bit form and rest):
//     |<query, row> - <u, c>| <= |query| |e| + |f| |c|          (Cauchy-Schwarz)
// plus the rounding of the float32 score it must agree with, at most d 2^-24 |query| |row|.
// A row whose upper bound is below the k-th best lower bound cannot be chosen; the others are scored in full
// with the very kernel a full scan uses, so the answer has the same bits.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <stdexcept>
#include <vector>

#include "context_graph/cpu.hpp"
#include "context_graph/dense.hpp"
#include "context_graph/select.hpp"
#include "context_graph/threads.hpp"
#include "dense/refined_query.hpp"
#include "finite.hpp"
#include "half.hpp"
#include "packed_queries.hpp"

namespace cg::dense {
namespace {

constexpr int64_t MIN_BATCH_QUERIES = 12;      // fewer queries are faster one by one

struct Candidate {
    float upper;
    uint32_t id;
};

// What one thread has found for one query.
struct Screen {
    explicit Screen(int64_t k) : lower(k) {}

    TopK lower;
    std::vector<Candidate> candidates;
    size_t prune_at = 4096;

    // The threshold has risen since the first candidates came in: drop those it now excludes.
    void prune(float threshold) {
        std::erase_if(candidates, [&](const Candidate& candidate) { return candidate.upper < threshold; });
        prune_at = std::max<size_t>(4096, 2 * candidates.size());
    }
};

// Rows first ... last - 1 of one query, in its 15-bit form.
class CodeScanner {
   public:
    CodeScanner(const Kernel& kernel, const Codes& codes, const uint8_t* mask, double slack)
        : kernel_(kernel), codes_(codes), mask_(mask), slack_(slack) {}

    void scan(const RefinedQuery& query, int64_t first, int64_t last, int64_t* dots, Screen& screen) const {
        kernel_.code_dots(query.view, codes_.codes, codes_.stride, first, last, dots);
        const double per_residual = query.size * (1 + slack_) * ROUND_UP;
        const double per_norm = (query.size * slack_ + query.missing) * ROUND_UP;
        double threshold = screen.lower.threshold();
        for (int64_t i = first; i < last; ++i) {
            const double estimate = query.step * codes_.scale[i] * static_cast<double>(dots[i - first]);
            const double error = per_residual * codes_.residual[i] + per_norm * codes_.norm[i];
            if (estimate + error < threshold || (mask_ != nullptr && !mask_[i])) continue;
            const float upper = std::nextafterf(static_cast<float>(estimate + error), INFINITY);
            screen.candidates.push_back({upper, static_cast<uint32_t>(i)});
            screen.lower.offer(std::nextafterf(static_cast<float>(estimate - error), -INFINITY), i);
            threshold = screen.lower.threshold();
            if (screen.candidates.size() >= screen.prune_at) screen.prune(screen.lower.threshold());
        }
    }

   private:
    const Kernel& kernel_;
    const Codes& codes_;
    const uint8_t* mask_;
    double slack_;
};

// The upper eight bits of the queries, packed for `CodeMasks`: with these alone most rows are already out.
class CoarseBatch {
   public:
    CoarseBatch(const std::vector<RefinedQuery>& queries, const Queries& values, double slack) {
        const int64_t q = values.q, padded = queries[0].view.padded;
        panels_.assign((q + COARSE_GROUP - 1) / COARSE_GROUP * COARSE_GROUP * padded, 0);
        for (int64_t j = 0; j < q; ++j) {
            const RefinedQuery& query = queries[j];
            int8_t* panel = panels_.data() + j / COARSE_GROUP * COARSE_GROUP * padded + j % COARSE_GROUP * 4;
            double missing = 0;
            int32_t sum = 0;
            for (int64_t x = 0; x < values.d; ++x) {
                panel[x / 4 * 4 * COARSE_GROUP + x % 4] = query.high[x];
                sum += query.high[x];
                const double rest = values.row(j)[x] - 128 * query.step * query.high[x];
                missing += rest * rest;
            }
            sum_.push_back(sum);
            step_.push_back(static_cast<float>(128 * query.step));
            // The masks are made in float32: a few roundings of numbers no larger than |query| |row|.
            const double rounding = query.size * (slack + 0x1p-18);
            per_residual_.push_back(static_cast<float>(query.size * (1 + slack)) * ROUND_UP);
            per_norm_.push_back(static_cast<float>(rounding + std::sqrt(missing)) * ROUND_UP);
        }
        view_ = {panels_.data(), q, padded, sum_.data(), step_.data(), per_residual_.data(), per_norm_.data()};
    }

    const CoarseQueries& view() const { return view_; }

   private:
    std::vector<int8_t> panels_;
    std::vector<int32_t> sum_;
    std::vector<float> step_, per_residual_, per_norm_;
    CoarseQueries view_;
};

// Eight bits of all queries against a block of rows, then 15 bits of the queries that a row may concern.
void scan_batch(CodeMasks* code_masks, const CoarseBatch& batch, const Codes& codes, const CodeScanner& scanner,
                const std::vector<RefinedQuery>& queries, int64_t begin, int64_t end, int64_t block,
                std::vector<Screen>& screens) {
    const int64_t q = batch.view().q, ld = block / 16;
    std::vector<float> thresholds(q);
    std::vector<uint16_t> masks(q * ld);
    std::vector<uint8_t> room(32 * batch.view().padded);
    // The first blocks are small: without a threshold yet, each of their rows concerns every query.
    for (int64_t first = begin, size = 32, last; first < end; first = last, size = std::min(2 * size, block)) {
        last = std::min(first + size, end);
        for (int64_t j = 0; j < q; ++j) thresholds[j] = screens[j].lower.threshold();
        code_masks(batch.view(), codes, first, last, thresholds.data(), room.data(), masks.data(), ld);
        for (int64_t j = 0; j < q; ++j) {
            for (int64_t i = first; i < last; i += 16) {
                for (unsigned bits = masks[j * ld + (i - first) / 16]; bits != 0; bits &= bits - 1) {
                    const int64_t row = i + std::countr_zero(bits);
                    int64_t dot;
                    scanner.scan(queries[j], row, row + 1, &dot, screens[j]);
                }
            }
        }
    }
}

void fetch(const char* row, int64_t bytes) {
    for (int64_t x = 0; x < bytes; x += 64) __builtin_prefetch(row + x);
}

}  // namespace

void encode(const Rows& rows, uint8_t* codes, int64_t stride, float* scale, float* residual, float* norm) {
    std::vector<float> values(rows.d);
    for (int64_t i = 0; i < rows.n; ++i) {
        float largest = 0;
        for (int64_t x = 0; x < rows.d; ++x) {
            values[x] = rows.element == Element::f32 ? reinterpret_cast<const float*>(rows.row(i))[x]
                                                     : half_to_float(reinterpret_cast<const uint16_t*>(rows.row(i))[x]);
            largest = std::max(largest, std::fabs(values[x]));
        }
        const float step = largest / 127;
        double rest = 0, size = 0;
        uint8_t* code = codes + i * stride;
        for (int64_t x = 0; x < rows.d; ++x) {
            const int rounded = step > 0 ? std::clamp(static_cast<int>(std::lrintf(values[x] / step)), -127, 127) : 0;
            const double decoded = double{step} * rounded;
            code[x] = static_cast<uint8_t>(rounded + 128);
            rest += (values[x] - decoded) * (values[x] - decoded);
            size += decoded * decoded;
        }
        scale[i] = step;
        residual[i] = static_cast<float>(std::sqrt(rest)) * ROUND_UP;
        norm[i] = static_cast<float>(std::sqrt(size)) * ROUND_UP;
    }
}

int64_t topk_screened(const Kernel& kernel, const Queries& queries, const Rows& rows, const Codes& codes, int64_t k,
                      const uint8_t* mask, float* scores, int64_t* ids, int threads) {
    if (rows.d > MAX_CODED_DIM) throw std::invalid_argument("coded rows have at most 8192 dimensions");
    if (kernel.code_masks == nullptr && PackedQueries::worth_packing(kernel.batch, queries.q)) {
        topk(kernel, queries, rows, k, mask, scores, ids, threads);  // faster than codes without a batch of them
        return queries.q * rows.n;
    }
    const int64_t item = rows.element == Element::f32 ? 4 : 2;
    const double slack = static_cast<double>(rows.d + 32) * 0x1p-24;
    const int parts = worth_waking(threads, queries.q * rows.n * std::max<int64_t>(rows.d, 1) / 4);
    const int64_t block = std::clamp<int64_t>((int64_t{1} << 18) / std::max<int64_t>(codes.stride, 1) / 32 * 32, 32, 512);
    std::vector<RefinedQuery> fine;
    for (int64_t j = 0; j < queries.q; ++j) fine.push_back(refine(queries.row(j), rows.d));
    std::optional<CoarseBatch> batch;
    if (kernel.code_masks != nullptr && queries.q >= MIN_BATCH_QUERIES) batch.emplace(fine, queries, slack);

    CodeMasks* const code_masks = kernel.tiles && amx() ? kernel.tiles->code_masks : kernel.code_masks;
    const CodeScanner scanner(kernel, codes, mask, slack);
    std::vector<std::vector<Screen>> screens(parts, std::vector<Screen>(queries.q, Screen(k)));
    split(rows.n, parts, [&](int part, int64_t begin, int64_t end) {
        if (batch) return scan_batch(code_masks, *batch, codes, scanner, fine, begin, end, block, screens[part]);
        std::vector<int64_t> dots(block);
        for (int64_t first = begin; first < end; first += block) {
            const int64_t last = std::min(first + block, end);
            for (int64_t j = 0; j < queries.q; ++j) scanner.scan(fine[j], first, last, dots.data(), screens[part][j]);
        }
    });

    std::vector<int64_t> read(queries.q, 0);
    run_tasks(std::min<int64_t>(parts, queries.q), [&](int task) {
        const int64_t tasks = std::min<int64_t>(parts, queries.q);
        for (int64_t j = task; j < queries.q; j += tasks) {
            TopK lower(k);
            for (auto& screen : screens) {
                for (uint64_t key : screen[j].lower.finish()) lower.push(key);
            }
            lower.finish();
            const Queries one{queries.row(j), 1, queries.d};
            std::vector<TopK> best(1, TopK(k));
            for (auto& screen : screens) {
                screen[j].prune(lower.threshold());
                const std::vector<Candidate>& candidates = screen[j].candidates;
                for (size_t c = 0; c < candidates.size(); ++c) {
                    const Candidate& candidate = candidates[c];
                    if (c + 1 < candidates.size()) fetch(rows.row(candidates[c + 1].id), rows.d * item);
                    float score;
                    kernel.scores(one, rows, candidate.id, candidate.id + 1, &score, 1);
                    require_finite(&score, 1);
                    best[0].offer(score, candidate.id);
                    ++read[j];
                }
            }
            write_best(best, k, scores + j * k, ids + j * k);
        }
    });
    int64_t total = 0;
    for (int64_t count : read) total += count;
    return total;
}

}  // namespace cg::dense
