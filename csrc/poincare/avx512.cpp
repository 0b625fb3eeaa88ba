#include "lanes_avx512.hpp"
#include "poincare/wide.inl"

namespace cg::poincare {

const Kernel kernel_avx512{square, square_of_sum, blend, gaps, half_gaps, keys, lengths};

}  // namespace cg::poincare
