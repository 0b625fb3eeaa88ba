// Both vector backends, for a lane type `Lanes` included before. A score adds what `scores` adds, in the same order.

#include "context_graph/transe.hpp"
#include "differences.inl"

namespace cg::transe {
namespace {

template <bool SQUARED>
void score_rows(const Points& heads, const Points& relations, const Points& tails, int64_t begin, int64_t end,
                float* out) {
    const int64_t whole = heads.d / Lanes::floats * Lanes::floats, some = heads.d - whole;
    for (int64_t i = begin; i < end; ++i) {
        const float *h = heads.row(i), *r = relations.row(i), *t = tails.row(i);
        Lanes::Floats sum = Lanes::all(0);
        for (int64_t x = 0; x < whole; x += Lanes::floats) {
            const Lanes::Floats wish = Lanes::add(Lanes::load(h + x), Lanes::load(r + x));
            sum = accumulate<SQUARED>(Lanes::sub(wish, Lanes::load(t + x)), sum);
        }
        if (some > 0) {
            const Lanes::Floats wish = Lanes::add(Lanes::load(h + whole, some), Lanes::load(r + whole, some));
            sum = accumulate<SQUARED>(Lanes::sub(wish, Lanes::load(t + whole, some)), sum);
        }
        out[i] = fold_one(sum);
    }
}

template <bool SQUARED>
[[gnu::always_inline]] inline Lanes::Floats minus(Lanes::Floats sum) {
    return Lanes::sub(Lanes::all(0), SQUARED ? Lanes::sqrt(sum) : sum);
}

template <bool SQUARED>
void minus_all(float* sums, int64_t n) {
    int64_t i = 0;
    for (; i + Lanes::floats <= n; i += Lanes::floats) {
        Lanes::store(sums + i, minus<SQUARED>(Lanes::load(sums + i)));
    }
    if (i < n) Lanes::store(sums + i, minus<SQUARED>(Lanes::load(sums + i, n - i)), n - i);
}

void score(const Points& heads, const Points& relations, const Points& tails, Norm norm, int64_t begin, int64_t end,
           float* out) {
    if (norm == Norm::l1) {
        score_rows<false>(heads, relations, tails, begin, end, out);
        minus_all<false>(out + begin, end - begin);
    } else {
        score_rows<true>(heads, relations, tails, begin, end, out);
        minus_all<true>(out + begin, end - begin);
    }
}

void scores(const Points& wishes, const Points& tails, Norm norm, int64_t begin, int64_t end, float* out, int64_t ld) {
    if (norm == Norm::l1) {
        difference_sums<false>(wishes, tails, begin, end, out, ld);
        for (int64_t j = 0; j < wishes.n; ++j) minus_all<false>(out + j * ld, end - begin);
    } else {
        difference_sums<true>(wishes, tails, begin, end, out, ld);
        for (int64_t j = 0; j < wishes.n; ++j) minus_all<true>(out + j * ld, end - begin);
    }
}

}  // namespace
}  // namespace cg::transe
