#include "lanes_avx512.hpp"
#include "hebbian/wide.inl"

namespace cg::hebbian {

const Kernel kernel_avx512{rows, tile};

}  // namespace cg::hebbian
