// Both vector backends, for a lane type `Lanes` included before.

#include "batches.inl"
#include "context_graph/hopfield.hpp"
#include "exp2.inl"

namespace cg::hopfield {
namespace {

float max_score(const float* scores, int64_t n) {
    alignas(64) float lanes[Lanes::floats];
    int64_t i = 0;
    float best = scores[0];
    if (n >= Lanes::floats) {
        Lanes::Floats most = Lanes::load(scores);
        for (i = Lanes::floats; i + Lanes::floats <= n; i += Lanes::floats) {
            most = Lanes::max(most, Lanes::load(scores + i));
        }
        Lanes::store(lanes, most);
        for (int64_t lane = 0; lane < Lanes::floats; ++lane) best = lanes[lane] > best ? lanes[lane] : best;
    }
    for (; i < n; ++i) best = scores[i] > best ? scores[i] : best;
    return best;
}

double exponentiate(float* scores, int64_t n, float max_score, int cutoff) {
    const Lanes::Floats most = Lanes::all(max_score), least = Lanes::all(static_cast<float>(-cutoff));
    Lanes::Floats sum = Lanes::all(0);
    const auto weight = [&](Lanes::Floats score) __attribute__((always_inline)) {
        // -inf, a hidden row, is clamped as well: its power is thrown away, but must not be NaN.
        const Lanes::Floats exponent = Lanes::sub(score, most);
        const Lanes::Floats power = exp2(Lanes::max(exponent, least));
        return Lanes::select_at_least(exponent, least, power, Lanes::all(0));
    };
    int64_t i = 0;
    for (; i + Lanes::floats <= n; i += Lanes::floats) {
        const Lanes::Floats weights = weight(Lanes::load(scores + i));
        Lanes::store(scores + i, weights);
        sum = Lanes::add(sum, weights);
    }
    double rest = 0;
    if (i < n) {
        Lanes::store(scores + i, weight(Lanes::load(scores + i, n - i)), n - i);
        for (; i < n; ++i) rest += double{scores[i]};
    }
    return double{fold_one(sum)} + rest;
}

// sum = keep * sum + block. In double, so the error does not grow with the number of blocks.
[[gnu::always_inline]] inline void add_scaled(const float* block, int64_t d, double factor, double* sum) {
    const Lanes::Doubles factors = Lanes::wide(factor);
    int64_t x = 0;
    for (; x + Lanes::doubles <= d; x += Lanes::doubles) {
        Lanes::store(sum + x, Lanes::add(Lanes::mul(Lanes::load(sum + x), factors), Lanes::widen(block + x)));
    }
    for (; x < d; ++x) sum[x] = sum[x] * factor + double{block[x]};
}

// R rows onto a sum that stays in L1, all of d at once: for one query, L2 is read in long runs. Where FETCH,
// what lies `ahead` bytes behind comes from memory to L2 meanwhile.
template <class Type, int R, bool FETCH>
[[gnu::always_inline]] inline void add_rows(const char* const* rows, const float* weights, int64_t x, int64_t d,
                                            int64_t ahead, float* sum) {
    Lanes::Floats weight[R];
    for (int r = 0; r < R; ++r) weight[r] = Lanes::all(weights[r]);
    int64_t i = 0;
    for (; i + Lanes::floats <= d; i += Lanes::floats) {
        Lanes::Floats total = Lanes::load(sum + i);
        for (int r = 0; r < R; ++r) {
            if (FETCH) _mm_prefetch(rows[r] + (x + i) * Type::bytes + ahead, _MM_HINT_T1);
            total = Lanes::fma(weight[r], Type::load(rows[r], x + i), total);
        }
        Lanes::store(sum + i, total);
    }
    if (i < d) {
        Lanes::Floats total = Lanes::load(sum + i, d - i);
        for (int r = 0; r < R; ++r) total = Lanes::fma(weight[r], Type::load(rows[r], x + i, d - i), total);
        Lanes::store(sum + i, total, d - i);
    }
}

template <class Type>
void add_weighted_rows_one(const Mixture& mixture, int64_t d, int64_t ahead) {
    const char* const* rows = mixture.rows;
    const float* weights = mixture.weights;
    const int64_t count = mixture.count;
    constexpr int64_t AT_ONCE = 2048;
    alignas(64) float block[AT_ONCE];
    for (int64_t x = 0; x < d; x += AT_ONCE) {
        const int64_t some = d - x < AT_ONCE ? d - x : AT_ONCE;
        for (int64_t i = 0; i < some; ++i) block[i] = 0;
        int64_t t = 0;
        // Of the next block `products` has asked for the first half: so memory works all the time. Shorter numbers take as long
        // to widen as to read.
        constexpr bool FETCH = Type::bytes == 4;
        for (; t + 8 <= count && 2 * t < count; t += 8) add_rows<Type, 8, false>(rows + t, weights + t, x, some, ahead, block);
        for (; t + 8 <= count; t += 8) add_rows<Type, 8, FETCH>(rows + t, weights + t, x, some, ahead, block);
        for (; t < count; ++t) add_rows<Type, 1, false>(rows + t, weights + t, x, some, ahead, block);
        add_scaled(block, some, mixture.factor[0], mixture.sums[0] + x);
    }
}

// For several queries, V vectors of d for each stay in registers over all rows. The same additions in the same order.
// `panel` holds V vectors of each row of the block side by side: rows themselves may lie a multiple of 2 KB apart, where
// few of them fit L1 together.
template <int Q, int V>
[[gnu::noinline]] void add_weighted_chunk(const Mixture& mixture, const float* panel, int64_t x, int64_t some) {
    Lanes::Floats sum[Q][V];
#pragma GCC unroll 4
    for (int q = 0; q < Q; ++q) {
#pragma GCC unroll 4
        for (int v = 0; v < V; ++v) sum[q][v] = Lanes::all(0);
    }
    const float* weights = mixture.weights;
    for (int64_t t = 0; t < mixture.count; ++t, weights += Q) {
        const float* row = panel + mixture.places[t] * (V * Lanes::floats);
        Lanes::Floats value[V];
#pragma GCC unroll 4
        for (int v = 0; v < V; ++v) value[v] = Lanes::load(row + v * Lanes::floats);
#pragma GCC unroll 4
        for (int q = 0; q < Q; ++q) {
            const Lanes::Floats weight = Lanes::all(weights[q]);
#pragma GCC unroll 4
            for (int v = 0; v < V; ++v) sum[q][v] = Lanes::fma(weight, value[v], sum[q][v]);
        }
    }
    alignas(64) float block[V * Lanes::floats];
#pragma GCC unroll 4
    for (int q = 0; q < Q; ++q) {
#pragma GCC unroll 4
        for (int v = 0; v < V; ++v) Lanes::store(block + v * Lanes::floats, sum[q][v]);
        add_scaled(block, some, mixture.factor[q], mixture.sums[q] + x);
    }
}

template <class Type, int V>
void add_weighted_chunks(const Stored& patterns, int64_t begin, int64_t end, int64_t x, int64_t some,
                         const Mixture* mixtures, int64_t n, float* panel) {
    static_assert(QUERIES_PER_MIXTURE == 4);
    float* to = panel;
    for (int64_t i = begin; i < end; ++i, to += V * Lanes::floats) {
        const char* row = patterns.row(i);
        for (int64_t v = 0; v < some; v += Lanes::floats) {
            const bool part = some - v < Lanes::floats;
            Lanes::store(to + v, part ? Type::load(row, x + v, some - v) : Type::load(row, x + v));
        }
    }
    for (const Mixture* mixture = mixtures; mixture < mixtures + n; ++mixture) {
        if (mixture->q == 4) add_weighted_chunk<4, V>(*mixture, panel, x, some);
        if (mixture->q == 3) add_weighted_chunk<3, V>(*mixture, panel, x, some);
        if (mixture->q == 2) add_weighted_chunk<2, V>(*mixture, panel, x, some);
    }
}

template <class Type>
void add_weighted_rows_of(const Stored& patterns, int64_t begin, int64_t end, const Mixture* mixtures, int64_t n) {
    constexpr int V = Lanes::floats == 16 ? 4 : 2;
    constexpr int64_t wide = V * Lanes::floats;
    alignas(64) float panel[MAX_BLOCK_ROWS * wide];
    const int64_t d = patterns.d;
    bool several = false;
    for (const Mixture* mixture = mixtures; mixture < mixtures + n; ++mixture) {
        if (mixture->q == 1) add_weighted_rows_one<Type>(*mixture, d, (end - begin) * patterns.stride);
        several |= mixture->q > 1;
    }
    if (!several) return;
    int64_t x = 0;
    for (; x + wide <= d; x += wide) add_weighted_chunks<Type, V>(patterns, begin, end, x, wide, mixtures, n, panel);
    for (; x < d; x += Lanes::floats) {
        const int64_t some = x + Lanes::floats <= d ? Lanes::floats : d - x;
        add_weighted_chunks<Type, 1>(patterns, begin, end, x, some, mixtures, n, panel);
    }
}

void add_weighted_rows(const Stored& patterns, int64_t begin, int64_t end, const Mixture* mixtures, int64_t n) {
    if (patterns.width == Width::f32) return add_weighted_rows_of<F32>(patterns, begin, end, mixtures, n);
    if (patterns.width == Width::f16) return add_weighted_rows_of<F16>(patterns, begin, end, mixtures, n);
    add_weighted_rows_of<BF16>(patterns, begin, end, mixtures, n);
}

}  // namespace
}  // namespace cg::hopfield
