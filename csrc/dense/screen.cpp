// Exact top-k that reads one byte per element.
//
// With row = c + e (decoded code and rest) and query = u + f (its 15-bit form and rest):
//     |<query, row> - <u, c>| <= |query| |e| + |f| |c|          (Cauchy-Schwarz)
// plus the rounding of the float32 score it must agree with, at most d 2^-24 |query| |row|.
// A row whose upper bound is below the k-th best lower bound cannot be chosen; the others are scored in full
// with the very kernel a full scan uses, so the answer has the same bits.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <vector>

#include "context_graph/dense.hpp"
#include "context_graph/select.hpp"
#include "context_graph/threads.hpp"
#include "finite.hpp"
#include "half.hpp"

namespace cg::dense {
namespace {

constexpr float UP = 1.0f + 0x1p-20f;  // lifts a bound over the rounding of its own arithmetic

struct Query {
    std::vector<int16_t> fine;
    std::vector<int8_t> high, low;
    FineQuery view;
    double step;
    double size;     // >= |query|
    double missing;  // >= |query - step * fine|
};

Query refine(const float* values, int64_t d) {
    const int64_t padded = (d + 63) / 64 * 64;
    Query query{std::vector<int16_t>(padded), std::vector<int8_t>(padded), std::vector<int8_t>(padded), {}, 0, 0, 0};
    double largest = 0, square = 0, missing = 0;
    for (int64_t x = 0; x < d; ++x) {
        largest = std::max(largest, std::fabs(double{values[x]}));
        square += double{values[x]} * double{values[x]};
    }
    constexpr int LARGEST_FINE = 127 * 128;  // high <= 127, -64 <= low < 64
    query.step = largest / LARGEST_FINE;
    int64_t sum = 0;
    for (int64_t x = 0; x < d; ++x) {
        const int fine = query.step > 0 ? static_cast<int>(std::lrint(values[x] / query.step)) : 0;
        const int high = (fine + 64) >> 7;
        query.fine[x] = static_cast<int16_t>(fine);
        query.high[x] = static_cast<int8_t>(high);
        query.low[x] = static_cast<int8_t>(fine - 128 * high);
        sum += fine;
        const double rest = values[x] - query.step * fine;
        missing += rest * rest;
    }
    query.size = std::sqrt(square) * UP;
    query.missing = std::sqrt(missing) * UP;
    query.view = {query.fine.data(), query.high.data(), query.low.data(), padded, sum};
    return query;
}

struct Candidate {
    float upper;
    uint32_t id;
};

// What one thread has found for one query.
struct Screen {
    explicit Screen(int64_t k) : lower(k) {}

    TopK lower;
    std::vector<Candidate> candidates;
    size_t tidy_at = 4096;

    // The threshold has risen since the first candidates came in: drop those it now excludes.
    void tidy(float threshold) {
        std::erase_if(candidates, [&](const Candidate& candidate) { return candidate.upper < threshold; });
        tidy_at = std::max<size_t>(4096, 2 * candidates.size());
    }
};

void look(const Query& query, const Codes& codes, int64_t first, int64_t last, const int64_t* dots,
          const uint8_t* mask, double slack, Screen& screen) {
    const double per_residual = query.size * (1 + slack) * UP, per_norm = (query.size * slack + query.missing) * UP;
    double threshold = screen.lower.threshold();
    for (int64_t i = first; i < last; ++i) {
        const double estimate = query.step * codes.scale[i] * static_cast<double>(dots[i - first]);
        const double error = per_residual * codes.residual[i] + per_norm * codes.norm[i];
        if (estimate + error < threshold || (mask != nullptr && !mask[i])) continue;
        const float upper = std::nextafterf(static_cast<float>(estimate + error), INFINITY);
        screen.candidates.push_back({upper, static_cast<uint32_t>(i)});
        screen.lower.offer(std::nextafterf(static_cast<float>(estimate - error), -INFINITY), i);
        threshold = screen.lower.threshold();
        if (screen.candidates.size() >= screen.tidy_at) screen.tidy(screen.lower.threshold());
    }
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
        residual[i] = static_cast<float>(std::sqrt(rest)) * UP;
        norm[i] = static_cast<float>(std::sqrt(size)) * UP;
    }
}

int64_t topk_screened(const Kernel& kernel, const Queries& queries, const Rows& rows, const Codes& codes, int64_t k,
                      const uint8_t* mask, float* scores, int64_t* ids, int threads) {
    if (rows.d > MAX_CODED_DIM) throw std::invalid_argument("coded rows have at most 8192 dimensions");
    const double slack = static_cast<double>(rows.d + 32) * 0x1p-24;
    const int parts = worth_waking(threads, queries.q * rows.n * std::max<int64_t>(rows.d, 1) / 4);
    const int64_t block = std::clamp<int64_t>((int64_t{1} << 18) / std::max<int64_t>(codes.stride, 1), 16, 512);
    std::vector<Query> fine;
    for (int64_t j = 0; j < queries.q; ++j) fine.push_back(refine(queries.row(j), rows.d));

    std::vector<std::vector<Screen>> screens(parts, std::vector<Screen>(queries.q, Screen(k)));
    split(rows.n, parts, [&](int part, int64_t begin, int64_t end) {
        std::vector<int64_t> dots(block);
        for (int64_t first = begin; first < end; first += block) {
            const int64_t last = std::min(first + block, end);
            for (int64_t j = 0; j < queries.q; ++j) {
                kernel.code_dots(fine[j].view, codes.codes, codes.stride, first, last, dots.data());
                look(fine[j], codes, first, last, dots.data(), mask, slack, screens[part][j]);
            }
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
                screen[j].tidy(lower.threshold());
                for (const Candidate& candidate : screen[j].candidates) {
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
