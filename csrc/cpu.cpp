#include "context_graph/cpu.hpp"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#ifdef CG_X86
#include <cpuid.h>
#endif
#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace cg {
namespace {

#ifdef CG_X86
struct Features {
    bool avx2 = false;
    bool avx512 = false;
    bool bfloat16 = false;
    bool amx = false;
    bool zen_3_or_4 = false;
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
    found.zen_3_or_4 = (a >> 8 & 0x0f) == 0x0f && (a >> 20 & 0xff) == 0x0a;  // family 0x0f + 0x0a
    const bool osxsave = c & bit_OSXSAVE, fma = c & bit_FMA, f16c = c & bit_F16C;
    if (!osxsave || !__get_cpuid_count(7, 0, &a, &b, &c, &d)) return found;
    const uint64_t saved = saved_registers();
    const bool ymm = (saved & 0x06) == 0x06, zmm = (saved & 0xe6) == 0xe6;
    found.avx2 = ymm && fma && f16c && (b & bit_AVX2);
    const bool wide = (b & bit_AVX512F) && (b & bit_AVX512BW) && (b & bit_AVX512VL) && (b & bit_AVX512DQ);
    found.avx512 = found.avx2 && zmm && wide && (c & bit_AVX512VNNI) && (c & bit_AVX512VPOPCNTDQ);
    constexpr uint32_t TILE = 1u << 24, TILE_INT8 = 1u << 25, TILE_BF16 = 1u << 22, AVX512_BF16 = 1u << 5;
    const bool tiles = (d & TILE) && (d & TILE_INT8) && (d & TILE_BF16) && (saved & 0x60000) == 0x60000;
    found.bfloat16 = found.avx512 && __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & AVX512_BF16);
    found.amx = found.bfloat16 && tiles;
    return found;
}

// Linux keeps the 8 KB of tiles of a thread only for a process that has asked.
bool permitted_tiles() {
#if defined(__linux__) && defined(SYS_arch_prctl)
    constexpr long REQUEST_PERMISSION = 0x1023, TILE_DATA = 18;
    return syscall(SYS_arch_prctl, REQUEST_PERMISSION, TILE_DATA) == 0;
#else
    return false;
#endif
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

Usable bfloat16_usable() {
#ifndef CG_AMX
    return {false, "built by a compiler without AVX512_BF16"};
#endif
    if (features().bfloat16) return {true, ""};
    return {false, "this processor or its system has no AVX512_BF16"};
}

Usable amx_usable() {
#ifndef CG_AMX
    return {false, "built by a compiler without AMX"};
#endif
    if (!features().amx) return {false, "this processor or its system has no AMX with int8 and bfloat16"};
    static const bool permitted = permitted_tiles();
    if (permitted) return {true, ""};
    return {false, "the system does not let this process use AMX"};
}

int64_t fetch_ahead(int64_t bytes) { return features().zen_3_or_4 ? 0 : bytes; }
#else
int64_t fetch_ahead(int64_t bytes) { return bytes; }
Usable avx2_usable() { return {false, "built for a processor that is not x86-64"}; }
Usable avx512_usable() { return {false, "built for a processor that is not x86-64"}; }
Usable bfloat16_usable() { return {false, "built for a processor that is not x86-64"}; }
Usable amx_usable() { return {false, "built for a processor that is not x86-64"}; }
#endif

namespace {

bool amx_by_environment() {
    const char* asked = std::getenv("CONTEXT_GRAPH_AMX");
    return (asked == nullptr || std::strcmp(asked, "0") != 0) && amx_usable().usable;
}

std::atomic<bool>& amx_switch() {
    static std::atomic<bool> on{amx_by_environment()};
    return on;
}

std::atomic<bool>& bfloat16_switch() {
    static std::atomic<bool> on{bfloat16_usable().usable};
    return on;
}

}  // namespace

bool bfloat16() { return bfloat16_switch().load(std::memory_order_relaxed); }
void use_bfloat16(bool use) { bfloat16_switch().store(use && bfloat16_usable().usable, std::memory_order_relaxed); }
bool amx() { return amx_switch().load(std::memory_order_relaxed); }
void use_amx(bool use) { amx_switch().store(use && amx_usable().usable, std::memory_order_relaxed); }

}  // namespace cg
