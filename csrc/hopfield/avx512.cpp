#include "lanes_avx512.hpp"
#include "hopfield/wide.inl"

namespace cg::hopfield {

#ifdef CG_AMX
extern const TileKernel tiles_amx;  // amx.cpp
constexpr const TileKernel* TILES = &tiles_amx;
#else
constexpr const TileKernel* TILES = nullptr;
#endif

const Kernel kernel_avx512{products<Fetch::next_block>, BATCH_PRODUCTS, squares, max_score, exponentiate, add_weighted_rows, TILES};

}  // namespace cg::hopfield
