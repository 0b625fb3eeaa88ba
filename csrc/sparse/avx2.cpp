#include "lanes_avx2.hpp"
#include "sparse/wide.inl"

namespace cg::sparse {

const Kernel kernel_avx2{dot, bm25, reaching};

}  // namespace cg::sparse
