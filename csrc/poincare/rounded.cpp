// The exact nearest rows of a batch by products of bfloat16.
//
// With g = |x|² + |y|² - 2 <x, y> and c|y|² = 1 - slack(y), a key c g / (slack(x) slack(y)) is above the k-th best one, t, where
//     <x, y> + t slack(x) / 2c slack(y) - (|x|² + (1 - slack(y)) / c) / 2 < 0,
// which is linear in slack(y). The product is taken in bfloat16 and may lack what rounded.hpp says, for a row within the ball.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "blocks.hpp"
#include "context_graph/cpu.hpp"
#include "context_graph/poincare.hpp"
#include "context_graph/threads.hpp"
#include "poincare/slack.hpp"
#include "poincare/winners.hpp"
#include "rounded.hpp"

namespace cg::poincare {

RoundedMasks* worth_rounding(const Kernel& kernel, int64_t q, const Ball& rows, int64_t k) {
    if (!rows.slacks || q < MIN_TILE_QUERIES || k <= 0 || k > rows.points.n / 16) return nullptr;
    if (kernel.tile_masks && amx()) return kernel.tile_masks;
    return bfloat16() ? kernel.rounded_masks : nullptr;
}

int64_t nearest_rounded(const Kernel& kernel, RoundedMasks* rounded_masks, const Ball& queries, const Ball& rows, int64_t k,
                        const uint8_t* mask, float* distances, int64_t* ids, int threads) {
    const int64_t q = queries.points.n, d = rows.points.d;
    const double c = rows.c, radius = 1 / std::sqrt(c);
    std::vector<const float*> starts(q);
    std::vector<float> slack(q);
    std::vector<double> at_rest(q);  // of `shift`, what does not depend on the threshold
    for (int64_t j = 0; j < q; ++j) {
        starts[j] = queries.points.row(j);
        slack[j] = static_cast<float>(slack_of(kernel, queries, j));
    }
    const RoundedBatch batch(starts.data(), q, d);
    const RoundedQueries& view = batch.view();
    // The terms are at most 1/c wherever the sum is near 0; each is rounded to float once or twice.
    for (int64_t j = 0; j < q; ++j) {
        const double square = kernel.square(starts[j], d);
        at_rest[j] = double{view.per_norm[j]} * radius * (1 + 0x1p-20) + view.smallest[j] + 0x1p-18 / c - (square + 1 / c) / 2;
    }
    const double more = 1 + static_cast<double>(d + 64) * 0x1p-22;  // what the rounding of a key loses

    const int64_t block = std::clamp<int64_t>((int64_t{1} << 18) / std::max<int64_t>(view.padded, 1) / 32 * 32, 32, 512);
    const int parts = worth_waking(threads, scan_work(q, rows.points) / 4);
    std::vector<std::vector<TopK>> chosen(parts, std::vector<TopK>(q, TopK(k)));
    std::vector<int64_t> scored(parts, 0);
    split(rows.points.n, parts, [&](int part, int64_t begin, int64_t end) {
        std::vector<uint16_t> room(32 * view.padded);
        std::vector<float> gain(q), shift(q);
        scored[part] = choose_rounded(
            begin, end, block, mask, chosen[part],
            [&](int64_t first, int64_t last, const float* thresholds, uint16_t* out, int64_t ld) {
                for (int64_t j = 0; j < q; ++j) {
                    const double key = -double{thresholds[j]};  // +inf before there are k
                    gain[j] = static_cast<float>(key * more * slack[j] / (2 * c) + 1 / (2 * c));
                    shift[j] = static_cast<float>(at_rest[j]);
                }
                rounded_masks(view, rows.points, first, last, rows.slacks + first, gain.data(), shift.data(), room.data(), out, ld);
            },
            [&](int64_t j, int64_t row) {
                float score;
                const Points one{starts[j], 1, d, queries.points.stride};
                kernel.gaps(one, rows.points, row, row + 1, &score, 1);
                kernel.keys(&score, rows.slacks + row, slack[j], -static_cast<float>(c), 1);
                return score;
            },
            [&](int64_t first, int64_t last, float* out, int64_t ld) {
                kernel.gaps(queries.points, rows.points, first, last, out, ld);
                for (int64_t j = 0; j < q; ++j) {
                    kernel.keys(out + j * ld, rows.slacks + first, slack[j], -static_cast<float>(c), last - first);
                }
            });
    });
    std::vector<TopK> of_parts;
    for (int64_t j = 0; j < q; ++j) {
        of_parts.clear();
        for (std::vector<TopK>& part : chosen) of_parts.push_back(std::move(part[j]));
        write_nearest(kernel, of_parts, k, rows.c, distances + j * k, ids + j * k);
    }
    return std::accumulate(scored.begin(), scored.end(), int64_t{0});
}

}  // namespace cg::poincare
