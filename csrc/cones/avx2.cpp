#include "lanes_avx2.hpp"
#include "cones/wide.inl"

namespace cg::cones {

const Kernel kernel_avx2{sums, filter<true>, filter<false>, filter_codes<true>, filter_codes<false>, &dense::kernel_avx2};

}  // namespace cg::cones
