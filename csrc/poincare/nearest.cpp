// Distances row by row, of all pairs and of the nearest: blocks that stay in cache, keys before distances.

#include <algorithm>
#include <vector>

#include "blocks.hpp"
#include "context_graph/poincare.hpp"
#include "context_graph/select.hpp"
#include "context_graph/threads.hpp"
#include "finite.hpp"
#include "poincare/slack.hpp"
#include "poincare/winners.hpp"

namespace cg::poincare {
namespace {

void slacks_of(const Kernel& kernel, const Ball& ball, int64_t begin, int64_t end, float* out) {
    for (int64_t i = begin; i < end; ++i) out[i - begin] = static_cast<float>(slack_of(kernel, ball, i));
}

// The slacks the ball has, or those just taken.
const float* slacks_or(const Kernel& kernel, const Ball& ball, int64_t begin, int64_t end, std::vector<float>& room) {
    if (ball.slacks) return ball.slacks + begin;
    room.resize(end - begin);
    slacks_of(kernel, ball, begin, end, room.data());
    return room.data();
}

// Calls visit(part, first, last, j, keys) for every block of rows and every query; sign -1 turns keys into scores.
template <class Visit>
void scan(const Kernel& kernel, const Ball& queries, const Ball& rows, float sign, int parts, Visit visit) {
    const int64_t q = queries.points.n, block = block_rows(rows.points);
    std::vector<float> of_queries;
    const float* slack = slacks_or(kernel, queries, 0, q, of_queries);
    split(rows.points.n, parts, [&](int part, int64_t begin, int64_t end) {
        std::vector<float> keys(q * block), of_rows;
        for (int64_t first = begin; first < end; first += block) {
            const int64_t last = std::min(first + block, end);
            const float* slacks = slacks_or(kernel, rows, first, last, of_rows);
            kernel.gaps(queries.points, rows.points, first, last, keys.data(), block);
            for (int64_t j = 0; j < q; ++j) {
                float* line = keys.data() + j * block;
                kernel.keys(line, slacks, slack[j], sign * static_cast<float>(rows.c), last - first);
                require_finite(line, last - first);
                visit(part, first, last, j, line);
            }
        }
    });
}

}  // namespace

void slacks(const Kernel& kernel, const Ball& ball, float* out, int threads) {
    split(ball.points.n, worth_waking(threads, scan_work(1, ball.points)),
          [&](int, int64_t begin, int64_t end) { slacks_of(kernel, ball, begin, end, out + begin); });
}

void distance(const Kernel& kernel, const Ball& x, const Ball& y, float* out, int threads) {
    split(x.points.n, worth_waking(threads, scan_work(2, x.points)), [&](int, int64_t begin, int64_t end) {
        std::vector<float> of_x, of_y;
        const float* slack_x = slacks_or(kernel, x, begin, end, of_x);
        const float* slack_y = slacks_or(kernel, y, begin, end, of_y);
        for (int64_t i = begin; i < end; ++i) {
            const Points one{x.points.row(i), 1, x.points.d, x.points.stride};
            kernel.gaps(one, y.points, i, i + 1, out + i, 1);
            kernel.keys(out + i, slack_y + (i - begin), slack_x[i - begin], static_cast<float>(x.c), 1);
        }
        require_finite(out + begin, end - begin);
        kernel.lengths(out + begin, x.c, end - begin);
    });
}

void distances(const Kernel& kernel, const Ball& queries, const Ball& rows, float* out, int threads) {
    const int64_t n = rows.points.n;
    const int parts = worth_waking(threads, scan_work(queries.points.n, rows.points));
    scan(kernel, queries, rows, 1, parts, [&](int, int64_t first, int64_t last, int64_t j, float* keys) {
        kernel.lengths(keys, rows.c, last - first);
        std::copy(keys, keys + (last - first), out + j * n + first);
    });
}

void nearest(const Kernel& kernel, const Ball& queries, const Ball& rows, int64_t k, const uint8_t* mask,
             float* distances, int64_t* ids, int threads) {
    const int64_t q = queries.points.n;
    if (RoundedMasks* const rounded_masks = worth_rounding(kernel, q, rows, k)) {
        nearest_rounded(kernel, rounded_masks, queries, rows, k, mask, distances, ids, threads);
        return;
    }
    const int parts = worth_waking(threads, scan_work(q, rows.points));
    std::vector<std::vector<TopK>> chosen(q, std::vector<TopK>(parts, TopK(k)));
    scan(kernel, queries, rows, -1, parts, [&](int part, int64_t first, int64_t last, int64_t j, float* keys) {
        chosen[j][part].offer_all(keys, last - first, first, mask ? mask + first : nullptr);
    });
    for (int64_t j = 0; j < q; ++j) write_nearest(kernel, chosen[j], k, rows.c, distances + j * k, ids + j * k);
}

}  // namespace cg::poincare
