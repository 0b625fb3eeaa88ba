#pragma once
// What nvcc gives device code, as plain C++; included before the first line of every rewritten .cu.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <math.h>
#include <tuple>
#include <type_traits>
#include <utility>

#include <cuda_runtime.h>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "runtime.hpp"
#include "streams.hpp"

#undef __launch_bounds__
#define __launch_bounds__(...)
#undef __global__
#define __global__
#undef __device__
#define __device__
#undef __host__
#define __host__
#undef __constant__
#define __constant__
#undef __forceinline__
#define __forceinline__ inline
#undef __grid_constant__
#define __grid_constant__
#define __CUDA_ARCH__ 1200
#define CG_EMULATED

#define threadIdx (emulator::thread_index())
#define blockIdx (emulator::block_index())
#define blockDim (emulator::block_size())
#define gridDim (emulator::grid_size())
#define warpSize 32

namespace emulator {

template <class T, class Key>
T& shared(Key, size_t align) {
    static char key;
    return *static_cast<T*>(shared_slot(&key, sizeof(T), align > alignof(T) ? align : alignof(T)));
}
template <class T>
T* dynamic() { return static_cast<T*>(dynamic_shared()); }

template <class... P>
class Launch {
   public:
    Launch(void (*kernel)(P...), const Configuration& configuration) : kernel_(kernel), at_(configuration) {}

    template <class... A>
    void operator()(A&&... given) {
        std::tuple<P...> arguments(static_cast<P>(std::forward<A>(given))...);
        call(arguments);
    }
    bool call(std::tuple<P...>& arguments) {
        int number = 0;
        std::apply([&](const P&... each) { (look(each, number++), ...); }, arguments);
        bool fits = true;
        ++counted(LAUNCHES);
        launched_on() = at_.stream;
        const auto run = [kernel = kernel_, at = at_, arguments, &fits, later = captured(static_cast<cudaStream_t>(at_.stream))]() mutable {
            struct Closure { void (*kernel)(P...); std::tuple<P...>* arguments; } closure{kernel, &arguments};
            const bool ran = launch(reinterpret_cast<const void*>(kernel), at,
                                    [](void* held) {
                                        auto* closure = static_cast<Closure*>(held);
                                        std::apply(closure->kernel, *closure->arguments);
                                    },
                                    &closure);
            if (!later) fits = ran;
        };
        return enqueue(static_cast<cudaStream_t>(at_.stream), run) == cudaSuccess && fits;
    }

