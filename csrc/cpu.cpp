#include "context_graph/cpu.hpp"

#include <cstdint>

#ifdef CG_X86
#include <cpuid.h>
#endif

namespace cg {
namespace {

#ifdef CG_X86
struct Features {
    bool avx2 = false;
    bool avx512 = false;
};

// The operating system must save the wide registers too: cpuid alone says yes on kernels that do not.
uint64_t saved_registers() {
    uint32_t low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t{high} << 32) | low;
}

Features read_features() {
    Features found;
    uint32_t a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d)) return found;
    const bool osxsave = c & bit_OSXSAVE, fma = c & bit_FMA, f16c = c & bit_F16C;
    if (!osxsave || !__get_cpuid_count(7, 0, &a, &b, &c, &d)) return found;
    const uint64_t saved = saved_registers();
    const bool ymm = (saved & 0x06) == 0x06, zmm = (saved & 0xe6) == 0xe6;
    found.avx2 = ymm && fma && f16c && (b & bit_AVX2);
    const bool wide = (b & bit_AVX512F) && (b & bit_AVX512BW) && (b & bit_AVX512VL) && (b & bit_AVX512DQ);
    found.avx512 = found.avx2 && zmm && wide && (c & bit_AVX512VNNI) && (c & bit_AVX512VPOPCNTDQ);
    return found;
}

const Features& features() {
    static const Features found = read_features();
    return found;
}
#endif

}  // namespace

Usable scalar_usable() { return {true, ""}; }

#ifdef CG_X86
Usable avx2_usable() {
    if (features().avx2) return {true, ""};
    return {false, "this processor or its system has no AVX2 with FMA and F16C"};
}

Usable avx512_usable() {
    if (features().avx512) return {true, ""};
    return {false, "this processor or its system has no AVX-512 with BW, VL, DQ, VNNI and VPOPCNTDQ"};
}
#else
Usable avx2_usable() { return {false, "built for a processor that is not x86-64"}; }
Usable avx512_usable() { return {false, "built for a processor that is not x86-64"}; }
#endif

}  // namespace cg
