// Sums over d of |query - row| or its square, for a lane type `Lanes` included before.
//
// R rows by Q queries at a time: R * Q running sums hide the latency of the additions, and a row loaded once serves Q
// queries. With one query each row is read once, so memory is the bound: 4 d bytes a row. The R rows come from as many
// quarters of the block: four streams of memory are read a tenth faster than one. The first row that fills no tile joins the
// last one, for alone its Q sums would wait for their own additions. A sum adds its lanes in order of d, then folds them
// in one fixed tree, whatever R and Q are.

#include "context_graph/cpu.hpp"
#include "context_graph/points.hpp"
#include "folds.inl"

namespace cg {
namespace {

template <bool SQUARED>
[[gnu::always_inline]] inline Lanes::Floats accumulate(Lanes::Floats difference, Lanes::Floats sum) {
    if (SQUARED) return Lanes::fma(difference, difference, sum);
    return Lanes::add(sum, Lanes::abs(difference));
}

template <bool SQUARED, int R, int Q>
[[gnu::always_inline]] inline void difference_tile(const Points& queries, int64_t j, const Points& rows, int64_t i,
                                                   int64_t apart, int64_t ahead, float* out, int64_t ld,
                                                   int64_t fifth = 0) {
    static_assert(R == 1 || R == 4 || R == 5);
    const float* row[R];
    Lanes::Floats sum[R][Q];
    for (int r = 0; r < R; ++r) {
        row[r] = rows.row(i + (r < 4 ? r * apart : fifth));
        for (int q = 0; q < Q; ++q) sum[r][q] = Lanes::all(0);
    }
    const int64_t whole = rows.d / Lanes::floats * Lanes::floats;
    for (int64_t x = 0; x < whole; x += Lanes::floats) {
        Lanes::Floats query[Q];
        for (int q = 0; q < Q; ++q) query[q] = Lanes::load(queries.row(j + q) + x);
        for (int r = 0; r < R; ++r) {
            const Lanes::Floats value = Lanes::load(row[r] + x);
            // The hardware prefetcher stops at page ends; `ahead` it has not started yet.
            if (Q == 1 && R > 1) _mm_prefetch(reinterpret_cast<const char*>(row[r] + x) + ahead, _MM_HINT_T0);
            for (int q = 0; q < Q; ++q) sum[r][q] = accumulate<SQUARED>(Lanes::sub(query[q], value), sum[r][q]);
        }
    }
    if (whole < rows.d) {
        const int64_t some = rows.d - whole;
        Lanes::Floats query[Q];
        for (int q = 0; q < Q; ++q) query[q] = Lanes::load(queries.row(j + q) + whole, some);
        for (int r = 0; r < R; ++r) {
            const Lanes::Floats value = Lanes::load(row[r] + whole, some);
            for (int q = 0; q < Q; ++q) sum[r][q] = accumulate<SQUARED>(Lanes::sub(query[q], value), sum[r][q]);
        }
    }
    for (int q = 0; q < Q; ++q) {
        if constexpr (R == 1) {
            out[q * ld] = fold_one(sum[0][q]);
        } else {
            alignas(16) float four[4];
            _mm_store_ps(four, fold_four(sum[0][q], sum[1][q], sum[2][q], sum[3][q]));
            for (int r = 0; r < 4; ++r) out[q * ld + r * apart] = four[r];
            if constexpr (R == 5) out[q * ld + fifth] = fold_one(sum[4][q]);
        }
    }
}

template <bool SQUARED, int Q>
[[gnu::noinline]] void difference_strip(const Points& queries, int64_t j, const Points& rows, int64_t begin,
                                        int64_t end, float* out, int64_t ld) {
    const int64_t quarter = (end - begin) / 4, kilobyte = 256;
    const int64_t ahead = fetch_ahead((rows.stride > kilobyte ? rows.stride : kilobyte) * static_cast<int64_t>(sizeof(float)));
    const int64_t whole = begin + 4 * quarter, joined = quarter > 0 && whole < end ? 1 : 0;
    int64_t i = begin;
    for (; i < begin + quarter - joined; ++i) {
        difference_tile<SQUARED, 4, Q>(queries, j, rows, i, quarter, ahead, out + i - begin, ld);
    }
    if (joined) difference_tile<SQUARED, 5, Q>(queries, j, rows, i, quarter, ahead, out + i - begin, ld, whole - i);
    for (i = whole + joined; i < end; ++i) {
        difference_tile<SQUARED, 1, Q>(queries, j, rows, i, 1, ahead, out + i - begin, ld);
    }
}

// out[j * ld + i - begin] for every query j and rows begin <= i < end.
template <bool SQUARED>
void difference_sums(const Points& queries, const Points& rows, int64_t begin, int64_t end, float* out, int64_t ld) {
    constexpr int Q = Lanes::floats == 16 ? 4 : 2;  // sixteen registers allow no more
    int64_t j = 0;
    for (; j + Q <= queries.n; j += Q) difference_strip<SQUARED, Q>(queries, j, rows, begin, end, out + j * ld, ld);
    for (; j < queries.n; ++j) difference_strip<SQUARED, 1>(queries, j, rows, begin, end, out + j * ld, ld);
}

}  // namespace
}  // namespace cg
