#pragma once
// Inner products of packed queries with stored rows, for a lane type `Lanes` included before.
//
// Four rows by `Lanes::together` queries keep their running sums in registers, so the fused multiply-add is the bound.
// A chunk of 256 numbers of four groups of queries lies in L1 while sixteen rows pass; where rows are longer, sums wait
// beside it between chunks. A sum adds its lanes in order of d, then folds them in one fixed tree: the bits are those of
// products.inl, whatever the batch.

#include "context_graph/batch.hpp"
#include "products.inl"

namespace cg {
namespace {

constexpr int64_t CHUNK = 256, ROWS_AT_ONCE = 16, GROUPS_AT_ONCE = 4;
constexpr int TILE_ROWS = 4, TILE_QUERIES = Lanes::together;
constexpr int64_t TILE = TILE_ROWS * TILE_QUERIES * Lanes::floats;

struct Tile {
    const float* row[TILE_ROWS];
    const char* next[TILE_ROWS];  // what to fetch meanwhile
    const float* panel;
    int64_t count;  // numbers, whole vectors of them
};

// Advances the sums of a tile over one chunk. `kept` holds them between chunks; after the last one `out` takes four rows
// of each query.
template <bool FIRST, bool LAST, bool FETCH>
[[gnu::noinline]] void batch_tile(const Tile& tile, float* kept, __m128* out) {
    Lanes::Floats sum[TILE_ROWS][TILE_QUERIES];
#pragma GCC unroll 16
    for (int t = 0; t < TILE_ROWS * TILE_QUERIES; ++t) {
        sum[t / TILE_QUERIES][t % TILE_QUERIES] = FIRST ? Lanes::all(0) : Lanes::load(kept + t * Lanes::floats);
    }
    const float* panel = tile.panel;
    const float *row0 = tile.row[0], *row1 = tile.row[1], *row2 = tile.row[2], *row3 = tile.row[3];
    const char *next0 = tile.next[0], *next1 = tile.next[1], *next2 = tile.next[2], *next3 = tile.next[3];
    for (int64_t x = 0; x < tile.count; x += Lanes::floats, panel += TILE_QUERIES * Lanes::floats) {
        if (FETCH) {
            _mm_prefetch(next0 + 4 * x, _MM_HINT_T1);
            _mm_prefetch(next1 + 4 * x, _MM_HINT_T1);
            _mm_prefetch(next2 + 4 * x, _MM_HINT_T1);
            _mm_prefetch(next3 + 4 * x, _MM_HINT_T1);
        }
        const Lanes::Floats value0 = Lanes::load(row0 + x), value1 = Lanes::load(row1 + x),
                            value2 = Lanes::load(row2 + x), value3 = Lanes::load(row3 + x);
#pragma GCC unroll 4
        for (int q = 0; q < TILE_QUERIES; ++q) {
            const Lanes::Floats query = Lanes::load(panel + q * Lanes::floats);
            sum[0][q] = Lanes::fma(query, value0, sum[0][q]);
            sum[1][q] = Lanes::fma(query, value1, sum[1][q]);
            sum[2][q] = Lanes::fma(query, value2, sum[2][q]);
            sum[3][q] = Lanes::fma(query, value3, sum[3][q]);
        }
    }
    if constexpr (LAST) {
        Lanes::fold_tile(sum, out);
    } else {
#pragma GCC unroll 16
        for (int t = 0; t < TILE_ROWS * TILE_QUERIES; ++t) {
            Lanes::store(kept + t * Lanes::floats, sum[t / TILE_QUERIES][t % TILE_QUERIES]);
        }
    }
}

template <bool FETCH>
[[gnu::always_inline]] inline void batch_step(const Tile& tile, bool first, bool last, float* kept, __m128* out) {
    if (first && last) return batch_tile<true, true, FETCH>(tile, kept, out);
    if (first) return batch_tile<true, false, FETCH>(tile, kept, out);
    if (last) return batch_tile<false, true, FETCH>(tile, kept, out);
    batch_tile<false, false, FETCH>(tile, kept, out);
}

// Rows of another width, and the last numbers of a row that fill no vector, become floats followed by zeros, once for
// all groups that pass.
template <class Type>
void widen_chunk(const char* row, int64_t x, int64_t count, float* to) {
    int64_t i = 0;
    for (; i + Lanes::floats <= count; i += Lanes::floats) Lanes::store(to + i, Type::load(row, x + i));
    if (i < count) Lanes::store(to + i, Type::load(row, x + i, count - i));
}

template <class Type>
void batch_of(const Panels& queries, const Stored& rows, int64_t begin, int64_t end, float* out, int64_t ld) {
    alignas(64) float kept[ROWS_AT_ONCE / TILE_ROWS * GROUPS_AT_ONCE * TILE];
    alignas(64) float wide[TILE_ROWS * CHUNK];
    const int64_t d = rows.d, steps = (d + Lanes::floats - 1) / Lanes::floats;
    const int64_t groups = (queries.q + TILE_QUERIES - 1) / TILE_QUERIES, group_size = steps * TILE_QUERIES * Lanes::floats;
    for (int64_t i = begin; i < end; i += ROWS_AT_ONCE) {
        const int64_t stop = i + ROWS_AT_ONCE < end ? i + ROWS_AT_ONCE : end;
        for (int64_t group = 0; group < groups; group += GROUPS_AT_ONCE) {
            const int64_t behind = group + GROUPS_AT_ONCE < groups ? group + GROUPS_AT_ONCE : groups;
            for (int64_t x = 0; x == 0 || x < d; x += CHUNK) {
                const int64_t count = d - x < CHUNK ? d - x : CHUNK;
                const bool first = x == 0, last = x + CHUNK >= d;
                const bool in_place = Type::bytes == 4 && count % Lanes::floats == 0;
                Tile tile{};
                tile.count = (count + Lanes::floats - 1) / Lanes::floats * Lanes::floats;
                float* sums = kept;
                for (int64_t r = i; r < stop; r += TILE_ROWS) {
                    for (int t = 0; t < TILE_ROWS; ++t) {
                        const int64_t at = r + t < stop ? r + t : stop - 1;  // the last one again; not written
                        const char* row = rows.row(at);
                        tile.next[t] = row + ROWS_AT_ONCE * rows.stride + x * Type::bytes;
                        tile.row[t] = in_place ? reinterpret_cast<const float*>(row) + x : wide + t * CHUNK;
                        if (!in_place) widen_chunk<Type>(row, x, count, wide + t * CHUNK);
                    }
                    for (int64_t g = group; g < behind; ++g, sums += TILE) {
                        __m128 found[TILE_QUERIES];
                        tile.panel = queries.data + g * group_size + x * TILE_QUERIES;
                        if (in_place && g == 0) {
                            batch_step<true>(tile, first, last, sums, found);
                        } else {
                            batch_step<false>(tile, first, last, sums, found);
                        }
                        if (!last) continue;
                        const int64_t left = queries.q - g * TILE_QUERIES;
                        float* to = out + g * TILE_QUERIES * ld + r - begin;
                        for (int q = 0; q < TILE_QUERIES && q < left; ++q, to += ld) {
                            if (r + TILE_ROWS <= stop) {
                                _mm_storeu_ps(to, found[q]);
                            } else {
                                alignas(16) float four[4];
                                _mm_store_ps(four, found[q]);
                                for (int64_t t = 0; t < stop - r; ++t) to[t] = four[t];
                            }
                        }
                    }
                }
            }
        }
    }
}

void batch_products(const Panels& queries, const Stored& rows, int64_t begin, int64_t end, float* out, int64_t ld) {
    if (rows.width == Width::f32) return batch_of<F32>(queries, rows, begin, end, out, ld);
    if (rows.width == Width::f16) return batch_of<F16>(queries, rows, begin, end, out, ld);
    if (rows.width == Width::i8) return batch_of<I8>(queries, rows, begin, end, out, ld);
    batch_of<BF16>(queries, rows, begin, end, out, ld);
}

constexpr BatchProducts BATCH_PRODUCTS{TILE_QUERIES, Lanes::floats, batch_products};

}  // namespace
}  // namespace cg
