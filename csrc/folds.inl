#pragma once
// Vectors of running sums to single numbers in one fixed tree, for a lane type `Lanes` included before.

namespace cg {
namespace {

// Four vectors to four sums, each as (f0 + f1) + (f2 + f3) of its `four`.
[[gnu::always_inline]] inline __m128 fold_four(Lanes::Floats a, Lanes::Floats b, Lanes::Floats c, Lanes::Floats d) {
    return _mm_hadd_ps(_mm_hadd_ps(Lanes::four(a), Lanes::four(b)), _mm_hadd_ps(Lanes::four(c), Lanes::four(d)));
}

[[gnu::always_inline]] inline float fold_one(Lanes::Floats a) {
    const __m128 two = _mm_hadd_ps(Lanes::four(a), Lanes::four(a));
    return _mm_cvtss_f32(_mm_hadd_ps(two, two));
}

}  // namespace
}  // namespace cg
