// Scans in blocks that stay in cache, chooses while the block's scores are still in L1.

#include <algorithm>
#include <vector>

#include "blocks.hpp"
#include "context_graph/select.hpp"
#include "context_graph/threads.hpp"
#include "context_graph/transe.hpp"
#include "finite.hpp"

namespace cg::transe {

void score(const Kernel& kernel, const Points& heads, const Points& relations, const Points& tails, Norm norm,
           float* out, int threads) {
    split(heads.n, worth_waking(threads, scan_work(1, heads)), [&](int, int64_t begin, int64_t end) {
        kernel.score(heads, relations, tails, norm, begin, end, out);
        require_finite(out + begin, end - begin);
    });
}

void nearest(const Kernel& kernel, const Points& heads, const Points& relations, const Points& tails, Norm norm,
             int64_t k, const uint8_t* mask, float* scores, int64_t* ids, int threads) {
    const int64_t q = heads.n, d = heads.d, block = block_rows(tails);
    std::vector<float> sums(q * d);
    for (int64_t j = 0; j < q; ++j) {
        for (int64_t x = 0; x < d; ++x) sums[j * d + x] = heads.row(j)[x] + relations.row(j)[x];
    }
    const Points wishes{sums.data(), q, d, d};
    const int parts = worth_waking(threads, scan_work(q, tails));
    std::vector<std::vector<TopK>> chosen(q, std::vector<TopK>(parts, TopK(k)));
    split(tails.n, parts, [&](int part, int64_t begin, int64_t end) {
        std::vector<float> buffer(q * block);
        for (int64_t first = begin; first < end; first += block) {
            const int64_t last = std::min(first + block, end);
            kernel.scores(wishes, tails, norm, first, last, buffer.data(), block);
            for (int64_t j = 0; j < q; ++j) {
                const float* found = buffer.data() + j * block;
                require_finite(found, last - first);
                chosen[j][part].offer_all(found, last - first, first, mask ? mask + first : nullptr);
            }
        }
    });
    for (int64_t j = 0; j < q; ++j) write_best(chosen[j], k, scores + j * k, ids + j * k);
}

}  // namespace cg::transe