   private:
    template <class T>
    static void look(const T& value, int number) {
        if constexpr (std::is_pointer_v<T>) check_pointer(value, number);
    }
    void (*kernel_)(P...);
    Configuration at_;
};

template <class... P>
Launch<P...> prepare(void (*kernel)(P...), const Configuration& configuration) { return {kernel, configuration}; }

template <class T>
uint64_t bits_of(T value) {
    static_assert(sizeof(T) <= 8 && std::is_trivially_copyable_v<T>);
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return bits;
}
template <class T>
T from_bits(uint64_t bits) {
    T value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

template <class T>
Operand written(const char* constraint, T& value) { return {constraint, &value, sizeof(T), bits_of(value)}; }
template <class T>
Operand read(const char* constraint, T value) { return {constraint, nullptr, sizeof(T), bits_of(value)}; }
template <class... O>
void ptx(Where where, const char* text, O... operands) {
    Operand list[] = {operands..., Operand{}};
    run_ptx(text, list, sizeof...(operands), where);
}

template <class T>
[[gnu::always_inline]] inline const T& aligned(const T* at, Where where) {
    if (reinterpret_cast<uintptr_t>(at) % sizeof(T) != 0) {
        fail("misaligned load of %zu bytes in %s:%u", sizeof(T), where.file_name(), where.line());
    }
    return *at;
}
#ifdef EMULATOR_HOOKS
// A vector is one access, which the compiler's hooks would count as several.
template <class T>
[[gnu::noinline, gnu::no_sanitize("thread")]] T counted_load(const T* at, Where where) {
    note_access(at, sizeof(T), false, where);
    return aligned(at, where);
}
template <class T>
[[gnu::noinline, gnu::no_sanitize("thread")]] void counted_store(T* at, T value, Where where) {
    note_access(at, sizeof(T), true, where);
    aligned(at, where);
    *at = value;
}
#endif
template <class T>
[[gnu::always_inline]] inline T load(const T* at, Where where) {
#ifdef EMULATOR_HOOKS
    if (counting()) return counted_load(at, where);
#endif
    return aligned(at, where);
}
template <class T>
[[gnu::always_inline]] inline void store(T* at, T value, Where where) {
#ifdef EMULATOR_HOOKS
    if (counting()) return counted_store(at, value, where);
#endif
    aligned(at, where);
    *at = value;
}

}  // namespace emulator

#define EMULATOR_HERE emulator::Where where = emulator::Where::current()

inline void __syncthreads(EMULATOR_HERE) { emulator::barrier(0, 0, where); }
inline int __syncthreads_count(int p, EMULATOR_HERE) { return emulator::barrier(1, p, where); }
inline int __syncthreads_or(int p, EMULATOR_HERE) { return emulator::barrier(2, p, where); }
inline int __syncthreads_and(int p, EMULATOR_HERE) { return emulator::barrier(3, p, where); }
inline void __syncwarp(unsigned mask = 0xffffffffu, EMULATOR_HERE) {
    emulator::collective(emulator::Op::syncwarp, mask, 0, 0, nullptr, where);
}
inline unsigned __activemask() { emulator::fail("__activemask promises nothing; name the lanes"); }

template <class T>
T emulator_shuffle(unsigned mask, T value, int source, emulator::Where where) {
    return emulator::from_bits<T>(
        emulator::collective(emulator::Op::shuffle, mask, emulator::bits_of(value), source, nullptr, where));
}
template <class T>
T __shfl_sync(unsigned mask, T value, int source, int width = 32, EMULATOR_HERE) {
    const int lane = emulator::lane_index(), base = lane / width * width;
    return emulator_shuffle(mask, value, base + (source & (width - 1)), where);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned by, int width = 32, EMULATOR_HERE) {
    const int lane = emulator::lane_index(), base = lane / width * width, from = lane - static_cast<int>(by);
    return emulator_shuffle(mask, value, from < base ? lane : from, where);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned by, int width = 32, EMULATOR_HERE) {
    const int lane = emulator::lane_index(), base = lane / width * width, from = lane + static_cast<int>(by);
    return emulator_shuffle(mask, value, from >= base + width ? lane : from, where);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int by, int width = 32, EMULATOR_HERE) {
    const int lane = emulator::lane_index(), base = lane / width * width, from = lane ^ by;
    return emulator_shuffle(mask, value, from >= base + width ? lane : from, where);
}
inline unsigned __ballot_sync(unsigned mask, int p, EMULATOR_HERE) {
    return emulator::collective(emulator::Op::ballot, mask, p != 0, 0, nullptr, where);
}
inline int __any_sync(unsigned mask, int p, EMULATOR_HERE) {
    return emulator::collective(emulator::Op::any, mask, p != 0, 0, nullptr, where);
}
inline int __all_sync(unsigned mask, int p, EMULATOR_HERE) {
    return emulator::collective(emulator::Op::all, mask, p != 0, 0, nullptr, where);
}
inline int __uni_sync(unsigned mask, int p, EMULATOR_HERE) {
    return emulator::collective(emulator::Op::uni, mask, p != 0, 0, nullptr, where);
}
template <class T>
unsigned __match_any_sync(unsigned mask, T value, EMULATOR_HERE) {
    return emulator::collective(emulator::Op::match_any, mask, emulator::bits_of(value), 0, nullptr, where);
}
template <class T>
unsigned __match_all_sync(unsigned mask, T value, int* all, EMULATOR_HERE) {
    const unsigned same = emulator::collective(emulator::Op::match_all, mask, emulator::bits_of(value), 0, nullptr, where);
    *all = same != 0;
    return same;
}
template <class T>
T emulator_reduce(emulator::Op op, unsigned mask, T value, emulator::Where where) {
    static_assert(sizeof(T) == 4 && std::is_integral_v<T>, "redux.sync takes 32-bit integers");
    return emulator::from_bits<T>(emulator::collective(op, mask, emulator::bits_of(value), 0, nullptr, where));
}
template <class T>
T __reduce_add_sync(unsigned mask, T v, EMULATOR_HERE) { return emulator_reduce(emulator::Op::add, mask, v, where); }
template <class T>
T __reduce_min_sync(unsigned mask, T v, EMULATOR_HERE) {
    return emulator_reduce(std::is_signed_v<T> ? emulator::Op::min_s : emulator::Op::min_u, mask, v, where);
}
template <class T>
T __reduce_max_sync(unsigned mask, T v, EMULATOR_HERE) {
    return emulator_reduce(std::is_signed_v<T> ? emulator::Op::max_s : emulator::Op::max_u, mask, v, where);
}
inline unsigned __reduce_and_sync(unsigned mask, unsigned v, EMULATOR_HERE) {
    return emulator_reduce(emulator::Op::bit_and, mask, v, where);
}
inline unsigned __reduce_or_sync(unsigned mask, unsigned v, EMULATOR_HERE) {
    return emulator_reduce(emulator::Op::bit_or, mask, v, where);
}
inline unsigned __reduce_xor_sync(unsigned mask, unsigned v, EMULATOR_HERE) {
    return emulator_reduce(emulator::Op::bit_xor, mask, v, where);
}

inline void __threadfence() { emulator::fence(); }
inline void __threadfence_block() { emulator::fence(); }
inline void __threadfence_system() { emulator::fence(); }

#define EMULATOR_LOAD(name)                                                                \
    template <class T>                                                                     \
    [[gnu::always_inline]] inline T name(const T* at, EMULATOR_HERE) {                      \
        return emulator::load(at, where);                                                  \
    }
EMULATOR_LOAD(__ldg)
EMULATOR_LOAD(__ldcs)
EMULATOR_LOAD(__ldcg)
EMULATOR_LOAD(__ldca)
EMULATOR_LOAD(__ldlu)
EMULATOR_LOAD(__ldcv)
#define EMULATOR_STORE(name)                                                               \
    template <class T>                                                                     \
    [[gnu::always_inline]] inline void name(T* at, T value, EMULATOR_HERE) {                \
        emulator::store(at, value, where);                                                 \
    }
EMULATOR_STORE(__stcs)
EMULATOR_STORE(__stcg)
EMULATOR_STORE(__stwb)
EMULATOR_STORE(__stwt)

template <class T, class Change>
T emulator_atomic(T* at, Change change) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8);
    using Raw = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
    auto* raw = reinterpret_cast<Raw*>(at);
    emulator::before_atomic(at);
    Raw old = __atomic_load_n(raw, __ATOMIC_RELAXED);
    for (;;) {
        const T now = emulator::from_bits<T>(old);
        const Raw next = static_cast<Raw>(emulator::bits_of<T>(change(now)));
        if (__atomic_compare_exchange_n(raw, &old, next, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) break;
    }
    emulator::after_atomic(at);
    return emulator::from_bits<T>(static_cast<uint64_t>(old));
}
template <class T> T atomicAdd(T* at, std::type_identity_t<T> v) { return emulator_atomic(at, [=](T o) { return static_cast<T>(o + v); }); }
template <class T> T atomicSub(T* at, std::type_identity_t<T> v) { return emulator_atomic(at, [=](T o) { return static_cast<T>(o - v); }); }
template <class T> T atomicMin(T* at, std::type_identity_t<T> v) { return emulator_atomic(at, [=](T o) { return v < o ? v : o; }); }
template <class T> T atomicMax(T* at, std::type_identity_t<T> v) { return emulator_atomic(at, [=](T o) { return v > o ? v : o; }); }
template <class T> T atomicAnd(T* at, std::type_identity_t<T> v) { return emulator_atomic(at, [=](T o) { return static_cast<T>(o & v); }); }
template <class T> T atomicOr(T* at, std::type_identity_t<T> v) { return emulator_atomic(at, [=](T o) { return static_cast<T>(o | v); }); }
template <class T> T atomicXor(T* at, std::type_identity_t<T> v) { return emulator_atomic(at, [=](T o) { return static_cast<T>(o ^ v); }); }
template <class T> T atomicExch(T* at, std::type_identity_t<T> v) { return emulator_atomic(at, [=](T) { return v; }); }
template <class T> T atomicCAS(T* at, std::type_identity_t<T> was, std::type_identity_t<T> v) {
    return emulator_atomic(at, [=](T o) { return o == was ? v : o; });
}
inline unsigned atomicInc(unsigned* at, unsigned v) { return emulator_atomic(at, [=](unsigned o) { return o >= v ? 0u : o + 1; }); }
inline unsigned atomicDec(unsigned* at, unsigned v) { return emulator_atomic(at, [=](unsigned o) { return o == 0 || o > v ? v : o - 1; }); }

