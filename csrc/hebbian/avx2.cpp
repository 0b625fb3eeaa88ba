#include "lanes_avx2.hpp"
#include "hebbian/wide.inl"

namespace cg::hebbian {

const Kernel kernel_avx2{rows, tile};

}  // namespace cg::hebbian
