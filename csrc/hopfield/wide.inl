// Both vector backends, for a lane type `Lanes` included before.

#include "batches.inl"
#include "context_graph/hopfield.hpp"
#include "exp2.inl"

namespace cg::hopfield {
namespace {

float greatest(const float* scores, int64_t n) {
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

double weigh(float* scores, int64_t n, float greatest, int cutoff) {
    const Lanes::Floats most = Lanes::all(greatest), least = Lanes::all(static_cast<float>(-cutoff));
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
[[gnu::always_inline]] inline void join(const float* block, int64_t d, double keep, double* sum) {
    const Lanes::Doubles kept = Lanes::wide(keep);
    int64_t x = 0;
    for (; x + Lanes::doubles <= d; x += Lanes::doubles) {
        Lanes::store(sum + x, Lanes::add(Lanes::mul(Lanes::load(sum + x), kept), Lanes::widen(block + x)));
    }
    for (; x < d; ++x) sum[x] = sum[x] * keep + double{block[x]};
}

// R rows onto a sum that stays in L1, all of d at once: for one query, L2 is read in long runs.
template <class Type, int R>
[[gnu::always_inline]] inline void add_rows(const char* const* rows, const float* weights, int64_t x, int64_t d,
                                            float* sum) {
    Lanes::Floats weight[R];
    for (int r = 0; r < R; ++r) weight[r] = Lanes::all(weights[r]);
    int64_t i = 0;
    for (; i + Lanes::floats <= d; i += Lanes::floats) {
        Lanes::Floats total = Lanes::load(sum + i);
        for (int r = 0; r < R; ++r) total = Lanes::fma(weight[r], Type::load(rows[r], x + i), total);
        Lanes::store(sum + i, total);
    }
    if (i < d) {
        Lanes::Floats total = Lanes::load(sum + i, d - i);
        for (int r = 0; r < R; ++r) total = Lanes::fma(weight[r], Type::load(rows[r], x + i, d - i), total);
        Lanes::store(sum + i, total, d - i);
    }
}

template <class Type>
void mix_one(int64_t d, const char* const* rows, int64_t count, const float* weights, double keep, double* sum) {
    constexpr int64_t AT_ONCE = 2048;
    alignas(64) float block[AT_ONCE];
    for (int64_t x = 0; x < d; x += AT_ONCE) {
        const int64_t some = d - x < AT_ONCE ? d - x : AT_ONCE;
        for (int64_t i = 0; i < some; ++i) block[i] = 0;
        int64_t t = 0;
        for (; t + 8 <= count; t += 8) add_rows<Type, 8>(rows + t, weights + t, x, some, block);
        for (; t < count; ++t) add_rows<Type, 1>(rows + t, weights + t, x, some, block);
        join(block, some, keep, sum + x);
    }
}

// For several queries, V vectors of d for each stay in registers over all rows. The same additions in the same order.
template <class Type, int Q, int V>
[[gnu::always_inline]] inline void mix_chunk(const char* const* rows, int64_t count, const float* weights, int64_t x,
                                             int64_t some, const double* keep, double* const* sums) {
    Lanes::Floats sum[Q][V];
    for (int q = 0; q < Q; ++q) {
        for (int v = 0; v < V; ++v) sum[q][v] = Lanes::all(0);
    }
    for (int64_t t = 0; t < count; ++t) {
        Lanes::Floats value[V];
        for (int v = 0; v < V; ++v) {
            const int64_t at = x + v * Lanes::floats;
            value[v] = some > 0 ? Type::load(rows[t], at, some) : Type::load(rows[t], at);
        }
        for (int q = 0; q < Q; ++q) {
            const Lanes::Floats weight = Lanes::all(weights[t * Q + q]);
            for (int v = 0; v < V; ++v) sum[q][v] = Lanes::fma(weight, value[v], sum[q][v]);
        }
    }
    alignas(64) float block[V * Lanes::floats];
    for (int q = 0; q < Q; ++q) {
        for (int v = 0; v < V; ++v) Lanes::store(block + v * Lanes::floats, sum[q][v]);
        join(block, some > 0 ? some : V * Lanes::floats, keep[q], sums[q] + x);
    }
}

template <class Type, int Q>
void mix_rows(int64_t d, const char* const* rows, int64_t count, const float* weights, const double* keep,
              double* const* sums) {
    constexpr int V = Lanes::floats == 16 ? 4 : 2;
    constexpr int64_t wide = V * Lanes::floats;
    int64_t x = 0;
    for (; x + wide <= d; x += wide) mix_chunk<Type, Q, V>(rows, count, weights, x, 0, keep, sums);
    for (; x + Lanes::floats <= d; x += Lanes::floats) {
        mix_chunk<Type, Q, 1>(rows, count, weights, x, 0, keep, sums);
    }
    if (x < d) mix_chunk<Type, Q, 1>(rows, count, weights, x, d - x, keep, sums);
}

template <class Type>
void mix_of(int64_t d, const char* const* rows, int64_t count, const float* weights, int64_t q, const double* keep,
            double* const* sums) {
    static_assert(MIXED_AT_ONCE == 4);
    if (q == 1) return mix_one<Type>(d, rows, count, weights, keep[0], sums[0]);
    if (q == 2) return mix_rows<Type, 2>(d, rows, count, weights, keep, sums);
    if (q == 3) return mix_rows<Type, 3>(d, rows, count, weights, keep, sums);
    mix_rows<Type, 4>(d, rows, count, weights, keep, sums);
}

void mix(const Stored& patterns, const char* const* rows, int64_t count, const float* weights, int64_t q,
         const double* keep, double* const* sums) {
    const int64_t d = patterns.d;
    if (patterns.width == Width::f32) return mix_of<F32>(d, rows, count, weights, q, keep, sums);
    if (patterns.width == Width::f16) return mix_of<F16>(d, rows, count, weights, q, keep, sums);
    mix_of<BF16>(d, rows, count, weights, q, keep, sums);
}

}  // namespace
}  // namespace cg::hopfield