// Bits and arithmetic.
inline unsigned __float_as_uint(float v) { return emulator::from_bits<unsigned>(emulator::bits_of(v)); }
inline int __float_as_int(float v) { return emulator::from_bits<int>(emulator::bits_of(v)); }
inline float __uint_as_float(unsigned v) { return emulator::from_bits<float>(v); }
inline float __int_as_float(int v) { return emulator::from_bits<float>(emulator::bits_of(v)); }
inline long long __double_as_longlong(double v) { return emulator::from_bits<long long>(emulator::bits_of(v)); }
inline double __longlong_as_double(long long v) { return emulator::from_bits<double>(emulator::bits_of(v)); }
inline int __popc(unsigned v) { return __builtin_popcount(v); }
inline int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
inline int __ffs(int v) { return __builtin_ffs(v); }
inline int __ffsll(long long v) { return __builtin_ffsll(v); }
inline int __clz(int v) { return v == 0 ? 32 : __builtin_clz(static_cast<unsigned>(v)); }
inline int __clzll(long long v) { return v == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(v)); }
inline unsigned __brev(unsigned v) {
    unsigned out = 0;
    for (int b = 0; b < 32; ++b) out |= (v >> b & 1) << (31 - b);
    return out;
}
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned s) {
    const uint64_t both = (uint64_t{y} << 32) | x;
    unsigned out = 0;
    for (int b = 0; b < 4; ++b) {
        const unsigned pick = s >> (4 * b) & 0xf, byte = both >> (8 * (pick & 7)) & 0xff;
        out |= (pick & 8 ? (byte & 0x80 ? 0xffu : 0u) : byte) << (8 * b);
    }
    return out;
}
inline unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned s) {
    return static_cast<unsigned>(((uint64_t{hi} << 32 | lo) << (s & 31)) >> 32);
}
inline unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned s) {
    return static_cast<unsigned>((uint64_t{hi} << 32 | lo) >> (s & 31));
}
inline unsigned __umulhi(unsigned a, unsigned b) { return static_cast<unsigned>(uint64_t{a} * b >> 32); }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}
inline int __dp4a(int a, int b, int c) {
    for (int i = 0; i < 4; ++i) c += static_cast<int8_t>(a >> (8 * i)) * static_cast<int8_t>(b >> (8 * i));
    return c;
}
inline unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
    for (int i = 0; i < 4; ++i) c += (a >> (8 * i) & 0xff) * (b >> (8 * i) & 0xff);
    return c;
}
inline float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
inline double __fma_rn(double a, double b, double c) { return std::fma(a, b, c); }
// Through volatile, so that no compiler fuses them.
#define EMULATOR_ROUNDED(name, T, expression) \
    inline T name(T a, T b) { volatile T r = expression; return r; }
