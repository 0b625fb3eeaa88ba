// Float tokens against query tokens side by side: a lane is a query token, so neither a dot product nor a maximum needs
// anything across lanes, and both stay in registers. Two vectors of query tokens by ROWS tokens: as many loads as half the
// multiply-adds. A token is read once per two vectors, the first time from memory, which is the bound up to 16 query tokens.

#include "context_graph/maxsim.hpp"

namespace cg::maxsim {
namespace {

using Floats = Lanes::Floats;

constexpr int64_t VECTORS = PANEL / Lanes::floats;  // of one panel
constexpr int ROWS = Lanes::floats == 16 ? 8 : 6;   // two vectors for each fill the registers

// What tokens are read from: float32 where it lies, or ROWS tokens at a time made so.
struct Source {
    const dense::Rows& tokens;
    float* room;

    const float* rows(int64_t first, int64_t count, int64_t* stride) const {
        *stride = tokens.stride / static_cast<int64_t>(sizeof(float));
        if (tokens.element == dense::Element::f32) return reinterpret_cast<const float*>(tokens.row(first));
        *stride = tokens.d;
        for (int64_t t = 0; t < count; ++t) {
            const auto* half = reinterpret_cast<const uint16_t*>(tokens.row(first + t));
            float* to = room + t * tokens.d;
            int64_t x = 0;
            for (; x + Lanes::floats <= tokens.d; x += Lanes::floats) Lanes::store(to + x, Lanes::load_half(half + x));
            if (x < tokens.d) Lanes::store(to + x, Lanes::load_half(half + x, tokens.d - x), tokens.d - x);
        }
        return room;
    }
};

template <int T, int V>
[[gnu::always_inline]] inline void sums(const float* const* query, const float* tokens, int64_t stride, int64_t from,
                                        int64_t to, Floats (&sum)[T][V]) {
    for (int t = 0; t < T; ++t) {
        for (int v = 0; v < V; ++v) sum[t][v] = Lanes::all(0);
    }
    for (int64_t x = from; x < to; ++x) {
        if (x % 16 == 0) {
            for (int t = 0; t < T; ++t) _mm_prefetch(reinterpret_cast<const char*>(tokens + (t + T) * stride + x), _MM_HINT_T0);
        }
        Floats side[V];
        for (int v = 0; v < V; ++v) side[v] = Lanes::load(query[v] + x * PANEL);
        for (int t = 0; t < T; ++t) {
            const Floats value = Lanes::all(tokens[t * stride + x]);
            for (int v = 0; v < V; ++v) sum[t][v] = Lanes::fma(value, side[v], sum[t][v]);
        }
    }
}

template <int T, int V>
[[gnu::always_inline]] inline void tile(const float* const* query, int64_t d, const float* tokens, int64_t stride,
                                        Floats (&best)[V], Floats& bad) {
    Floats sum[T][V];
    sums<T, V>(query, tokens, stride, 0, d < CHUNK ? d : CHUNK, sum);
    if (d > CHUNK) {
        Floats total[T][V];
        for (int t = 0; t < T; ++t) {
            for (int v = 0; v < V; ++v) total[t][v] = sum[t][v];
        }
        for (int64_t from = CHUNK; from < d; from += CHUNK) {
            sums<T, V>(query, tokens, stride, from, d - from < CHUNK ? d : from + CHUNK, sum);
            for (int t = 0; t < T; ++t) {
                for (int v = 0; v < V; ++v) total[t][v] = Lanes::add(total[t][v], sum[t][v]);
            }
        }
        for (int t = 0; t < T; ++t) {
            for (int v = 0; v < V; ++v) sum[t][v] = total[t][v];
        }
    }
    for (int t = 0; t < T; ++t) {
        for (int v = 0; v < V; ++v) {
            best[v] = Lanes::max(sum[t][v], best[v]);
            bad = Lanes::fma(sum[t][v], Lanes::all(0), bad);  // 0, or not a number
        }
    }
}

template <int V>
[[gnu::always_inline]] inline void strip(const float* const* query, const Source& source, int64_t from, int64_t to,
                                         float* const* out, Floats& bad) {
    Floats best[V];
    for (int v = 0; v < V; ++v) best[v] = Lanes::load(out[v]);
    int64_t stride;
    int64_t t = from;
    for (; t + ROWS <= to; t += ROWS) {
        const float* rows = source.rows(t, ROWS, &stride);
        tile<ROWS, V>(query, source.tokens.d, rows, stride, best, bad);
    }
    for (; t + 2 <= to; t += 2) {
        const float* rows = source.rows(t, 2, &stride);
        tile<2, V>(query, source.tokens.d, rows, stride, best, bad);
    }
    if (t < to) {
        const float* rows = source.rows(t, 1, &stride);
        tile<1, V>(query, source.tokens.d, rows, stride, best, bad);
    }
    for (int v = 0; v < V; ++v) Lanes::store(out[v], best[v]);
}

bool values(const Panels& query, const dense::Rows& tokens, int64_t from, int64_t to, float* room, float* best) {
    const Source source{tokens, room};
    const int64_t vectors = query.count * VECTORS;
    const auto side = [&](int64_t v) {
        return query.data + v / VECTORS * tokens.d * PANEL + v % VECTORS * Lanes::floats;
    };
    Floats bad = Lanes::all(0);
    int64_t v = 0;
    for (; v + 2 <= vectors; v += 2) {
        const float* sides[2] = {side(v), side(v + 1)};
        float* to_best[2] = {best + v * Lanes::floats, best + (v + 1) * Lanes::floats};
        strip<2>(sides, source, from, to, to_best, bad);
    }
    if (v < vectors) {
        const float* sides[1] = {side(v)};
        float* to_best[1] = {best + v * Lanes::floats};
        strip<1>(sides, source, from, to, to_best, bad);
    }
    return Lanes::at_least(bad, Lanes::all(0)) == (1u << Lanes::floats) - 1;
}

template <class Load, class LoadSome>
[[gnu::always_inline]] inline float dot_of(const float* query, int64_t d, Load load, LoadSome load_some) {
    Floats sum[2] = {Lanes::all(0), Lanes::all(0)};
    int64_t x = 0;
    for (; x + 2 * Lanes::floats <= d; x += 2 * Lanes::floats) {
        for (int v = 0; v < 2; ++v) {
            const int64_t at = x + v * Lanes::floats;
            sum[v] = Lanes::fma(Lanes::load(query + at), load(at), sum[v]);
        }
    }
    for (; x + Lanes::floats <= d; x += Lanes::floats) sum[0] = Lanes::fma(Lanes::load(query + x), load(x), sum[0]);
    if (x < d) sum[1] = Lanes::fma(Lanes::load(query + x, d - x), load_some(x, d - x), sum[1]);
    const __m128 four = Lanes::four(Lanes::add(sum[0], sum[1])), two = _mm_hadd_ps(four, four);
    return _mm_cvtss_f32(_mm_hadd_ps(two, two));
}

float dot(const float* query, const dense::Rows& tokens, int64_t t) {
    const auto* f32 = reinterpret_cast<const float*>(tokens.row(t));
    const auto* f16 = reinterpret_cast<const uint16_t*>(tokens.row(t));
    if (tokens.element == dense::Element::f32) {
        return dot_of(query, tokens.d, [&](int64_t x) { return Lanes::load(f32 + x); },
                      [&](int64_t x, int64_t some) { return Lanes::load(f32 + x, some); });
    }
    return dot_of(query, tokens.d, [&](int64_t x) { return Lanes::load_half(f16 + x); },
                  [&](int64_t x, int64_t some) { return Lanes::load_half(f16 + x, some); });
}

int64_t hits(const float* dots, int64_t count, float least, int32_t* out) {
    const Floats bar = Lanes::all(least);
    int64_t found = 0, t = 0;
    for (; t + Lanes::floats <= count; t += Lanes::floats) {
        for (uint32_t bits = Lanes::at_least(Lanes::load(dots + t), bar); bits != 0; bits &= bits - 1) {
            out[found++] = static_cast<int32_t>(t + __builtin_ctz(bits));
        }
    }
    for (; t < count; ++t) {
        if (dots[t] >= least) out[found++] = static_cast<int32_t>(t);
    }
    return found;
}

}  // namespace
}  // namespace cg::maxsim
