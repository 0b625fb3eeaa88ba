// Scores of a few rows at a time against all experts, then the choice and its softmax in double.

#include <algorithm>
#include <cmath>
#include <vector>

#include "context_graph/fusemoe.hpp"
#include "context_graph/threads.hpp"
#include "finite.hpp"

namespace cg::fusemoe {
namespace {

constexpr int64_t ROWS_PER_PASS = 16;  // rows that share one reading of the experts

Stored stored(const Points& rows) {
    return {rows.data, Width::f32, rows.n, rows.d, rows.stride * static_cast<int64_t>(sizeof(float))};
}

// 0 where either has no direction.
float cosine(float product, float square, float other) {
    const double lengths = std::sqrt(double{square}) * std::sqrt(double{other});
    return lengths > 0 ? static_cast<float>(product / lengths) : 0.0f;
}

class Scores {
   public:
    Scores(const Kernel& kernel, const Points& x, const Points& experts, Kind kind)
        : kernel_(kernel), x_(x), experts_(experts), kind_(kind), lengths_(kind == Kind::cosine ? experts.n : 0) {
        if (kind == Kind::cosine) {
            kernel.squares(stored(experts), 0, experts.n, lengths_.data());
            require_finite(lengths_.data(), experts.n);
        }
    }

    // (last - first, e), row by row.
    void of(int64_t first, int64_t last, float* out) const {
        const int64_t n = last - first, e = experts_.n;
        const Points rows{x_.row(first), n, x_.d, x_.stride};
        if (kind_ == Kind::laplace) {
            kernel_.distances(rows, experts_, 0, e, out, e);
            for (int64_t i = 0; i < n * e; ++i) out[i] = 0.0f - std::sqrt(out[i]);
        } else {
            const float* starts[ROWS_PER_PASS];
            for (int64_t j = 0; j < n; ++j) starts[j] = rows.row(j);
            kernel_.products(starts, n, stored(experts_), 0, e, out, e);
        }
        if (kind_ == Kind::cosine) {
            float squares[ROWS_PER_PASS];
            kernel_.squares(stored(rows), 0, n, squares);
            require_finite(squares, n);
            for (int64_t j = 0; j < n; ++j) {
                for (int64_t i = 0; i < e; ++i) out[j * e + i] = cosine(out[j * e + i], squares[j], lengths_[i]);
            }
        }
        require_finite(out, n * e);
    }

   private:
    const Kernel& kernel_;
    const Points &x_, &experts_;
    const Kind kind_;
    std::vector<float> lengths_;
};

// The k best of e scores, best first: scores to `weights`, ids to `ids`. Returns how many there are.
int64_t choose(const float* scores, int64_t e, const uint8_t* present, int64_t k, float* weights, int64_t* ids) {
    int64_t count = 0;
    for (int64_t i = 0; i < e; ++i) {
        if (present && !present[i]) continue;
        if (count == k && !(k > 0 && scores[i] > weights[k - 1])) continue;
        int64_t at = count < k ? count++ : k - 1;
        for (; at > 0 && scores[i] > weights[at - 1]; --at) {  // an equal score came with a lower id
            weights[at] = weights[at - 1];
            ids[at] = ids[at - 1];
        }
        weights[at] = scores[i];
        ids[at] = i;
    }
    std::fill(weights + count, weights + k, 0.0f);
    std::fill(ids + count, ids + k, -1);
    return count;
}

// Of scores with the best first, whose power is 1; room for as many powers.
void softmax(float* scores, int64_t count, double temperature, double* powers) {
    if (count == 0) return;
    const double best = scores[0];
    double total = powers[0] = 1;
    for (int64_t j = 1; j < count; ++j) total += powers[j] = std::exp((scores[j] - best) / temperature);
    for (int64_t j = 0; j < count; ++j) scores[j] = static_cast<float>(powers[j] / total);
}

}  // namespace

void gate(const Kernel& kernel, const Points& x, const Points& experts, Kind kind, int64_t k, double temperature,
          const Present& present, float* weights, int64_t* ids, int threads) {
    const Scores scores(kernel, x, experts, kind);
    const int64_t e = experts.n;
    split(x.n, worth_waking(threads, x.n * e * std::max<int64_t>(x.d, 1)), [&](int, int64_t begin, int64_t end) {
        std::vector<float> found(std::min(ROWS_PER_PASS, end - begin) * e);
        std::vector<double> powers(std::min(k, e));
        for (int64_t first = begin; first < end; first += ROWS_PER_PASS) {
            const int64_t last = std::min(first + ROWS_PER_PASS, end);
            scores.of(first, last, found.data());
            for (int64_t i = first; i < last; ++i) {
                const uint8_t* visible = present.data ? present.data + i * present.stride : nullptr;
                const int64_t count = choose(found.data() + (i - first) * e, e, visible, k, weights + i * k, ids + i * k);
                softmax(weights + i * k, count, temperature, powers.data());
            }
        }
    });
}

}  // namespace cg::fusemoe
