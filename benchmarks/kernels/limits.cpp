// What one processor and its memory give at most, in the instructions and the accesses that the kernels are made of:
//
//     g++ -O3 -march=native -std=c++20 benchmarks/kernels/limits.cpp -o /tmp/limits && /tmp/limits
//
// Prints a JSON object: rates of one thread, billions a second, the best of many rounds. Needs AVX-512 with VNNI,
// BF16 and VPOPCNTDQ; `limits.py` runs it and says how long a case must take.

#include <immintrin.h>
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <random>
#include <vector>

namespace {

constexpr double SECONDS = 2;  // of each rate: others use the machine too
constexpr int LANES = 16;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Billions a second of what `work` does `count` times.
double rate(double count, const std::function<void()>& work) {
    double least = 1e9;
    for (const double stop = now() + SECONDS; now() < stop;) {
        const double begin = now();
        work();
        least = std::min(least, now() - begin);
    }
    return count / least / 1e9;
}

// Sixteen independent sums in registers: `step` is one instruction on one of them.
template <class Register, class Step>
void in_registers(Register start, int64_t steps, Step step) {
    Register sums[16];
    for (Register& sum : sums) sum = start;
    for (int64_t i = 0; i < steps; ++i) {
#pragma GCC unroll 16
        for (int r = 0; r < 16; ++r) {
            step(sums[r]);
            __asm__ volatile("" : : "v"(sums[r]));
        }
    }
}

template <class T>
T* on_huge_pages(size_t bytes) {
    constexpr size_t HUGE_PAGE = size_t{1} << 21;
    bytes = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    auto address = reinterpret_cast<uintptr_t>(
        mmap(nullptr, bytes + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    address = (address + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    madvise(reinterpret_cast<void*>(address), bytes, MADV_HUGEPAGE);
    std::fill_n(reinterpret_cast<char*>(address), bytes, 1);
    return reinterpret_cast<T*>(address);
}

// Front to back in one stream.
void read(const char* from, size_t bytes) {
    __m512i sums[8] = {};
    for (size_t x = 0; x < bytes; x += 512) {
#pragma GCC unroll 8
        for (int r = 0; r < 8; ++r) sums[r] = _mm512_xor_si512(sums[r], _mm512_loadu_si512(from + x + 64 * r));
    }
    for (__m512i& sum : sums) __asm__ volatile("" : "+v"(sum));
}

double read_rate(size_t bytes, int times) {
    static char* const memory = on_huge_pages<char>(size_t{1} << 30);
    return rate(static_cast<double>(bytes) * times, [&] {
        for (int time = 0; time < times; ++time) read(memory, bytes);
    });
}

// Numbers at random places of a table, taken or, `in_place`, added to sorted places of another.
double gather_rate(int64_t table, bool in_place) {
    constexpr int64_t EDGES = 1 << 17;  // with their places they lie in L2
    const float* from = on_huge_pages<float>(table * 4);
    float* to = on_huge_pages<float>(table * 4);
    std::minstd_rand random(1);
    std::vector<uint32_t> source(EDGES);
    for (uint32_t& place : source) place = static_cast<uint32_t>(random() % table);
    std::vector<uint32_t> target = source;
    std::sort(target.begin(), target.end());
    return rate(EDGES, [&] {
        __m128 sum = _mm_setzero_ps();
        for (int64_t e = 0; e < EDGES; e += 4) {
            if (in_place) {
                for (int j = 0; j < 4; ++j) to[target[e + j]] += from[source[e + j]];
                continue;
            }
            const auto two = [&](int64_t at) {
                return _mm_unpacklo_ps(_mm_load_ss(from + source[at]), _mm_load_ss(from + source[at + 1]));
            };
            sum = _mm_xor_ps(sum, _mm_movelh_ps(two(e), two(e + 2)));
        }
        __asm__ volatile("" : : "v"(sum));
    });
}

}  // namespace

int main() {
    constexpr int64_t STEPS = 200'000;
    const __m512i ones = _mm512_set1_epi32(0x01010101);
    const __m512 one = _mm512_set1_ps(1.0f);
    const auto halves = reinterpret_cast<__m512bh>(_mm512_set1_epi32(0x3f803f80));
    const double all = STEPS * 16;
    const auto print = [](const char* name, double rate, const char* end = ",") { std::printf(" \"%s\": %.4g%s\n", name, rate, end); };
    std::printf("{\n");
    print("float32 multiply-adds", rate(all * LANES, [&] {
        in_registers(one, STEPS, [&](__m512& sum) { sum = _mm512_fmadd_ps(one, one, sum); });
    }));
    print("bfloat16 multiply-adds", rate(all * 2 * LANES, [&] {
        in_registers(one, STEPS, [&](__m512& sum) { sum = _mm512_dpbf16_ps(sum, halves, halves); });
    }));
    print("int8 multiply-adds", rate(all * 4 * LANES, [&] {
        in_registers(ones, STEPS, [&](__m512i& sum) { sum = _mm512_dpbusd_epi32(sum, ones, ones); });
    }));
    print("bytes compared by VPOPCNTQ", rate(all * 64, [&] {
        in_registers(ones, STEPS, [&](__m512i& sum) {
            sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(_mm512_xor_si512(sum, ones)));
        });
    }));
    print("bytes from memory", read_rate(size_t{1} << 30, 1));
    print("bytes from 24 MB", read_rate(size_t{24} << 20, 20));
    print("numbers gathered from 256 KB", gather_rate(1 << 16, false));
    print("numbers gathered from 4 MB", gather_rate(1 << 20, false));
    print("edges followed within 256 KB", gather_rate(1 << 16, true), "");
    std::printf("}\n");
}
