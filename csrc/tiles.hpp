#pragma once
// Tiles of AMX: eight registers of 16 rows by 64 bytes each, and products of them: sixteen rows by sixteen queries an
// instruction, 64 codes or 32 numbers of bfloat16 deep. Included by what is built with them alone, after lanes_avx512.hpp.
//
// Queries come from their panels; rows as they lie, or tile by tile, which spares L1: rows that lie a multiple of 1 KB apart share
// few of its sets. Tiles of 32 rows by 32 queries stay in four registers over d, so four
// products follow on four loads.

#include <immintrin.h>

#include <cstdint>

#include "context_graph/batch.hpp"
#include "products.inl"

namespace cg {
namespace {

constexpr int64_t TILE_ROWS = 16, TILE_BYTES = 64, TILE_SIZE = TILE_ROWS * TILE_BYTES;

// While it lives, this thread's tiles are of the full size; with `tail` < TILE_BYTES, tiles 3 and 5 are only so many bytes wide and
// tile 7 a quarter as many rows deep, for what whole tiles leave behind. A thread that has none again is switched cheaply.
class Tiles {
   public:
    explicit Tiles(int64_t tail = TILE_BYTES) {
        struct alignas(64) Shape {
            uint8_t palette = 1, start_row = 0, reserved[14] = {};
            uint16_t row_bytes[16] = {};
            uint8_t rows[16] = {};
        } shape;
        for (int tile = 0; tile < 8; ++tile) {
            shape.row_bytes[tile] = static_cast<uint16_t>(tile == 3 || tile == 5 ? tail : TILE_BYTES);
            shape.rows[tile] = static_cast<uint8_t>(tile == 7 ? tail / 4 : TILE_ROWS);
        }
        __asm__ volatile("" : "+m"(shape));  // GCC 12 says that the instruction reads 8 of its 64 bytes
        _tile_loadconfig(&shape);
    }
    ~Tiles() { _tile_release(); }
    Tiles(const Tiles&) = delete;
    Tiles& operator=(const Tiles&) = delete;
};

// Rows in tiles: the bytes from one row of a tile to the next, to what follows in depth, and to the next 16 rows.
struct RowTiles {
    const char* data;
    int64_t row, step, group;
};

// As `round_row` writes them.
[[gnu::always_inline]] inline RowTiles tile_by_tile(const uint16_t* room, int64_t padded) {
    return {reinterpret_cast<const char*>(room), TILE_BYTES, TILE_SIZE, 2 * TILE_ROWS * padded};
}

// What the next call will read, asked for from memory during this one, so many lines a step of a product.
struct Ahead {
    const char* next;
    int64_t lines;
};

inline int64_t lines_a_step(int64_t bytes, int64_t steps) {  // without a step, where rows are empty, none
    return steps > 0 ? (bytes / TILE_BYTES + steps - 1) / steps : 0;
}

// Tile 2 r + g holds the sums of row group r with group g of queries.
template <int R, int G>
[[gnu::always_inline]] inline void zero_sums() {
    _tile_zero(0);
    if (G > 1) _tile_zero(1);
    if (R > 1) _tile_zero(2);
    if (R > 1 && G > 1) _tile_zero(3);
}
template <int R, int G>
[[gnu::always_inline]] inline void store_sums(int32_t* products) {
    _tile_stored(0, products, TILE_BYTES);
    if (G > 1) _tile_stored(1, products + 256, TILE_BYTES);
    if (R > 1) _tile_stored(2, products + 512, TILE_BYTES);
    if (R > 1 && G > 1) _tile_stored(3, products + 768, TILE_BYTES);
}

// products[(2 r + g) * 256 ...] = 16 rows of row group r by 16 queries of group g.
template <bool FLOATS, int R, int G>
[[gnu::noinline]] void tile_products(const RowTiles& rows, const char* panel, int64_t group, int64_t steps, Ahead& ahead,
                                     int32_t* products) {
    const int64_t lines = ahead.lines;
    const char* next = ahead.next;
    const char *row = rows.data, *other = rows.data + rows.group;
    const int64_t stride = rows.row, step = rows.step;
    zero_sums<R, G>();
    for (int64_t x = 0; x < steps; ++x, row += step, other += step, panel += TILE_SIZE) {
        _tile_loadd(4, row, stride);
        _tile_loadd(6, panel, TILE_BYTES);
        for (int64_t line = 0; line < lines; ++line, next += TILE_BYTES) _mm_prefetch(next, _MM_HINT_T1);
        if constexpr (FLOATS) {
            _tile_dpbf16ps(0, 4, 6);
        } else {
            _tile_dpbusd(0, 4, 6);
        }
        if constexpr (G > 1) {
            _tile_loadd(7, panel + group, TILE_BYTES);
            if constexpr (FLOATS) {
                _tile_dpbf16ps(1, 4, 7);
            } else {
                _tile_dpbusd(1, 4, 7);
            }
        }
        if constexpr (R > 1) {
            _tile_loadd(5, other, stride);
            if constexpr (FLOATS) {
                _tile_dpbf16ps(2, 5, 6);
                if (G > 1) _tile_dpbf16ps(3, 5, 7);
            } else {
                _tile_dpbusd(2, 5, 6);
                if (G > 1) _tile_dpbusd(3, 5, 7);
            }
        }
    }
    ahead.next = next;
    store_sums<R, G>(products);
}

// All groups of queries with 16 R rows: visit(first query, their products), row by row of 16 queries, 512 numbers from one
// row group to the next. `bytes` from `next` on are what the next call reads.
template <bool FLOATS, int R, class Visit>
[[gnu::always_inline]] inline void each_product(const RowTiles& rows, const void* panels, int64_t q, int64_t steps,
                                                const char* next, int64_t bytes, Visit visit) {
    alignas(64) int32_t products[4 * 256];
    const int64_t group = steps * TILE_SIZE, passes = (q + 2 * QUERY_GROUP - 1) / (2 * QUERY_GROUP);
    const char* panel = static_cast<const char*>(panels);
    Ahead ahead{next, lines_a_step(bytes, passes * steps)};
    for (int64_t j = 0; j < q; j += 2 * QUERY_GROUP, panel += 2 * group) {
        const bool both = j + QUERY_GROUP < q;
        if (both) {
            tile_products<FLOATS, R, 2>(rows, panel, group, steps, ahead, products);
        } else {
            tile_products<FLOATS, R, 1>(rows, panel, group, steps, ahead, products);
        }
        for (int g = 0; g <= both; ++g) visit(j + g * QUERY_GROUP, products + g * 256);
    }
}

// Sets a row's bit for the queries of a mask.
[[gnu::always_inline]] inline void mark(uint32_t queries, int64_t row, uint16_t* out, int64_t ld) {
    for (; queries != 0; queries &= queries - 1) {
        out[__builtin_ctz(queries) * ld + row / 16] |= static_cast<uint16_t>(1u << row % 16);
    }
}

// Writes row r of a block in bfloat16, tile by tile and filled up with zeros; visit(a, b) sees its numbers, 32 at a time.
template <class Type, class Visit>
[[gnu::always_inline]] inline void round_row(const char* row, int64_t d, int64_t padded, int64_t r, uint16_t* room,
                                             const Visit& visit) {
    constexpr int64_t NUMBERS = TILE_SIZE / 2;
    uint16_t* to = room + r / TILE_ROWS * TILE_ROWS * padded + r % TILE_ROWS * 32;
    int64_t x = 0;
    const auto take = [&](__m512 a, __m512 b) __attribute__((always_inline)) {
        visit(a, b);
        _mm512_storeu_si512(to, reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(b, a)));
        to += NUMBERS;
    };
    for (; x + 32 <= d; x += 32) take(Type::load(row, x), Type::load(row, x + 16));
    if (x < padded) {
        const int64_t left = d - x;
        const __m512 a = left >= 16 ? Type::load(row, x) : Type::load(row, x, left);
        take(a, left > 16 ? Type::load(row, x + 16, left - 16) : _mm512_setzero_ps());
    }
}

}  // namespace
}  // namespace cg
