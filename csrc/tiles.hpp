#pragma once
// Tiles of AMX: eight registers of 16 rows by 64 bytes each, and products of them. Included by what is built with it alone.

#include <immintrin.h>

#include <cstdint>

namespace cg {
namespace {

constexpr int64_t TILE_ROWS = 16, TILE_BYTES = 64, TILE_SIZE = TILE_ROWS * TILE_BYTES;

// While it lives, this thread's tiles are all of the full size. A thread that has none again is switched cheaply.
class Tiles {
   public:
    Tiles() {
        struct alignas(64) Shape {
            uint8_t palette = 1, start_row = 0, reserved[14] = {};
            uint16_t row_bytes[16] = {};
            uint8_t rows[16] = {};
        } shape;
        for (int tile = 0; tile < 8; ++tile) {
            shape.row_bytes[tile] = TILE_BYTES;
            shape.rows[tile] = TILE_ROWS;
        }
        _tile_loadconfig(&shape);
    }
    ~Tiles() { _tile_release(); }
    Tiles(const Tiles&) = delete;
    Tiles& operator=(const Tiles&) = delete;
};

}  // namespace
}  // namespace cg
