#include "lanes_avx512.hpp"
#include "poincare/wide.inl"

namespace cg::poincare {

#ifdef CG_AMX
RoundedMasks rounded_masks_bf16, rounded_masks_amx;  // bf16.cpp, amx.cpp
constexpr RoundedMasks *ROUNDED_MASKS = rounded_masks_bf16, *TILE_MASKS = rounded_masks_amx;
#else
constexpr RoundedMasks *ROUNDED_MASKS = nullptr, *TILE_MASKS = nullptr;
#endif

const Kernel kernel_avx512{square, square_of_sum, blend, gaps, half_gaps, keys, lengths, ROUNDED_MASKS, TILE_MASKS};

}  // namespace cg::poincare
