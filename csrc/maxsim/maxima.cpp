// Packing, and the walk over documents that all backends share.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "context_graph/maxsim.hpp"
#include "context_graph/threads.hpp"
#include "maxsim/codes.hpp"
#include "maxsim/values.hpp"

namespace cg::maxsim {
namespace {

uint8_t* cell(uint8_t* blocks, int64_t padded, int64_t token, int64_t x) {
    return blocks + token / BLOCK * BLOCK * padded + x / 4 * 4 * BLOCK + token % BLOCK * 4 + x % 4;
}

}  // namespace

void encode(const float* tokens, int64_t count, int64_t dim, int8_t* codes) {
    for (int64_t t = 0; t < count; ++t, tokens += dim, codes += dim) {
        float largest = 0;
        for (int64_t x = 0; x < dim; ++x) largest = std::max(largest, std::fabs(tokens[x]));
        const double gain = largest > 0 ? 127.0 / largest : 0.0;
        for (int64_t x = 0; x < dim; ++x) codes[x] = static_cast<int8_t>(std::lrint(tokens[x] * gain));
    }
}

void pack(const int8_t* codes, int64_t tokens, int64_t dim, int64_t padded, int64_t first, uint8_t* blocks,
          float* scale) {
    for (int64_t t = 0; t < tokens; ++t) {
        const int8_t* from = codes + t * dim;
        int32_t square = 0;
        for (int64_t x = 0; x < dim; ++x) square += from[x] * from[x];
        uint8_t* to = cell(blocks, padded, first + t, 0);
        int64_t x = 0;
        for (; x + 4 <= dim; x += 4, to += 4 * BLOCK) {  // four codes are one word here and there
            uint32_t word;
            std::memcpy(&word, from + x, 4);
            word ^= 0x80808080u;  // + 128 in each byte
            std::memcpy(to, &word, 4);
        }
        for (; x < dim; ++x) *to++ = static_cast<uint8_t>(from[x] + 128);
        scale[first + t] = square > 0 ? static_cast<float>(1.0 / std::sqrt(static_cast<double>(square))) : 0.0f;
    }
}

void unpack(const uint8_t* blocks, int64_t first, int64_t tokens, int64_t dim, int64_t padded, int8_t* codes) {
    for (int64_t t = 0; t < tokens; ++t) {
        for (int64_t x = 0; x < dim; ++x) {
            codes[t * dim + x] =
                static_cast<int8_t>(*cell(const_cast<uint8_t*>(blocks), padded, first + t, x) - 128);
        }
    }
}

void maxima_packed(const Kernel& kernel, const float* query, int64_t q, const Packed& packed, const int64_t* ids,
                   int64_t m, float* out, int threads) {
    const FineQuery fine = refine(query, q, packed.dim, packed.padded);
    split(m, worth_waking(threads, code_work(packed, m, q)), [&](int, int64_t begin, int64_t end) {
        CodeScorer scorer(kernel, fine, packed);
        for (int64_t j = begin, next; j < end; j = next) {
            const int64_t first = ids ? ids[j] : j;  // and the documents behind it, as far as they follow
            next = j + 1;
            while (next < std::min(end, j + AT_ONCE) && (!ids || ids[next] == first + next - j)) ++next;
            const int64_t last = first + next - j;
            float* best = out + j * q;
            scorer.maxima(first, last, best);
            for (int64_t doc = first; doc < last; ++doc, best += q) {
                if (packed.offsets[doc] == packed.offsets[doc + 1]) continue;
                for (int64_t i = 0; i < q; ++i) best[i] *= fine.step[i];
            }
        }
    });
}

void maxima(const Kernel& kernel, const dense::Queries& query, const dense::Rows& tokens, const int64_t* offsets, int64_t n,
            float* out, int threads) {
    const PackedQuery packed(query);
    const int parts = worth_waking(threads, query.q * tokens.n * tokens.d / 2);
    split(n, parts, [&](int, int64_t begin, int64_t end) {
        ValueScorer scorer(kernel, packed, tokens);
        for (int64_t doc = begin; doc < end; ++doc) {
            const float* best = scorer.maxima(offsets[doc], offsets[doc + 1]);
            std::copy(best, best + query.q, out + doc * query.q);
        }
    });
}

void weighted_sum(const float* maxima, int64_t m, int64_t q, const float* weights, float* out) {
    for (int64_t j = 0; j < m; ++j) {
        float sum = 0;
        bool empty = false;
        for (int64_t i = 0; i < q; ++i) {
            const float most = maxima[j * q + i];
            empty |= most == MINUS_INFINITY;
            sum += weights[i] * most;
        }
        out[j] = empty ? MINUS_INFINITY : sum;
    }
}

}  // namespace cg::maxsim
