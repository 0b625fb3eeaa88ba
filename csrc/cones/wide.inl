// Both vector backends, for a lane type `Lanes` included before. The float filter reads each row once and adds three sums in
// float, so memory is the bound: 4 d bytes a row, one byte out.

#include "context_graph/cones.hpp"
#include "context_graph/cpu.hpp"
#include "differences.inl"

namespace cg::cones {
namespace {

Sums sums(const float* x, const float* y, int64_t d) {
    Lanes::Doubles g = Lanes::none(), q = g, n = g, n_of_y = g;
    const auto step = [&](Lanes::Doubles of_x, Lanes::Doubles of_y) __attribute__((always_inline)) {
        const Lanes::Doubles w = Lanes::sub(of_y, of_x);
        g = Lanes::fma(w, of_x, g);
        q = Lanes::fma(w, w, q);
        n = Lanes::fma(of_x, of_x, n);
        n_of_y = Lanes::fma(of_y, of_y, n_of_y);
    };
    int64_t i = 0;
    for (; i + Lanes::doubles <= d; i += Lanes::doubles) step(Lanes::widen(x + i), Lanes::widen(y + i));
    if (i < d) step(Lanes::widen(x + i, d - i), Lanes::widen(y + i, d - i));
    return {Lanes::fold(g), Lanes::fold(q), Lanes::fold(n), Lanes::fold(n_of_y)};
}

// The sums of up to CHUNK pairs of one and a row.
constexpr int64_t CHUNK = 512;
struct Columns {
    alignas(64) float g[CHUNK], q[CHUNK], row[CHUNK];  // <w, x>, |w|², |row|²
};

// DOWN: one is the apex x, rows are points y. Otherwise one is y, rows are x.
template <bool DOWN, int R>
[[gnu::always_inline]] inline void sum_tile(const float* one, const Points& rows, int64_t i, int64_t at, int64_t ahead, Columns& out) {
    const float* row[R];
    Lanes::Floats g[R], q[R], n[R];
    for (int r = 0; r < R; ++r) {
        row[r] = rows.row(i + r);
        g[r] = q[r] = n[r] = Lanes::all(0);
    }
    const int64_t whole = rows.d / Lanes::floats * Lanes::floats;
    for (int64_t x = 0; x < whole; x += Lanes::floats) {
        const Lanes::Floats mine = Lanes::load(one + x);
        for (int r = 0; r < R; ++r) {
            const Lanes::Floats value = Lanes::load(row[r] + x);
            if (R > 1) _mm_prefetch(reinterpret_cast<const char*>(row[r] + x) + ahead, _MM_HINT_T0);
            const Lanes::Floats w = DOWN ? Lanes::sub(value, mine) : Lanes::sub(mine, value);
            g[r] = Lanes::fma(w, DOWN ? mine : value, g[r]);
            q[r] = Lanes::fma(w, w, q[r]);
            n[r] = Lanes::fma(value, value, n[r]);
        }
    }
    if (whole < rows.d) {
        const Lanes::Floats mine = Lanes::load(one + whole, rows.d - whole);
        for (int r = 0; r < R; ++r) {
            const Lanes::Floats value = Lanes::load(row[r] + whole, rows.d - whole);
            const Lanes::Floats w = DOWN ? Lanes::sub(value, mine) : Lanes::sub(mine, value);
            g[r] = Lanes::fma(w, DOWN ? mine : value, g[r]);
            q[r] = Lanes::fma(w, w, q[r]);
            n[r] = Lanes::fma(value, value, n[r]);
        }
    }
    if constexpr (R == 4) {
        _mm_store_ps(out.g + at, fold_four(g[0], g[1], g[2], g[3]));
        _mm_store_ps(out.q + at, fold_four(q[0], q[1], q[2], q[3]));
        _mm_store_ps(out.row + at, fold_four(n[0], n[1], n[2], n[3]));
    } else {
        out.g[at] = fold_one(g[0]);
        out.q[at] = fold_one(q[0]);
        out.row[at] = fold_one(n[0]);
    }
}

// Eight bits to eight bytes of 0 and 1.
[[gnu::always_inline]] inline uint64_t spread(uint32_t bits) {
    const uint64_t each = ((bits & 0xff) * 0x0101010101010101u) & 0x8040201008040201u;
    return ((each + 0x7f7f7f7f7f7f7f7fu) >> 7) & 0x0101010101010101u;
}

// `inside` with every sum an interval. A float sum of d terms is off by at most `error` of the sum of their sizes, and
// |g| <= e with e = sqrt(n q); so a g - n q is off by 3 error (e + n q), n q - g² by 5 error n q, and
// n - K²a² by 2 error (n + 2K²a). The few roundings here are small beside these.
template <bool DOWN>
[[gnu::always_inline]] inline void classify(const Columns& sums, int64_t i, Lanes::Floats n_of_one, Lanes::Floats k,
                                            Lanes::Floats error, uint8_t* verdicts) {
    const Lanes::Floats one = Lanes::all(1), zero = Lanes::all(0);
    const auto times = [](float a, Lanes::Floats b) __attribute__((always_inline)) { return Lanes::mul(Lanes::all(a), b); };
    const Lanes::Floats g = Lanes::load(sums.g + i), q = Lanes::load(sums.q + i), row = Lanes::load(sums.row + i);
    const Lanes::Floats n = DOWN ? n_of_one : row, a = Lanes::sub(one, n), nq = Lanes::mul(n, q);
    const Lanes::Floats along = Lanes::sub(Lanes::mul(a, g), nq);
    const Lanes::Floats off_along = Lanes::mul(times(3, error), Lanes::add(Lanes::sqrt(nq), nq));
    const Lanes::Floats across = Lanes::sub(nq, Lanes::mul(g, g)), off_across = Lanes::mul(times(5, error), nq);
    const Lanes::Floats kka = Lanes::mul(Lanes::mul(k, k), a), narrow = Lanes::sub(n, Lanes::mul(kka, a));
    const Lanes::Floats off_narrow = Lanes::mul(times(2, error), Lanes::add(n, times(2, kka)));

    const Lanes::Floats narrowest = Lanes::sub(narrow, off_narrow), widest = Lanes::add(narrow, off_narrow);
    // max(x, 0) is 0 where x is not a number; `along` then is none either, and both comparisons fail.
    const Lanes::Floats most = Lanes::mul(Lanes::sqrt(Lanes::max(Lanes::add(across, off_across), zero)),
                                          Lanes::sqrt(Lanes::max(widest, zero)));
    const Lanes::Floats least = Lanes::mul(Lanes::sqrt(Lanes::max(Lanes::sub(across, off_across), zero)),
                                           Lanes::sqrt(Lanes::max(narrowest, zero)));
    // Products below 1e-30 may have lost digits.
    const uint32_t usable = Lanes::at_least(Lanes::sub(one, row), times(2, error)) & Lanes::below(Lanes::all(1e-30f), nq);
    const uint32_t in = Lanes::below(most, Lanes::mul(k, Lanes::sub(along, off_along)));
    const uint32_t out = Lanes::below(Lanes::mul(k, Lanes::add(along, off_along)), least) & Lanes::below(zero, narrowest);
    const uint32_t sure_in = in & usable, unsure = ~(sure_in | (out & usable));
    for (int64_t x = 0; x < Lanes::floats; x += 8) {
        const uint64_t bytes = spread(sure_in >> x) | spread(unsure >> x) << 1;
        __builtin_memcpy(verdicts + x, &bytes, 8);
    }
}

template <bool DOWN>
void filter(const float* one, const Points& rows, double k, int64_t begin, int64_t end, uint8_t* verdicts) {
    const Lanes::Floats error = Lanes::all(static_cast<float>(rows.d / Lanes::floats + 8) * 0x1p-24f);
    const Lanes::Floats n_of_one = Lanes::all(static_cast<float>(DOWN ? sums(one, one, rows.d).n : 0.0));
    const Lanes::Floats width = Lanes::all(static_cast<float>(k));
    const int64_t ahead = fetch_ahead(8192);  // bytes: memory answers that much later
    Columns columns;
    for (int64_t first = begin; first < end; first += CHUNK) {
        const int64_t count = end - first < CHUNK ? end - first : CHUNK;
        int64_t i = 0;
        for (; i + 4 <= count; i += 4) sum_tile<DOWN, 4>(one, rows, first + i, i, ahead, columns);
        for (; i < count; ++i) sum_tile<DOWN, 1>(one, rows, first + i, i, ahead, columns);
        for (i = 0; i + Lanes::floats <= count; i += Lanes::floats) {
            classify<DOWN>(columns, i, n_of_one, width, error, verdicts + first - begin + i);
        }
        if (i < count) {
            for (int64_t x = count; x < i + Lanes::floats; ++x) columns.g[x] = columns.q[x] = columns.row[x] = 0;
            uint8_t rest[Lanes::floats];
            classify<DOWN>(columns, i, n_of_one, width, error, rest);
            for (int64_t x = i; x < count; ++x) verdicts[first - begin + x] = rest[x - i];
        }
    }
}

// `inside` in n = |x|², m = |y|² and the product s = <x, y>, which lies between two bounds. With g = s - n and q = m - 2s + n
// the test reads √(nm - s²) √(n - K²a²) <= K (s (1 + n) - n (1 + m)): for s >= 0 its left side falls with s and its right side
// rises, and for s < 0 the right side is negative. So the least s decides that a row is in, the greatest that it is out.
// Each `off` and `lost` is at least twice what float loses; `unit` is 2^-21, eight roundings.
template <bool DOWN>
[[gnu::always_inline]] inline void classify_products(const float* product, const float* error, const float* square,
                                                     Lanes::Floats square_of_one, Lanes::Floats k, uint8_t* verdicts) {
    const Lanes::Floats one = Lanes::all(1), zero = Lanes::all(0), unit = Lanes::all(0x1p-21f);
    const Lanes::Floats s = Lanes::load(product), off = Lanes::load(error), row = Lanes::load(square);
    const Lanes::Floats n = DOWN ? square_of_one : row, m = DOWN ? row : square_of_one;
    const Lanes::Floats least = Lanes::sub(s, off), greatest = Lanes::add(s, off);
    const Lanes::Floats nm = Lanes::mul(n, m), more = Lanes::add(one, n), less = Lanes::mul(n, Lanes::add(one, m));
    const auto right = [&](Lanes::Floats of) __attribute__((always_inline)) { return Lanes::sub(Lanes::mul(of, more), less); };
    const auto left = [&](Lanes::Floats of) __attribute__((always_inline)) { return Lanes::sub(nm, Lanes::mul(of, of)); };
    const auto lost = [&](Lanes::Floats of) __attribute__((always_inline)) { return Lanes::mul(unit, Lanes::fma(of, of, nm)); };

    const Lanes::Floats a = Lanes::sub(one, n), kka = Lanes::mul(Lanes::mul(k, k), a), narrow = Lanes::sub(n, Lanes::mul(kka, a));
    const Lanes::Floats off_narrow = Lanes::mul(unit, Lanes::add(n, Lanes::mul(k, k)));
    const Lanes::Floats narrowest = Lanes::sub(narrow, off_narrow), widest = Lanes::add(narrow, off_narrow);
    // Sizes of what `right` adds up: |s| <= √(nm) <= (n + m) / 2 in truth.
    const Lanes::Floats off_right = Lanes::mul(Lanes::mul(unit, Lanes::all(4)), Lanes::add(Lanes::add(n, m), off));
    const Lanes::Floats highest = Lanes::mul(k, Lanes::add(right(greatest), off_right));
    const uint32_t narrow_enough = Lanes::below(zero, narrowest), usable = Lanes::below(Lanes::all(1e-30f), nm);
    constexpr uint32_t ALL = (uint64_t{1} << Lanes::floats) - 1;
    if ((Lanes::below(highest, zero) & narrow_enough & usable) == ALL) {  // nearly always, and no root is taken
        __builtin_memset(verdicts, OUT, Lanes::floats);
        return;
    }
    const Lanes::Floats most = Lanes::mul(Lanes::sqrt(Lanes::max(Lanes::add(left(least), lost(least)), zero)),
                                          Lanes::sqrt(Lanes::max(widest, zero)));
    const Lanes::Floats fewest = Lanes::mul(Lanes::sqrt(Lanes::max(Lanes::sub(left(greatest), lost(greatest)), zero)),
                                            Lanes::sqrt(Lanes::max(narrowest, zero)));
    const uint32_t whole_ball = Lanes::below(widest, zero);
    const uint32_t in = Lanes::below(most, Lanes::mul(k, Lanes::sub(right(least), off_right)));
    const uint32_t out = Lanes::below(highest, fewest) & narrow_enough;
    const uint32_t sure_in = (in & usable) | whole_ball, unsure = ~(sure_in | (out & usable));
    for (int64_t x = 0; x < Lanes::floats; x += 8) {
        const uint64_t bytes = spread(sure_in >> x) | spread(unsure >> x) << 1;
        __builtin_memcpy(verdicts + x, &bytes, 8);
    }
}

template <bool DOWN>
void filter_codes(const CodedOne& one, const dense::Codes& codes, const float* squares, double k, const int64_t* dots,
                  int64_t begin, int64_t end, uint8_t* verdicts) {
    const Lanes::Floats square = Lanes::all(one.square), width = Lanes::all(static_cast<float>(k));
    alignas(64) float product[CHUNK], error[CHUNK];
    for (int64_t first = begin; first < end; first += CHUNK) {
        const int64_t count = end - first < CHUNK ? end - first : CHUNK;
        for (int64_t i = 0; i < count; ++i) {
            product[i] = static_cast<float>(dots[first - begin + i]) * (one.step * codes.scale[first + i]);
            error[i] = one.per_residual * codes.residual[first + i] + one.per_norm * codes.norm[first + i];
        }
        uint8_t* to = verdicts + first - begin;
        int64_t i = 0;
        for (; i + Lanes::floats <= count; i += Lanes::floats) {
            classify_products<DOWN>(product + i, error + i, squares + first + i, square, width, to + i);
        }
        if (i < count) {
            float rest_of_squares[Lanes::floats] = {};
            for (int64_t x = i; x < count; ++x) rest_of_squares[x - i] = squares[first + x];
            for (int64_t x = count; x < i + Lanes::floats; ++x) product[x] = error[x] = 0;
            uint8_t rest[Lanes::floats];
            classify_products<DOWN>(product + i, error + i, rest_of_squares, square, width, rest);
            for (int64_t x = i; x < count; ++x) to[x] = rest[x - i];
        }
    }
}

}  // namespace
}  // namespace cg::cones
