#pragma once
// Inner products of queries with stored rows and of rows with themselves, for a lane type `Lanes` included before.
//
// R rows by Q queries at a time: R * Q running sums hide the latency of the fused multiply-add, and a row loaded once
// serves Q queries. With one query each row is read once, so memory is the bound. The R rows come from as many quarters
// of the block: four streams of memory are read faster than one. A sum adds its lanes in order of d, then folds
// them in one fixed tree, whatever R and Q are.

#include "context_graph/cpu.hpp"
#include "context_graph/stored.hpp"
#include "folds.inl"

namespace cg {
namespace {

struct F32 {
    static constexpr int64_t bytes = 4;
    static Lanes::Floats load(const char* row, int64_t x) { return Lanes::load(at(row) + x); }
    static Lanes::Floats load(const char* row, int64_t x, int64_t some) { return Lanes::load(at(row) + x, some); }
    static const float* at(const char* row) { return reinterpret_cast<const float*>(row); }
};
struct F16 {
    static constexpr int64_t bytes = 2;
    static Lanes::Floats load(const char* row, int64_t x) { return Lanes::load_half(at(row) + x); }
    static Lanes::Floats load(const char* row, int64_t x, int64_t some) { return Lanes::load_half(at(row) + x, some); }
    static const uint16_t* at(const char* row) { return reinterpret_cast<const uint16_t*>(row); }
};
struct BF16 {
    static constexpr int64_t bytes = 2;
    static Lanes::Floats load(const char* row, int64_t x) { return Lanes::load_bfloat(F16::at(row) + x); }
    static Lanes::Floats load(const char* row, int64_t x, int64_t some) {
        return Lanes::load_bfloat(F16::at(row) + x, some);
    }
};

struct I8 {
    static constexpr int64_t bytes = 1;
    static Lanes::Floats load(const char* row, int64_t x) { return Lanes::load_byte(at(row) + x); }
    static Lanes::Floats load(const char* row, int64_t x, int64_t some) { return Lanes::load_byte(at(row) + x, some); }
    static const int8_t* at(const char* row) { return reinterpret_cast<const int8_t*>(row); }
};

// What is asked for from memory ahead of one query's scan.
enum class Fetch {
    rows,        // the rows to come
    next_block,  // of float32 half of as many rows behind these; the caller asks for the other half while it does something else
};

template <class Type, Fetch FETCH, int R, int Q>
[[gnu::always_inline]] inline void product_tile(const float* const* queries, const Stored& rows, int64_t i,
                                                int64_t apart, int64_t ahead, float* out, int64_t ld) {
    static_assert(R == 1 || R == 4);
    const char* row[R];
    Lanes::Floats sum[R][Q];
    for (int r = 0; r < R; ++r) {
        row[r] = rows.row(i + r * apart);
        for (int q = 0; q < Q; ++q) sum[r][q] = Lanes::all(0);
    }
    const int64_t whole = rows.d / Lanes::floats * Lanes::floats;
    for (int64_t x = 0; x < whole; x += Lanes::floats) {
        Lanes::Floats query[Q];
        for (int q = 0; q < Q; ++q) query[q] = Lanes::load(queries[q] + x);
        for (int r = 0; r < R; ++r) {
            const Lanes::Floats value = Type::load(row[r], x);
            // The hardware prefetcher stops at page ends; `ahead` it has not started yet.
            if (Q == 1 && R > 1 && (FETCH == Fetch::rows || r < R / 2)) _mm_prefetch(row[r] + x * Type::bytes + ahead, _MM_HINT_T0);
            for (int q = 0; q < Q; ++q) sum[r][q] = Lanes::fma(query[q], value, sum[r][q]);
        }
    }
    if (whole < rows.d) {
        const int64_t some = rows.d - whole;
        Lanes::Floats query[Q];
        for (int q = 0; q < Q; ++q) query[q] = Lanes::load(queries[q] + whole, some);
        for (int r = 0; r < R; ++r) {
            const Lanes::Floats value = Type::load(row[r], whole, some);
            for (int q = 0; q < Q; ++q) sum[r][q] = Lanes::fma(query[q], value, sum[r][q]);
        }
    }
    for (int q = 0; q < Q; ++q) {
        if constexpr (R == 4) {
            alignas(16) float four[4];
            _mm_store_ps(four, fold_four(sum[0][q], sum[1][q], sum[2][q], sum[3][q]));
            for (int r = 0; r < R; ++r) out[q * ld + r * apart] = four[r];
        } else {
            out[q * ld] = fold_one(sum[0][q]);
        }
    }
}

template <class Type, Fetch FETCH, int Q>
[[gnu::noinline]] void product_strip(const float* const* queries, const Stored& rows, int64_t begin, int64_t end,
                                     float* out, int64_t ld) {
    const int64_t quarter = (end - begin) / 4, kilobyte = 1024;
    const int64_t row = rows.stride > kilobyte ? rows.stride : kilobyte;
    const int64_t ahead = FETCH == Fetch::rows ? fetch_ahead(row) : (end - begin) * rows.stride;
    int64_t i = begin;
    for (; i < begin + quarter; ++i) product_tile<Type, FETCH, 4, Q>(queries, rows, i, quarter, ahead, out + i - begin, ld);
    for (i = begin + 4 * quarter; i < end; ++i) product_tile<Type, FETCH, 1, Q>(queries, rows, i, 1, ahead, out + i - begin, ld);
}

template <class Type, Fetch FETCH>
void products_of(const float* const* queries, int64_t q, const Stored& rows, int64_t begin, int64_t end, float* out,
                 int64_t ld) {
    constexpr int Q = Lanes::floats == 16 ? 4 : 2;  // sixteen registers allow no more
    int64_t j = 0;
    for (; j + Q <= q; j += Q) product_strip<Type, FETCH, Q>(queries + j, rows, begin, end, out + j * ld, ld);
    for (; j < q; ++j) product_strip<Type, FETCH, 1>(queries + j, rows, begin, end, out + j * ld, ld);
}

// out[j * ld + i - begin] = <query j, row i> for q queries and rows begin <= i < end.
template <Fetch FETCH = Fetch::rows>
[[maybe_unused]] void products(const float* const* queries, int64_t q, const Stored& rows, int64_t begin, int64_t end, float* out,
              int64_t ld) {
    if (rows.width == Width::f32) return products_of<F32, FETCH>(queries, q, rows, begin, end, out, ld);
    if (rows.width == Width::f16) return products_of<F16, Fetch::rows>(queries, q, rows, begin, end, out, ld);
    if (rows.width == Width::i8) return products_of<I8, Fetch::rows>(queries, q, rows, begin, end, out, ld);
    products_of<BF16, Fetch::rows>(queries, q, rows, begin, end, out, ld);
}

template <class Type>
void squares_of(const Stored& rows, int64_t begin, int64_t end, float* out) {
    const int64_t whole = rows.d / Lanes::floats * Lanes::floats, some = rows.d - whole;
    for (int64_t i = begin; i < end; ++i) {
        const char* row = rows.row(i);
        Lanes::Floats sum = Lanes::all(0);
        for (int64_t x = 0; x < whole; x += Lanes::floats) {
            const Lanes::Floats value = Type::load(row, x);
            sum = Lanes::fma(value, value, sum);
        }
        if (some > 0) {
            const Lanes::Floats value = Type::load(row, whole, some);
            sum = Lanes::fma(value, value, sum);
        }
        out[i - begin] = fold_one(sum);
    }
}

// out[i - begin] = |row i|² for rows begin <= i < end.
[[maybe_unused]] void squares(const Stored& rows, int64_t begin, int64_t end, float* out) {
    if (rows.width == Width::f32) return squares_of<F32>(rows, begin, end, out);
    if (rows.width == Width::f16) return squares_of<F16>(rows, begin, end, out);
    if (rows.width == Width::i8) return squares_of<I8>(rows, begin, end, out);
    squares_of<BF16>(rows, begin, end, out);
}

}  // namespace
}  // namespace cg
