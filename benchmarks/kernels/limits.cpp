// What one processor and its memory give at most, in the instructions and the accesses that the kernels are made of:
//
//     g++ -O3 -march=native -std=c++20 -pthread benchmarks/kernels/limits.cpp -o /tmp/limits && /tmp/limits
//
// Prints a JSON object: rates of one thread and of two at once, billions a second, the best of many rounds. Needs AVX-512 with VNNI,
// BF16 and VPOPCNTDQ; `limits.py` runs it and says how long a case must take.

#include <immintrin.h>
#include <sys/mman.h>

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <random>
#include <thread>
#include <vector>

namespace {

constexpr int ROUNDS = 40, LANES = 16;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Billions a second of what `work(thread)` does `count` times, all threads together.
double rate(int threads, double count, const std::function<void(int)>& work) {
    double least = 1e9;
    for (int round = 0; round < ROUNDS; ++round) {
        std::vector<double> begin(threads), end(threads);
        std::barrier together(threads);
        std::vector<std::thread> others;
        const auto run = [&](int thread) {
            together.arrive_and_wait();
            begin[thread] = now();
            work(thread);
            end[thread] = now();
        };
        for (int thread = 1; thread < threads; ++thread) others.emplace_back(run, thread);
        run(0);
        for (std::thread& other : others) other.join();
        least = std::min(least, *std::max_element(end.begin(), end.end()) - *std::min_element(begin.begin(), begin.end()));
    }
    return threads * count / least / 1e9;
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

double read_rate(int threads, size_t bytes, int times) {
    static char* const memory = on_huge_pages<char>(size_t{1} << 30);
    const size_t each = bytes / threads / 512 * 512;
    return rate(threads, static_cast<double>(each) * times, [&](int thread) {
        for (int time = 0; time < times; ++time) read(memory + thread * each, each);
    });
}

// Numbers at random places of a table, added to a sum or, `in_place`, to sorted places of another.
double gather_rate(int threads, int64_t table, bool in_place) {
    constexpr int64_t EDGES = 1 << 17;  // with their places they lie in L2
    std::vector<float*> from, to;
    std::vector<std::vector<uint32_t>> sources, targets;
    std::minstd_rand random(1);
    for (int thread = 0; thread < threads; ++thread) {
        from.push_back(on_huge_pages<float>(table * 4));
        to.push_back(on_huge_pages<float>(table * 4));
        std::vector<uint32_t> places(EDGES);
        for (uint32_t& place : places) place = static_cast<uint32_t>(random() % table);
        sources.push_back(places);
        std::sort(places.begin(), places.end());
        targets.push_back(places);
    }
    return rate(threads, EDGES, [&](int thread) {
        const float* values = from[thread];
        float* sums = to[thread];
        const uint32_t *source = sources[thread].data(), *target = targets[thread].data();
        __m128 sum = _mm_setzero_ps();
        for (int64_t e = 0; e < EDGES; e += 4) {
            if (in_place) {
                for (int j = 0; j < 4; ++j) sums[target[e + j]] += values[source[e + j]];
                continue;
            }
            const auto two = [&](int64_t at) {
                return _mm_unpacklo_ps(_mm_load_ss(values + source[at]), _mm_load_ss(values + source[at + 1]));
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
    const auto table = [](const char* name, const std::function<double(int)>& of, const char* end = ",") {
        const double alone = of(1), both = of(2);
        std::printf(" \"%s\": [%.4g, %.4g]%s\n", name, alone, both, end);
    };
    std::printf("{\n");
    table("float32 multiply-adds", [&](int threads) {
        return rate(threads, STEPS * 16.0 * LANES, [&](int) {
            in_registers(one, STEPS, [&](__m512& sum) { sum = _mm512_fmadd_ps(one, one, sum); });
        });
    });
    table("bfloat16 multiply-adds", [&](int threads) {
        return rate(threads, STEPS * 16.0 * 2 * LANES, [&](int) {
            in_registers(one, STEPS, [&](__m512& sum) { sum = _mm512_dpbf16_ps(sum, halves, halves); });
        });
    });
    table("int8 multiply-adds", [&](int threads) {
        return rate(threads, STEPS * 16.0 * 4 * LANES, [&](int) {
            in_registers(ones, STEPS, [&](__m512i& sum) { sum = _mm512_dpbusd_epi32(sum, ones, ones); });
        });
    });
    table("bytes compared by VPOPCNTQ", [&](int threads) {
        return rate(threads, STEPS * 16.0 * 64, [&](int) {
            in_registers(ones, STEPS, [&](__m512i& sum) {
                sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(_mm512_xor_si512(sum, ones)));
            });
        });
    });
    table("bytes from memory", [](int threads) { return read_rate(threads, size_t{1} << 30, 1); });
    table("bytes from 24 MB", [](int threads) { return read_rate(threads, size_t{24} << 20, 20); });
    table("numbers gathered from 256 KB", [](int threads) { return gather_rate(threads, 1 << 16, false); });
    table("numbers gathered from 4 MB", [](int threads) { return gather_rate(threads, 1 << 20, false); });
    table("edges followed within 256 KB", [](int threads) { return gather_rate(threads, 1 << 16, true); }, "");
    std::printf("}\n");
}
