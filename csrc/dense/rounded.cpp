// Exact top-k of a batch by products of bfloat16.

#include <algorithm>
#include <vector>

#include "context_graph/dense.hpp"
#include "context_graph/threads.hpp"
#include "dense/scanner.hpp"
#include "rounded.hpp"

namespace cg::dense {

void topk_rounded(const Kernel& kernel, RoundedMasks* rounded_masks, const Queries& queries, const Rows& rows, int64_t k,
                  const uint8_t* mask, float* scores, int64_t* ids, int threads) {
    const int64_t q = queries.q;
    std::vector<const float*> starts(q);
    for (int64_t j = 0; j < q; ++j) starts[j] = queries.row(j);
    const RoundedBatch batch(starts.data(), q, queries.d);
    const RoundedQueries& view = batch.view();
    const Scanner scanner(kernel, queries, rows);
    const int64_t block = std::clamp<int64_t>((int64_t{1} << 18) / std::max<int64_t>(view.padded, 1) / 32 * 32, 32, 512);
    const int parts = worth_waking(threads, q * rows.n * std::max<int64_t>(rows.d, 1) / 4);
    std::vector<std::vector<TopK>> chosen(parts, std::vector<TopK>(q, TopK(k)));
    split(rows.n, parts, [&](int part, int64_t begin, int64_t end) {
        std::vector<uint16_t> room(32 * view.padded);
        choose_rounded(
            begin, end, block, mask, chosen[part],
            [&](int64_t first, int64_t last, const float* thresholds, uint16_t* out, int64_t ld) {
                rounded_masks(view, rows, first, last, thresholds, room.data(), out, ld);
            },
            [&](int64_t j, int64_t row) {
                float score;
                kernel.scores({queries.row(j), 1, queries.d}, rows, row, row + 1, &score, 1);
                return score;
            },
            [&](int64_t first, int64_t last, float* out, int64_t ld) { scanner.scores(first, last, out, ld); });
    });
    std::vector<TopK> of_parts;
    for (int64_t j = 0; j < q; ++j) {
        of_parts.clear();
        for (std::vector<TopK>& part : chosen) of_parts.push_back(std::move(part[j]));
        write_best(of_parts, k, scores + j * k, ids + j * k);
    }
}

}  // namespace cg::dense
