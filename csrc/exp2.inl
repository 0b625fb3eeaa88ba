#pragma once
// 2^a for a lane type `Lanes` included before, -126 < a <= 0.
//
// 2^a = 2^round(a) * p(a - round(a)), p of degree 6 on [-1/2, 1/2]: off by 2e-9 in exact arithmetic.

namespace cg {
namespace {

const float EXP2_TERMS[] = {0x1.5f456ap-10f, 0x1.3b2dbcp-7f, 0x1.c6aed4p-5f, 0x1.ebfbdap-3f, 0x1.62e430p-1f, 1.0f};

[[gnu::always_inline]] inline Lanes::Floats exp2(Lanes::Floats a) {
    const Lanes::Floats whole = Lanes::round(a), x = Lanes::sub(a, whole);
    Lanes::Floats p = Lanes::all(0x1.41d332p-13f);
    for (const float term : EXP2_TERMS) p = Lanes::fma(p, x, Lanes::all(term));
    return Lanes::scale(p, whole);
}

}  // namespace
}  // namespace cg
