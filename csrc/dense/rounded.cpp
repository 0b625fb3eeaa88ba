// Exact top-k of a batch by products of bfloat16, which tiles take at many times the rate of float32.
//
// With row = r + e and query = q + f, r and q rounded to bfloat16:
//     |<query, row> - <q, r>| <= |query| |e| + |f| |r|,  |e| <= 2^-8 |row|          (Cauchy-Schwarz)
// plus the rounding of both sums, at most 2 d 2^-24 |query| |row|. A row whose upper bound is below the k-th best score so far
// cannot be chosen; the others are scored by the very kernel that a full scan uses, so the answer has the same bits.

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "context_graph/dense.hpp"
#include "context_graph/select.hpp"
#include "context_graph/threads.hpp"
#include "dense/scanner.hpp"
#include "finite.hpp"

namespace cg::dense {
namespace {

// The nearest, ties to even; numbers below 2^-126 become zero, as tiles take them. Not a number stays so.
uint16_t to_bfloat(float value) {
    const auto bits = std::bit_cast<uint32_t>(value);
    if (std::isnan(value)) return 0x7fc0;
    if (std::fabs(value) < 0x1p-126f) return 0;
    return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

float of_bfloat(uint16_t value) { return std::bit_cast<float>(uint32_t{value} << 16); }

class RoundedBatch {
   public:
    explicit RoundedBatch(const Queries& queries) {
        const int64_t q = queries.q, d = queries.d, padded = (d + 31) / 32 * 32;
        panels_.assign((q + COARSE_GROUP - 1) / COARSE_GROUP * COARSE_GROUP * padded, 0);
        for (int64_t j = 0; j < q; ++j) {
            uint16_t* panel = panels_.data() + j / COARSE_GROUP * COARSE_GROUP * padded + j % COARSE_GROUP * 2;
            double square = 0, missing = 0, sum = 0;
            for (int64_t x = 0; x < d; ++x) {
                const double value = queries.row(j)[x];
                const uint16_t rounded = to_bfloat(queries.row(j)[x]);
                panel[x / 2 * 2 * COARSE_GROUP + x % 2] = rounded;
                square += value * value;
                missing += (value - of_bfloat(rounded)) * (value - of_bfloat(rounded));
                sum += std::fabs(value);
            }
            const double size = std::sqrt(square), sums = static_cast<double>(d + 64) * 0x1p-23;
            per_norm_.push_back(static_cast<float>((size * (0x1p-8 + sums) + std::sqrt(missing) * (1 + 0x1p-8)) * ROUND_UP));
            smallest_.push_back(static_cast<float>((sum + static_cast<double>(d) + 1) * 0x1p-125));
        }
        view_ = {panels_.data(), q, padded, per_norm_.data(), smallest_.data()};
    }

    const RoundedQueries& view() const { return view_; }

   private:
    static constexpr double ROUND_UP = 1 + 0x1p-18;

    std::vector<uint16_t> panels_;
    std::vector<float> per_norm_, smallest_;
    RoundedQueries view_;
};

}  // namespace

void topk_rounded(const Kernel& kernel, const Queries& queries, const Rows& rows, int64_t k, const uint8_t* mask,
                  float* scores, int64_t* ids, int threads) {
    const RoundedBatch batch(queries);
    const Scanner scanner(kernel, queries, rows);
    const int64_t q = queries.q, padded = batch.view().padded;
    const int64_t block = std::clamp<int64_t>((int64_t{1} << 18) / std::max<int64_t>(padded, 1) / 32 * 32, 32, 512);
    const int parts = worth_waking(threads, q * rows.n * std::max<int64_t>(rows.d, 1) / 4);
    std::vector<std::vector<TopK>> chosen(q, std::vector<TopK>(parts, TopK(k)));
    split(rows.n, parts, [&](int part, int64_t begin, int64_t end) {
        const int64_t ld = block / 16;
        std::vector<float> thresholds(q), buffer;
        std::vector<uint16_t> masks(q * ld), room(32 * padded);
        for (int64_t first = begin; first < end; first += block) {
            const int64_t last = std::min(first + block, end), used = (last - first + 15) / 16;
            for (int64_t j = 0; j < q; ++j) thresholds[j] = chosen[j][part].threshold();
            kernel.tiles->rounded_masks(batch.view(), rows, first, last, thresholds.data(), room.data(), masks.data(), ld);
            int64_t left = 0;
            for (int64_t j = 0; j < q; ++j) {
                for (int64_t b = 0; b < used; ++b) left += std::popcount(masks[j * ld + b]);
            }
            if (left > q * (last - first) / 16) {  // sooner done for all together
                buffer.resize(q * block);
                scanner.scores(first, last, buffer.data(), block);
                for (int64_t j = 0; j < q; ++j) {
                    require_finite(buffer.data() + j * block, last - first);
                    chosen[j][part].offer_all(buffer.data() + j * block, last - first, first, mask ? mask + first : nullptr);
                    chosen[j][part].prune();
                }
                continue;
            }
            for (int64_t j = 0; j < q && left > 0; ++j) {
                bool any = false;
                for (int64_t b = 0; b < used; ++b) {
                    for (unsigned bits = masks[j * ld + b]; bits != 0; bits &= bits - 1) {
                        const int64_t row = first + 16 * b + std::countr_zero(bits);
                        float score;
                        kernel.scores({queries.row(j), 1, queries.d}, rows, row, row + 1, &score, 1);
                        require_finite(&score, 1);
                        if (mask == nullptr || mask[row]) chosen[j][part].offer(score, row);
                        any = true;
                    }
                }
                if (any) chosen[j][part].prune();
            }
        }
    });
    for (int64_t j = 0; j < q; ++j) write_best(chosen[j], k, scores + j * k, ids + j * k);
}

}  // namespace cg::dense