EMULATOR_ROUNDED(__fadd_rn, float, a + b)
EMULATOR_ROUNDED(__fsub_rn, float, a - b)
EMULATOR_ROUNDED(__fmul_rn, float, a * b)
EMULATOR_ROUNDED(__fdiv_rn, float, a / b)
EMULATOR_ROUNDED(__dadd_rn, double, a + b)
EMULATOR_ROUNDED(__dsub_rn, double, a - b)
EMULATOR_ROUNDED(__dmul_rn, double, a * b)
EMULATOR_ROUNDED(__ddiv_rn, double, a / b)
inline float __fsqrt_rn(float v) { return std::sqrt(v); }
inline double __dsqrt_rn(double v) { return std::sqrt(v); }
inline float __frcp_rn(float v) { return 1.0f / v; }
inline float __fdividef(float a, float b) { return a / b; }
inline float rsqrtf(float v) { return 1.0f / std::sqrt(v); }
inline double rsqrt(double v) { return 1.0 / std::sqrt(v); }
inline float __expf(float v) { return std::exp(v); }
inline float __logf(float v) { return std::log(v); }
inline float __log2f(float v) { return std::log2(v); }
inline float __saturatef(float v) { return v > 0 ? (v < 1 ? v : 1.0f) : 0.0f; }
inline int __float2int_rn(float v) { return static_cast<int>(std::nearbyint(v)); }
inline int __float2int_rz(float v) { return static_cast<int>(v); }
inline unsigned __float2uint_rn(float v) { return static_cast<unsigned>(std::nearbyint(v)); }
inline int __double2int_rn(double v) { return static_cast<int>(std::nearbyint(v)); }
inline long long __double2ll_rn(double v) { return static_cast<long long>(std::nearbyint(v)); }
inline float __double2float_rn(double v) { return static_cast<float>(v); }
inline float __int2float_rn(int v) { return static_cast<float>(v); }
inline float __uint2float_rn(unsigned v) { return static_cast<float>(v); }
template <class A, class B>
constexpr std::common_type_t<A, B> min(A a, B b) {
    using C = std::common_type_t<A, B>;
    if constexpr (std::is_floating_point_v<C>) return std::fmin(static_cast<C>(a), static_cast<C>(b));
    else return static_cast<C>(b) < static_cast<C>(a) ? static_cast<C>(b) : static_cast<C>(a);
}
template <class A, class B>
constexpr std::common_type_t<A, B> max(A a, B b) {
    using C = std::common_type_t<A, B>;
    if constexpr (std::is_floating_point_v<C>) return std::fmax(static_cast<C>(a), static_cast<C>(b));
    else return static_cast<C>(a) < static_cast<C>(b) ? static_cast<C>(b) : static_cast<C>(a);
}
[[noreturn]] inline void __trap() { emulator::fail("__trap"); }
inline void __nanosleep(unsigned) { emulator::shadow_step(); }
#define __builtin_assume(what) ((void)0)
inline uint32_t __cvta_generic_to_shared(const void* at) { return emulator::shared_address(at); }
inline size_t __cvta_generic_to_global(const void* at) { return reinterpret_cast<size_t>(at); }

template <class T>
cudaError_t cudaFuncSetAttribute(T* kernel, cudaFuncAttribute what, int value) {
    return ::cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), what, value);
}
