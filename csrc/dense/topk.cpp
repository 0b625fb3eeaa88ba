// Scans in blocks that stay in cache, chooses while the block's scores are still in L1.

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "dense/scanner.hpp"
#include "context_graph/cpu.hpp"
#include "context_graph/select.hpp"
#include "context_graph/threads.hpp"
#include "finite.hpp"
#include "packed_queries.hpp"

namespace cg::dense {
namespace {

// A block's rows are read again for each group of queries: half an L2 of rows keeps the later reads cheap.
int64_t block_rows(const Rows& rows) {
    return std::clamp<int64_t>((int64_t{1} << 19) / std::max<int64_t>(rows.stride, 1) / 16 * 16, 16, 512);
}

// Products of bfloat16, where the processor multiplies them faster than float32.
RoundedMasks* rounded_masks_of(const Kernel& kernel) {
    if (kernel.tiles && amx()) return kernel.tiles->rounded_masks;
    return bfloat16() ? kernel.rounded_masks : nullptr;
}

int64_t work(const Queries& queries, const Rows& rows) { return queries.q * rows.n * std::max<int64_t>(rows.d, 1); }

}  // namespace

Scanner::Scanner(const Kernel& kernel, const Queries& queries, const Rows& rows)
    : kernel_(kernel), queries_(queries), rows_(rows) {
    if (!PackedQueries::worth_packing(kernel.batch, queries.q)) return;
    std::vector<const float*> starts(queries.q);
    for (int64_t j = 0; j < queries.q; ++j) starts[j] = queries.row(j);
    packed_.emplace(kernel.batch, starts.data(), queries.q, queries.d);
}

void Scanner::scores(int64_t begin, int64_t end, float* out, int64_t ld) const {
    if (!packed_) return kernel_.scores(queries_, rows_, begin, end, out, ld);
    kernel_.batch.run(packed_->view(), rows_.stored(), begin, end, out, ld);
    if (!rows_.scale) return;
    for (int64_t j = 0; j < queries_.q; ++j) {
        for (int64_t i = begin; i < end; ++i) out[j * ld + i - begin] *= rows_.scale[i];
    }
}

void scores_all(const Kernel& kernel, const Queries& queries, const Rows& rows, float* out, int threads) {
    const Scanner scanner(kernel, queries, rows);
    const int parts = worth_waking(threads, work(queries, rows));
    const int64_t block = block_rows(rows);
    split(rows.n, parts, [&](int, int64_t begin, int64_t end) {
        for (int64_t first = begin; first < end; first += block) {
            const int64_t last = std::min(first + block, end);
            scanner.scores(first, last, out + first, rows.n);
            for (int64_t j = 0; j < queries.q; ++j) require_finite(out + j * rows.n + first, last - first);
        }
    });
}

void topk(const Kernel& kernel, const Queries& queries, const Rows& rows, int64_t k, const uint8_t* mask,
          float* scores, int64_t* ids, int threads) {
    RoundedMasks* const rounded_masks = rounded_masks_of(kernel);
    if (rounded_masks && queries.q >= MIN_TILE_QUERIES && rows.element != Element::i8 && k > 0 && k <= rows.n / 16) {
        return topk_rounded(kernel, rounded_masks, queries, rows, k, mask, scores, ids, threads);
    }
    const Scanner scanner(kernel, queries, rows);
    const int parts = worth_waking(threads, work(queries, rows));
    const int64_t block = block_rows(rows);
    std::vector<std::vector<TopK>> chosen(queries.q, std::vector<TopK>(parts, TopK(k)));
    split(rows.n, parts, [&](int part, int64_t begin, int64_t end) {
        std::vector<float> buffer(queries.q * block);
        for (int64_t first = begin; first < end; first += block) {
            const int64_t last = std::min(first + block, end);
            scanner.scores(first, last, buffer.data(), block);
            for (int64_t j = 0; j < queries.q; ++j) {
                const float* found = buffer.data() + j * block;
                require_finite(found, last - first);
                chosen[j][part].offer_all(found, last - first, first, mask ? mask + first : nullptr);
            }
        }
    });
    for (int64_t j = 0; j < queries.q; ++j) write_best(chosen[j], k, scores + j * k, ids + j * k);
}

}  // namespace cg::dense
