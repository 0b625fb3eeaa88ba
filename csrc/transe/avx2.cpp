#include "lanes_avx2.hpp"
#include "transe/wide.inl"

namespace cg::transe {

const Kernel kernel_avx2{score, scores};

}  // namespace cg::transe
