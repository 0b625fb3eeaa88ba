#include "lanes_avx512.hpp"
#include "poincare/wide.inl"

namespace cg::poincare {

RoundedMasks rounded_masks_amx;  // amx.cpp

const Kernel kernel_avx512{square, square_of_sum, blend, gaps, half_gaps, keys, lengths, rounded_masks_amx};

}  // namespace cg::poincare
