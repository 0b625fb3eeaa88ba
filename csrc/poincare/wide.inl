// Both vector backends, for a lane type `Lanes` included before.

#include <cmath>

#include "context_graph/cpu.hpp"
#include "context_graph/poincare.hpp"
#include "differences.inl"

namespace cg::poincare {
namespace {

double square(const float* x, int64_t d) {
    Lanes::Doubles sum = Lanes::none();
    int64_t i = 0;
    for (; i + Lanes::doubles <= d; i += Lanes::doubles) {
        const Lanes::Doubles value = Lanes::widen(x + i);
        sum = Lanes::fma(value, value, sum);
    }
    if (i < d) {
        const Lanes::Doubles value = Lanes::widen(x + i, d - i);
        sum = Lanes::fma(value, value, sum);
    }
    return Lanes::fold(sum);
}

double square_of_sum(const float* x, const float* y, double t, int64_t d) {
    const Lanes::Doubles times = Lanes::wide(t);
    Lanes::Doubles sum = Lanes::none();
    int64_t i = 0;
    for (; i + Lanes::doubles <= d; i += Lanes::doubles) {
        const Lanes::Doubles both = Lanes::fma(times, Lanes::widen(y + i), Lanes::widen(x + i));
        sum = Lanes::fma(both, both, sum);
    }
    if (i < d) {
        const Lanes::Doubles both = Lanes::fma(times, Lanes::widen(y + i, d - i), Lanes::widen(x + i, d - i));
        sum = Lanes::fma(both, both, sum);
    }
    return Lanes::fold(sum);
}

// Two products and a sum, not a fused one: a x - a x is then exactly 0.
void blend(const float* x, double a, const float* y, double b, int64_t d, float* out) {
    const Lanes::Doubles of_x = Lanes::wide(a), of_y = Lanes::wide(b);
    int64_t i = 0;
    for (; i + Lanes::doubles <= d; i += Lanes::doubles) {
        const Lanes::Doubles first = Lanes::mul(of_x, Lanes::widen(x + i));
        Lanes::narrow(out + i, Lanes::add(first, Lanes::mul(of_y, Lanes::widen(y + i))));
    }
    if (i < d) {
        const Lanes::Doubles first = Lanes::mul(of_x, Lanes::widen(x + i, d - i));
        Lanes::narrow(out + i, Lanes::add(first, Lanes::mul(of_y, Lanes::widen(y + i, d - i))), d - i);
    }
}

void gaps(const Points& queries, const Points& rows, int64_t begin, int64_t end, float* out, int64_t ld) {
    difference_sums<true>(queries, rows, begin, end, out, ld);
}

// Row after row, as they lie; the padding spares the last, short step.
template <int R>
[[gnu::always_inline]] inline void half_tile(const float* query, const Halves& halves, int64_t i, int64_t ahead, float* out) {
    const uint16_t* row[R];
    Lanes::Floats sum[R];
    for (int r = 0; r < R; ++r) {
        row[r] = halves.data + (i + r) * halves.stride;
        sum[r] = Lanes::all(0);
    }
    for (int64_t x = 0; x < halves.stride; x += Lanes::floats) {
        const Lanes::Floats mine = Lanes::load(query + x);
        for (int r = 0; r < R; ++r) {
            if (R > 1) _mm_prefetch(reinterpret_cast<const char*>(row[r] + x) + ahead, _MM_HINT_T0);
            sum[r] = accumulate<true>(Lanes::sub(mine, Lanes::load_half(row[r] + x)), sum[r]);
        }
    }
    if constexpr (R == 4) {
        _mm_storeu_ps(out, fold_four(sum[0], sum[1], sum[2], sum[3]));
    } else {
        out[0] = fold_one(sum[0]);
    }
}

void half_gaps(const float* query, const Halves& halves, int64_t begin, int64_t end, float* out) {
    const int64_t ahead = fetch_ahead(8192);  // bytes: memory answers that much later
    int64_t i = begin;
    for (; i + 4 <= end; i += 4) half_tile<4>(query, halves, i, ahead, out + i - begin);
    for (; i < end; ++i) half_tile<1>(query, halves, i, ahead, out + i - begin);
}

void keys(float* gaps, const float* slacks, float slack, float c, int64_t n) {
    const Lanes::Floats of_query = Lanes::all(slack), curvature = Lanes::all(c);
    int64_t i = 0;
    for (; i + Lanes::floats <= n; i += Lanes::floats) {
        const Lanes::Floats product = Lanes::mul(of_query, Lanes::load(slacks + i));
        Lanes::store(gaps + i, Lanes::div(Lanes::mul(curvature, Lanes::load(gaps + i)), product));
    }
    if (i < n) {
        const Lanes::Floats product = Lanes::mul(of_query, Lanes::load(slacks + i, n - i));
        Lanes::store(gaps + i, Lanes::div(Lanes::mul(curvature, Lanes::load(gaps + i, n - i)), product), n - i);
    }
}

// log(1 + w) for w >= 0 within 2 units in the last place. s = 1 + w is rounded; what rounding lost comes back as
// lost / s. The polynomial is Cephes' logf.
[[gnu::always_inline]] inline Lanes::Floats log1p(Lanes::Floats w) {
    const Lanes::Floats one = Lanes::all(1), s = Lanes::add(one, w);
    const Lanes::Floats lost = Lanes::select_at_least(w, one, Lanes::sub(one, Lanes::sub(s, w)),
                                                      Lanes::sub(w, Lanes::sub(s, one)));
    Lanes::Floats exponent;
    const Lanes::Floats f = Lanes::sub(Lanes::split(s, exponent), one), square = Lanes::mul(f, f);
    const float terms[] = {-1.1514610310e-1f, 1.1676998740e-1f, -1.2420140846e-1f, 1.4249322787e-1f,
                           -1.6668057665e-1f, 2.0000714765e-1f, -2.4999993993e-1f, 3.3333331174e-1f};
    Lanes::Floats rest = Lanes::all(7.0376836292e-2f);
    for (float term : terms) rest = Lanes::fma(rest, f, Lanes::all(term));
    rest = Lanes::mul(Lanes::mul(rest, f), square);
    rest = Lanes::fma(exponent, Lanes::all(-2.12194440e-4f), rest);  // ln 2 in two parts
    rest = Lanes::fma(Lanes::all(-0.5f), square, rest);
    rest = Lanes::add(rest, Lanes::div(lost, s));
    return Lanes::fma(exponent, Lanes::all(0.693359375f), Lanes::add(f, rest));
}

// asinh z = log1p(z + z²/(1 + sqrt(1 + z²))), where nothing cancels; z² is the key.
[[gnu::always_inline]] inline Lanes::Floats length(Lanes::Floats key, Lanes::Floats scale) {
    const Lanes::Floats one = Lanes::all(1);
    const Lanes::Floats root = Lanes::sqrt(Lanes::add(one, key));
    const Lanes::Floats w = Lanes::add(Lanes::sqrt(key), Lanes::div(key, Lanes::add(one, root)));
    return Lanes::mul(scale, log1p(w));
}

void lengths(float* keys, double c, int64_t n) {
    const Lanes::Floats scale = Lanes::all(static_cast<float>(2 / sqrt(c)));
    int64_t i = 0;
    for (; i + Lanes::floats <= n; i += Lanes::floats) {
        Lanes::store(keys + i, length(Lanes::load(keys + i), scale));
    }
    if (i < n) Lanes::store(keys + i, length(Lanes::load(keys + i, n - i), scale), n - i);
}

}  // namespace
}  // namespace cg::poincare
