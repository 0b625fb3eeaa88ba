#include "lanes_avx2.hpp"
#include "cones/wide.inl"

namespace cg::cones {

const Kernel kernel_avx2{sums, look<true>, look<false>};

}  // namespace cg::cones
