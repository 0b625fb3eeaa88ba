// Approximate top-k: one bit per rotated number chooses candidates, which are then scored in full.
//
// A rotation that knows nothing of the data spreads a row over all its numbers, so that the signs alone say where it points.
// With b the signs (+1 or -1) of a rotated row x and q the rotated query, <q, x> is about <q, b> |x|^2 / <x, b>, which is right
// on the average over rotations (RaBitQ). The query is taken in 4 bits, so <q, b> is four passes of popcounts. No bound is
// strict enough to leave out a row by its signs for sure: that is why this is approximate.

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "context_graph/dense.hpp"
#include "context_graph/select.hpp"
#include "context_graph/threads.hpp"
#include "finite.hpp"
#include "half.hpp"

namespace cg::dense {
namespace {

constexpr int64_t MIN_DIM = 256;
constexpr int64_t BLOCK = 512;       // rows whose signs stay in L2 while all queries come to them
constexpr float CLIP_RMS = 2.7f;  // of the 4-bit numbers, in root mean squares of the query; what lies beyond is cut
constexpr uint64_t SEED = 20261122;  // of the rotation; stored signs belong to it

uint64_t splitmix64(uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

// Two rounds of random signs and a Walsh-Hadamard transform: as good as a random rotation, in d log d.
class Rotation {
   public:
    explicit Rotation(int64_t d) : size_(rotated_dim(d)), signs_(2 * size_) {
        for (int64_t x = 0; x < 2 * size_; ++x)
            signs_[x] = splitmix64(SEED + static_cast<uint64_t>(x)) & 1 ? 1.0f : -1.0f;
    }

    int64_t size() const { return size_; }

    void rotate(float* values) const {
        const float scale = 1.0f / std::sqrt(static_cast<float>(size_));
        for (int round = 0; round < 2; ++round) {
            const float* signs = signs_.data() + round * size_;
            for (int64_t x = 0; x < size_; ++x) values[x] *= signs[x] * scale;
            for (int64_t half = 1; half < size_; half *= 2) {
                for (int64_t at = 0; at < size_; at += 2 * half) {
                    float *low = values + at, *high = low + half;
                    for (int64_t x = 0; x < half; ++x) {
                        const float sum = low[x] + high[x], difference = low[x] - high[x];
                        low[x] = sum;
                        high[x] = difference;
                    }
                }
            }
        }
    }

   private:
    int64_t size_;
    std::vector<float> signs_;
};

// A rotated query in numbers 0 ... 15: value = step * (number - 7.5).
struct SlicedQuery {
    std::vector<uint64_t> planes;
    float sum = 0;  // of the numbers
};

SlicedQuery slice(const Rotation& rotation, const float* query, int64_t d) {
    std::vector<float> values(rotation.size());
    std::copy(query, query + d, values.begin());
    rotation.rotate(values.data());
    double square = 0;
    for (const float value : values) square += double{value} * double{value};
    const double step = CLIP_RMS / 7.5 * std::sqrt(square / static_cast<double>(rotation.size()));
    const int64_t words = rotation.size() / 64;
    SlicedQuery sliced{std::vector<uint64_t>(4 * words), 0};
    for (int64_t x = 0; x < rotation.size(); ++x) {
        const double wanted = step > 0 ? std::floor(values[x] / step) + 8 : 8;
        const auto number = static_cast<uint64_t>(std::clamp(wanted, 0.0, 15.0));
        sliced.sum += static_cast<float>(number);
        for (int plane = 0; plane < 4; ++plane) {
            sliced.planes[plane * words + x / 64] |= (number >> plane & 1) << (x % 64);
        }
    }
    return sliced;
}

void fetch(const char* row, int64_t bytes) {
    for (int64_t x = 0; x < bytes; x += 64) __builtin_prefetch(row + x);
}

}  // namespace

int64_t rotated_dim(int64_t d) {
    int64_t size = MIN_DIM;
    while (size < d) size *= 2;
    return size;
}

void encode_signs(const Rows& rows, uint64_t* bits, float* factor, float* ones) {
    const Rotation rotation(rows.d);
    const int64_t words = rotation.size() / 64;
    std::vector<float> values(rotation.size());
    for (int64_t i = 0; i < rows.n; ++i) {
        std::fill(values.begin(), values.end(), 0.0f);
        for (int64_t x = 0; x < rows.d; ++x) {
            const auto* narrow = reinterpret_cast<const uint16_t*>(rows.row(i));
            values[x] = rows.element == Element::f32   ? reinterpret_cast<const float*>(rows.row(i))[x]
                        : rows.element == Element::f16 ? half_to_float(narrow[x])
                                                       : bfloat_to_float(narrow[x]);
        }
        rotation.rotate(values.data());
        double square = 0, absolute = 0;
        int64_t set = 0;
        uint64_t* row = bits + i * words;
        std::fill(row, row + words, 0);
        for (int64_t x = 0; x < rotation.size(); ++x) {
            square += double{values[x]} * double{values[x]};
            absolute += std::fabs(double{values[x]});
            if (values[x] <= 0) continue;
            row[x / 64] |= uint64_t{1} << (x % 64);
            ++set;
        }
        factor[i] = absolute > 0 ? static_cast<float>(square / absolute) : 0.0f;
        ones[i] = static_cast<float>(set);
    }
}

void topk_prefiltered(const Kernel& kernel, const Queries& queries, const Rows& rows, const Signs& signs, int64_t k,
                      int64_t candidates, const uint8_t* mask, float* scores, int64_t* ids, int threads) {
    if (kernel.sign_dots == nullptr) throw std::invalid_argument("this backend does not read signs");
    const Rotation rotation(rows.d);
    const int64_t words = rotation.size() / 64, q = queries.q;
    candidates = std::max(candidates, k);
    std::vector<SlicedQuery> sliced;
    for (int64_t j = 0; j < q; ++j) sliced.push_back(slice(rotation, queries.row(j), rows.d));

    const int parts = worth_waking(threads, q * rows.n * words * 8);
    std::vector<std::vector<TopK>> best_by_sign(parts, std::vector<TopK>(q, TopK(candidates)));
    split(rows.n, parts, [&](int part, int64_t begin, int64_t end) {
        std::vector<int32_t> dots(BLOCK);
        std::vector<float> estimates(BLOCK);
        for (int64_t first = begin; first < end; first += BLOCK) {
            const int64_t last = std::min(first + BLOCK, end);
            for (int64_t j = 0; j < q; ++j) {
                kernel.sign_dots(sliced[j].planes.data(), signs.bits, words, first, last, dots.data());
                // Of numbers n with signs b: sum (n - 7.5) b = 2 sum over set bits of (n - 7.5) - sum (n - 7.5).
                const float all = 7.5f * static_cast<float>(rotation.size()) - sliced[j].sum;
                for (int64_t i = first; i < last; ++i) {
                    const float set = static_cast<float>(dots[i - first]) - 7.5f * signs.ones[i];
                    estimates[i - first] = signs.factor[i] * (2 * set + all);
                }
                best_by_sign[part][j].offer_all(estimates.data(), last - first, first, mask ? mask + first : nullptr);
            }
        }
    });

    const int64_t item = rows.element == Element::f32 ? 4 : 2;
    for (int64_t j = 0; j < q; ++j) {
        TopK candidate_keys(candidates);
        for (auto& part : best_by_sign) {
            for (uint64_t key : part[j].finish()) candidate_keys.push(key);
        }
        std::vector<int64_t> chosen;
        for (uint64_t key : candidate_keys.finish()) chosen.push_back(id_of(key));
        std::sort(chosen.begin(), chosen.end());
        const int64_t count = static_cast<int64_t>(chosen.size());
        const Queries one{queries.row(j), 1, queries.d};
        const int tasks = worth_waking(threads, count * rows.d * item);
        std::vector<std::vector<TopK>> best(tasks, std::vector<TopK>(1, TopK(k)));
        split(count, tasks, [&](int part, int64_t begin, int64_t end) {
            for (int64_t c = begin; c < end; ++c) {
                if (c + 2 < end) fetch(rows.row(chosen[c + 2]), rows.d * item);
                float score;
                kernel.scores(one, rows, chosen[c], chosen[c] + 1, &score, 1);
                require_finite(&score, 1);
                best[part][0].offer(score, chosen[c]);
            }
        });
        std::vector<TopK> parts_of_one;
        for (auto& part : best) parts_of_one.push_back(std::move(part[0]));
        write_best(parts_of_one, k, scores + j * k, ids + j * k);
    }
}

}  // namespace cg::dense
