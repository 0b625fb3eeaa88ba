#include "lanes_avx512.hpp"
#include "transe/wide.inl"

namespace cg::transe {

const Kernel kernel_avx512{score, scores};

}  // namespace cg::transe
