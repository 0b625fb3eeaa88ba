#include "lanes_avx512.hpp"
#include "cones/wide.inl"

namespace cg::cones {

const Kernel kernel_avx512{sums, filter<true>, filter<false>, filter_codes<true>, filter_codes<false>, &dense::kernel_avx512};

}  // namespace cg::cones
