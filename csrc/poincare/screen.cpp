// The exact nearest rows, read in half precision first: half the bytes where memory is the bound.
//
// With h = |x - half| and |row - half| <= r, the gap g = |x - row|² obeys, for any b > 0,
//     h² (1 - b) - r²/b <= g <= h² (1 + b) + r² (1 + 1/b).
// A row whose least key is above the k-th best of the greatest keys cannot be chosen; the others are read in full by the
// very kernel a full scan uses, so the answer has the same bits.

#include <algorithm>
#include <cmath>
#include <vector>

#include "blocks.hpp"
#include "context_graph/poincare.hpp"
#include "context_graph/select.hpp"
#include "context_graph/threads.hpp"
#include "poincare/slack.hpp"
#include "poincare/winners.hpp"

namespace cg::poincare {
namespace {

struct Candidate {
    float score;  // at best
    int64_t id;
};

// What one thread has found for one query.
struct Screen {
    TopK at_worst;
    std::vector<Candidate> candidates;
    size_t prune_at = 4096;

    explicit Screen(int64_t k) : at_worst(k) {}

    // The threshold has risen since the first candidates came in: drop those it now excludes.
    void prune(float threshold) {
        std::erase_if(candidates, [&](const Candidate& candidate) { return candidate.score < threshold; });
        prune_at = std::max<size_t>(4096, 2 * candidates.size());
    }
};

}  // namespace

int64_t nearest_screened(const Kernel& kernel, const Ball& queries, const Ball& rows, const Halves& halves, int64_t k,
                         const uint8_t* mask, float* distances, int64_t* ids, int threads) {
    const int64_t q = queries.points.n, d = rows.points.d, block = 2 * block_rows(rows.points);
    if (RoundedMasks* const rounded_masks = worth_rounding(kernel, q, rows, k)) {
        return nearest_rounded(kernel, rounded_masks, queries, rows, k, mask, distances, ids, threads);
    }
    const float c = static_cast<float>(rows.c);
    std::vector<float> slack(q), padded(q * halves.stride, 0.0f);
    for (int64_t j = 0; j < q; ++j) {
        slack[j] = static_cast<float>(slack_of(kernel, queries, j));
        std::copy(queries.points.row(j), queries.points.row(j) + d, padded.data() + j * halves.stride);
    }
    if (k == 0) return 0;

    // b, and what float32 sums and the few roundings of a key lose.
    const double b = 0x1p-9, lost = static_cast<double>(d + 64) * 0x1p-22, rest = halves.rest * halves.rest;
    const auto less = static_cast<float>(1 - b - lost), more = static_cast<float>(1 + b + lost);
    const auto minus = static_cast<float>(rest / b * (1 + lost)), plus = static_cast<float>(rest * (1 + 1 / b) * (1 + lost));

    const int parts = worth_waking(threads, scan_work(q, rows.points) / 2);
    std::vector<std::vector<Screen>> screens(q, std::vector<Screen>(parts, Screen(k)));
    split(rows.points.n, parts, [&](int part, int64_t begin, int64_t end) {
        constexpr int64_t AT_ONCE = 16;  // nearly all rows are out: so many are looked at together
        std::vector<float> gaps(block), best((block + AT_ONCE - 1) / AT_ONCE * AT_ONCE, -INFINITY);
        for (int64_t first = begin; first < end; first += block) {
            const int64_t count = std::min(block, end - first);
            const uint8_t* visible = mask ? mask + first : nullptr;
            for (int64_t j = 0; j < q; ++j) {
                Screen& screen = screens[j][part];
                kernel.half_gaps(padded.data() + j * halves.stride, halves, first, first + count, gaps.data());
                for (int64_t i = 0; i < count; ++i) best[i] = gaps[i] * less - minus;
                kernel.keys(best.data(), rows.slacks + first, slack[j], -c, count);
                for (int64_t i = 0; i < count; i += AT_ONCE) {
                    const float threshold = screen.at_worst.threshold();
                    int any = 0;
                    for (int64_t x = i; x < i + AT_ONCE; ++x) any |= best[x] >= threshold;
                    for (int64_t x = i; any && x < std::min(i + AT_ONCE, count); ++x) {
                        if (!(best[x] >= threshold) || (visible && !visible[x])) continue;
                        float worst = gaps[x] * more + plus;
                        kernel.keys(&worst, rows.slacks + first + x, slack[j], -c, 1);
                        screen.at_worst.offer(worst, first + x);
                        screen.candidates.push_back({best[x], first + x});
                    }
                }
                if (screen.candidates.size() >= screen.prune_at) {
                    screen.at_worst.prune();
                    screen.prune(screen.at_worst.threshold());
                }
            }
        }
    });

    std::vector<int64_t> read(q, 0);
    const int tasks = static_cast<int>(std::min<int64_t>(parts, q));
    run_tasks(tasks, [&](int task) {
        for (int64_t j = task; j < q; j += tasks) {
            TopK at_worst(k);
            for (Screen& screen : screens[j]) {
                for (uint64_t key : screen.at_worst.finish()) at_worst.push(key);
            }
            at_worst.finish();
            const Points one{queries.points.row(j), 1, d, queries.points.stride};
            std::vector<TopK> chosen(1, TopK(k));
            for (Screen& screen : screens[j]) {
                screen.prune(at_worst.threshold());
                for (const Candidate& candidate : screen.candidates) {
                    float score;
                    kernel.gaps(one, rows.points, candidate.id, candidate.id + 1, &score, 1);
                    kernel.keys(&score, rows.slacks + candidate.id, slack[j], -c, 1);
                    chosen[0].offer(score, candidate.id);
                    ++read[j];
                }
            }
            write_nearest(kernel, chosen, k, rows.c, distances + j * k, ids + j * k);
        }
    });
    int64_t total = 0;
    for (int64_t count : read) total += count;
    return total;
}

}  // namespace cg::poincare
