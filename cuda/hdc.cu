// Hypervectors of 10,000 bits in 1,280 bytes: half a warp a row, since 16 lanes take 5 pieces of 16 bytes each and none is
// idle. Memory is the bound: 1,280 bytes a row and query; exclusive or and popcount run below it (the tensor cores of sm_120
// have no native exclusive-or product). Integers throughout, so the bits are those of every backend.

#include <cuda_runtime.h>

#include <vector>

#include "../csrc/include/context_graph/hdc.hpp"
#include "check.cuh"
#include "memory.cuh"
#include "select.cuh"

namespace cg::hdc::device {

using namespace cg::device;

constexpr int HALF = WARP / 2, PIECES = WORDS * 8 / 16, MINE = PIECES / HALF;
constexpr int ROWS = BLOCK / HALF;       // rows a block takes at a time
constexpr int PLANES = 8, MAX_VOTES = 255;  // of one partial count

__device__ inline uint4 load(const uint64_t* row, int piece) { return __ldg(reinterpret_cast<const uint4*>(row) + piece); }

__device__ inline int differing(uint4 a, uint4 b) {
    return __popc(a.x ^ b.x) + __popc(a.y ^ b.y) + __popc(a.z ^ b.z) + __popc(a.w ^ b.w);
}

// The sum of each half of the warp, on all its lanes.
__device__ inline int half_sum(int value) {
#pragma unroll
    for (int step = HALF / 2; step > 0; step /= 2) value += __shfl_xor_sync(ALL, value, step);
    return value;
}

// A vector's pieces of this lane.
struct OwnQuery {
    uint4 pieces[MINE];

    __device__ explicit OwnQuery(const uint64_t* vector) {
#pragma unroll
        for (int p = 0; p < MINE; ++p) pieces[p] = load(vector, p * HALF + lane_of() % HALF);
    }
    // Both halves of the warp take part in the sum, whether their row is there or not.
    __device__ int distance(const uint64_t* rows, unsigned i, bool there) const {
        int sum = 0;
        if (there) {
            const uint64_t* row = rows + i * static_cast<long long>(WORDS);
#pragma unroll
            for (int p = 0; p < MINE; ++p) sum += differing(pieces[p], load(row, p * HALF + lane_of() % HALF));
        }
        return half_sum(sum);
    }
};

// The row that this half of the warp takes in round `round`.
__device__ inline unsigned row_of(unsigned round) {
    return (round * gridDim.x + blockIdx.x) * ROWS + threadIdx.x / HALF;
}
__device__ inline unsigned rounds(unsigned n) { return (n + gridDim.x * ROWS - 1) / (gridDim.x * ROWS); }

}  // namespace cg::hdc::device

using namespace cg::hdc::device;
using cg::hdc::WORDS;

extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_hdc_hamming(const uint64_t* x, const uint64_t* y, unsigned n, int* out) {
    for (unsigned round = 0; round < rounds(n); ++round) {
        const unsigned i = row_of(round);
        const int distance = OwnQuery(x + (i < n ? i : 0) * static_cast<long long>(WORDS)).distance(y, i, i < n);
        if (i < n && lane_of() % HALF == 0) out[i] = distance;
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_hdc_distances(const uint64_t* queries, const uint64_t* rows, unsigned n, int* out) {
    const OwnQuery query(queries + blockIdx.y * static_cast<long long>(WORDS));
    for (unsigned round = 0; round < rounds(n); ++round) {
        const unsigned i = row_of(round);
        const int distance = query.distance(rows, i, i < n);
        if (i < n && lane_of() % HALF == 0) out[static_cast<long long>(blockIdx.y) * n + i] = distance;
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK, 3)
    cg_hdc_search(const uint64_t* queries, const uint64_t* rows, const unsigned char* mask, unsigned n, int k,
                  const uint64_t* below, uint64_t* best) {
    const Selection select{mask, n, k, below, best, nullptr};
    const OwnQuery query(queries + blockIdx.y * static_cast<long long>(WORDS));
    const uint64_t ceiling = select.ceiling();
    Queue queue(k);
    for (unsigned round = 0; round < rounds(n); ++round) {
        const unsigned i = row_of(round);
        const bool shown = i < n && (mask == nullptr || mask[i] != 0);
        const int distance = query.distance(rows, i, shown);
        const uint64_t key = shown && lane_of() % HALF == 0 ? key_of(-static_cast<float>(distance), i) : 0;  // a negated distance is exact
        queue.offer_each(key < ceiling ? key : 0, lane_of());
    }
    uint64_t* line = select.line();
    join_queues(queue, k, [&](int rank, uint64_t found) { line[rank] = found; });
}

// one: 1 where x is a single vector for all of y's, 2 where y is one for all of x's, else 0.
extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_hdc_bind(const uint64_t* x, const uint64_t* y, unsigned n, int one, uint64_t* out) {
    const long long stride = static_cast<long long>(gridDim.x) * BLOCK, pairs = static_cast<long long>(n) * PIECES;
    for (long long i = static_cast<long long>(blockIdx.x) * BLOCK + threadIdx.x; i < pairs; i += stride) {
        const long long inside = i % PIECES;
        const uint4 a = __ldcs(reinterpret_cast<const uint4*>(x) + (one == 1 ? inside : i));
        const uint4 b = __ldcs(reinterpret_cast<const uint4*>(y) + (one == 2 ? inside : i));
        __stcs(reinterpret_cast<uint4*>(out) + i, make_uint4(a.x ^ b.x, a.y ^ b.y, a.z ^ b.z, a.w ^ b.w));
    }
}

namespace cg::hdc::device {

// `count` <= 64 bits of a vector from bit `at`, not past the end.
__device__ inline uint64_t read_bits(const uint64_t* in, int at, int count) {
    const int w = at / 64, shift = at % 64;
    uint64_t bits = in[w] >> shift;
    if (shift != 0 && w + 1 < WORDS) bits |= in[w + 1] << (64 - shift);
    return count == 64 ? bits : bits & ((uint64_t{1} << count) - 1);
}

}  // namespace cg::hdc::device

// A thread a word: bit i comes from bit (i - by) mod 10,000, from two places at most. 0 <= by < 10,000.
extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_hdc_permute(const uint64_t* rows, unsigned n, int by, uint64_t* out) {
    constexpr int BITS = static_cast<int>(cg::hdc::BITS);
    const long long words = static_cast<long long>(n) * WORDS, stride = static_cast<long long>(gridDim.x) * BLOCK;
    for (long long i = static_cast<long long>(blockIdx.x) * BLOCK + threadIdx.x; i < words; i += stride) {
        const uint64_t* row = rows + i / WORDS * WORDS;
        const int w = static_cast<int>(i % WORDS), wanted = min(64, BITS - 64 * w);
        uint64_t bits = 0;
        if (wanted > 0) {
            const int from = (64 * w + BITS - by) % BITS, first = min(wanted, BITS - from);
            bits = read_bits(row, from, first);
            if (first < wanted) bits |= read_bits(row, 0, wanted - first) << first;
        }
        out[i] = bits;
    }
}

// Counts bits of at most 255 rows: a thread a word keeps eight planes in registers and adds each row with a ripple of
// carries. grid.x parts of the rows; planes (grid.x, 8, 160).
extern "C" __global__ void __launch_bounds__(160)
    cg_hdc_tally(const uint64_t* rows, long long n, uint64_t* planes) {
    const int w = threadIdx.x;
    const long long begin = static_cast<long long>(blockIdx.x) * MAX_VOTES;
    const long long end = begin + MAX_VOTES < n ? begin + MAX_VOTES : n;
    uint64_t count[PLANES] = {};
#pragma unroll 4
    for (long long i = begin; i < end; ++i) {
        uint64_t carry = rows[i * WORDS + w];
#pragma unroll
        for (int p = 0; p < PLANES; ++p) {
            const uint64_t both = count[p] & carry;
            count[p] ^= carry;
            carry = both;
        }
    }
#pragma unroll
    for (int p = 0; p < PLANES; ++p) planes[(static_cast<long long>(blockIdx.x) * PLANES + p) * WORDS + w] = count[p];
}

// A warp a word, two bits a lane: adds the parts and compares with half of n; where votes are even the tie vector decides.
extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_hdc_majority(const uint64_t* planes, int parts, long long n, const uint64_t* tie, uint64_t* out) {
    const int w = blockIdx.x * WARPS + warp_of(), lane = lane_of();
    long long low = 0, high = 0;
    for (int part = 0; part < parts; ++part) {
#pragma unroll
        for (int p = 0; p < PLANES; ++p) {
            const uint64_t plane = planes[(static_cast<long long>(part) * PLANES + p) * WORDS + w];
            low += static_cast<long long>(plane >> lane & 1) << p;
            high += static_cast<long long>(plane >> (lane + 32) & 1) << p;
        }
    }
    const uint64_t even = tie[w];
    const bool low_set = 2 * low == n ? (even >> lane & 1) != 0 : 2 * low > n;
    const bool high_set = 2 * high == n ? (even >> (lane + 32) & 1) != 0 : 2 * high > n;
    const uint64_t bits = __ballot_sync(ALL, low_set) | static_cast<uint64_t>(__ballot_sync(ALL, high_set)) << 32;
    if (lane == 0) out[w] = bits;
}

namespace cg::hdc::device {

constexpr int LAST = static_cast<int>(BITS / 64), MAX_GRAM = 16;
constexpr int DEPTH = 24;  // planes of a document's counts: 16 million grams

__host__ __device__ inline uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

// Word w of a vector drawn by a counter.
__device__ inline uint64_t drawn_word(uint64_t start, int w) {
    if (w > LAST) return 0;
    const uint64_t bits = mix(start + (w + 1) * 0x9e3779b97f4a7c15u);
    return w == LAST ? bits & ((uint64_t{1} << (BITS % 64)) - 1) : bits;
}

// Word w of a symbol's vector.
__device__ inline uint64_t item_word(uint64_t symbol, uint64_t seed, int w) { return drawn_word(mix(symbol ^ mix(seed)), w); }

// Word w of a vector rolled by `by` < 16 bits: the 16 bits of its last word come round to the first.
__device__ inline uint64_t rolled_word(const uint64_t* vector, int by, int w) {
    if (by == 0 || w > LAST) return vector[w];
    const uint64_t bits = vector[w] << by;
    if (w == 0) return bits | vector[LAST] >> (BITS % 64 - by);
    const uint64_t all = bits | vector[w - 1] >> (64 - by);
    return w == LAST ? all & ((uint64_t{1} << (BITS % 64)) - 1) : all;
}

}  // namespace cg::hdc::device

// A block a document, a thread a word: items are drawn as the text is read and wait in shared memory for as long as a gram
// holds them; a gram's word is added to counts in planes with a ripple of carries. Arithmetic is the bound.
extern "C" __global__ void __launch_bounds__(160)
    cg_hdc_encode(const uint64_t* symbols, const long long* offsets, unsigned n, int ngram, uint64_t of_items,
                  const uint64_t* tie, uint64_t* out) {
    __shared__ uint64_t items[MAX_GRAM + 1][cg::hdc::WORDS];
    const int w = threadIdx.x;
    for (unsigned document = blockIdx.x; document < n; document += gridDim.x) {
        const long long begin = offsets[document], size = offsets[document + 1] - begin;
        const int width = size < ngram ? static_cast<int>(size) : ngram;
        uint64_t count[DEPTH] = {};
        for (long long at = 0; at < size; ++at) {
            // One slot more than a gram holds: what is written here nobody reads before the next barrier.
            items[at % (MAX_GRAM + 1)][w] = item_word(symbols[begin + at], of_items, w);
            __syncthreads();
            if (at + 1 < width) continue;
            uint64_t carry = 0;
            for (int x = 0; x < width; ++x) carry ^= rolled_word(items[(at - x) % (MAX_GRAM + 1)], x, w);
#pragma unroll
            for (int p = 0; p < DEPTH; ++p) {
                const uint64_t both = count[p] & carry;
                count[p] ^= carry;
                carry = both;
            }
        }
        // More than half of the grams, or as many with the tie vector: compared from the highest plane down.
        const long long total = size == 0 ? 0 : size - width + 1, half = total / 2;
        uint64_t more = 0, equal = ~uint64_t{0};
#pragma unroll
        for (int p = DEPTH - 1; p >= 0; --p) {
            const uint64_t bit = half >> p & 1 ? ~uint64_t{0} : 0;
            more |= equal & count[p] & ~bit;
            equal &= ~(count[p] ^ bit);
        }
        if (total % 2 == 0) more |= equal & tie[w];
        out[static_cast<long long>(document) * cg::hdc::WORDS + w] = more;
        __syncthreads();  // the next document writes where this one read
    }
}

// The vector that decides where votes are even, a thread a word.
extern "C" __global__ void __launch_bounds__(160) cg_hdc_tie(uint64_t start, uint64_t* out) {
    out[threadIdx.x] = drawn_word(start, threadIdx.x);
}

// Chosen scores are minus distances; a thread each makes them integers again, `beyond` where there is no row.
extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_hdc_lengths(const float* scores, long long count, int beyond, int* out) {
    const long long i = static_cast<long long>(blockIdx.x) * BLOCK + threadIdx.x;
    if (i < count) out[i] = isinf(scores[i]) ? beyond : static_cast<int>(-scores[i]);
}

namespace cg::hdc {

using namespace cg::cuda;

namespace {

unsigned blocks(int64_t n) {
    return static_cast<unsigned>(std::clamp<int64_t>((n + ROWS - 1) / ROWS, 1, int64_t{4} * processors()));
}

}  // namespace

void hamming_cuda(const uint64_t* x, const uint64_t* y, int64_t n, int32_t* out, const gpu::Context& context) {
    if (n == 0) return;
    Work work(context);
    const In<uint64_t> left(x, n * WORDS, work.stream), right(y, n * WORDS, work.stream);
    const Out<int32_t> found(out, n, work);
    cg_hdc_hamming<<<blocks(n), BLOCK, 0, work.stream>>>(left.get(), right.get(), static_cast<unsigned>(n), found.get());
    launched("cg_hdc_hamming");
    found.finish();
    work.end();
}

void distances_cuda(const uint64_t* queries, int64_t q, const uint64_t* rows, int64_t n, int32_t* out,
                    const gpu::Context& context) {
    expect_queries(q);
    if (q == 0 || n == 0) return;
    Work work(context);
    const In<uint64_t> from(queries, q * WORDS, work.stream), to(rows, n * WORDS, work.stream);
    const Out<int32_t> found(out, q * n, work);
    cg_hdc_distances<<<dim3(blocks(n), static_cast<unsigned>(q)), BLOCK, 0, work.stream>>>(
        from.get(), to.get(), static_cast<unsigned>(n), found.get());
    launched("cg_hdc_distances");
    found.finish();
    work.end();
}

void search_cuda(const uint64_t* queries, int64_t q, const uint64_t* rows, int64_t n, int64_t k, const uint8_t* mask,
                 int32_t* distances, int64_t* ids, const gpu::Context& context) {
    expect_queries(q);
    if (q == 0 || k == 0) return;
    Work work(context);
    const In<uint64_t> from(queries, q * WORDS, work.stream), to(rows, n * WORDS, work.stream);
    const In<uint8_t> visible(mask, n, work.stream);
    const Buffer<float> scores(q * k, work.stream);
    const Out<int32_t> found(distances, q * k, work);
    const Out<int64_t> found_ids(ids, q * k, work);
    const dim3 grid(blocks(n), static_cast<unsigned>(q));
    choose(q, n, k, grid.x, scores.get(), found_ids.get(), work.stream,
           [&](int part, const uint64_t* below, uint64_t* best) {
               cg_hdc_search<<<grid, BLOCK, 0, work.stream>>>(from.get(), to.get(), visible.get(), static_cast<unsigned>(n),
                                                         part, below, best);
               launched("cg_hdc_search");
           });
    cg_hdc_lengths<<<static_cast<unsigned>((q * k + BLOCK - 1) / BLOCK), BLOCK, 0, work.stream>>>(scores.get(), q * k, BEYOND,
                                                                                               found.get());
    launched("cg_hdc_lengths");
    found.finish();
    found_ids.finish();
    work.end();
}

void tie_cuda(uint64_t seed, uint64_t* out, const gpu::Context& context) {
    cg_hdc_tie<<<1, WORDS, 0, static_cast<Stream>(context.stream)>>>(~device::mix(seed), out);
    launched("cg_hdc_tie");
}

void bundle_cuda(const uint64_t* rows, int64_t n, const uint64_t* tie, uint64_t* out, const gpu::Context& context) {
    Work work(context);
    const int64_t parts = (n + MAX_VOTES - 1) / MAX_VOTES;
    const In<uint64_t> votes(rows, n * WORDS, work.stream), even(tie, WORDS, work.stream);
    const Out<uint64_t> found(out, WORDS, work);
    const Buffer<uint64_t> planes(parts * PLANES * WORDS, work.stream);
    if (parts > 0) {
        cg_hdc_tally<<<static_cast<unsigned>(parts), 160, 0, work.stream>>>(votes.get(), n, planes.get());
        launched("cg_hdc_tally");
    }
    cg_hdc_majority<<<WORDS / WARPS, BLOCK, 0, work.stream>>>(planes.get(), static_cast<int>(parts), n, even.get(), found.get());
    launched("cg_hdc_majority");
    found.finish();
    work.end();
}

void bind_cuda(const uint64_t* x, int64_t of_x, const uint64_t* y, int64_t of_y, uint64_t* out, const gpu::Context& context) {
    const int64_t n = of_x == 1 ? of_y : of_x;
    if (n == 0) return;
    Work work(context);
    const In<uint64_t> left(x, of_x * WORDS, work.stream), right(y, of_y * WORDS, work.stream);
    const Out<uint64_t> found(out, n * WORDS, work);
    cg_hdc_bind<<<blocks_for(n * PIECES / WARP), BLOCK, 0, work.stream>>>(left.get(), right.get(), static_cast<unsigned>(n),
                                                                     of_x == of_y ? 0 : of_x == 1 ? 1 : 2, found.get());
    launched("cg_hdc_bind");
    found.finish();
    work.end();
}

void permute_cuda(const uint64_t* rows, int64_t n, int64_t by, uint64_t* out, const gpu::Context& context) {
    if (n == 0) return;
    Work work(context);
    const In<uint64_t> from(rows, n * WORDS, work.stream);
    const Out<uint64_t> found(out, n * WORDS, work);
    cg_hdc_permute<<<blocks_for(n * WORDS / WARP), BLOCK, 0, work.stream>>>(from.get(), static_cast<unsigned>(n),
                                                                       static_cast<int>((by % BITS + BITS) % BITS), found.get());
    launched("cg_hdc_permute");
    found.finish();
    work.end();
}

void encode_cuda(const uint64_t* symbols, const int64_t* offsets, int64_t n, int64_t ngram, uint64_t seed, const uint64_t* tie,
                 uint64_t* out, const gpu::Context& context, int64_t count) {
    if (n == 0) return;
    const bool here = !on_device(offsets);
    if (!here && count < 0) throw std::invalid_argument("cuda: offsets on the device need the number of symbols");
    for (int64_t i = 0; here && i < n; ++i) {
        if (offsets[i + 1] - offsets[i] >= int64_t{1} << DEPTH) throw std::invalid_argument("cuda: at most 2^24 - 1 symbols a document");
    }
    Work work(context);
    const In<uint64_t> text(symbols, here ? offsets[n] : count, work.stream), even(tie, WORDS, work.stream);
    const Offsets starts(offsets, n, count, "symbols", work, (int64_t{1} << DEPTH) - 1);
    const Out<uint64_t> found(out, n * WORDS, work);
    const auto grid = static_cast<unsigned>(std::min<int64_t>(n, int64_t{8} * processors()));
    cg_hdc_encode<<<grid, 160, 0, work.stream>>>(text.get(), starts.get(), static_cast<unsigned>(n),
                                            static_cast<int>(ngram), seed, even.get(), found.get());
    launched("cg_hdc_encode");
    found.finish();
    work.end();
}

}  // namespace cg::hdc
