#include "lanes_avx512.hpp"
#include "sparse/wide.inl"

namespace cg::sparse {

const Kernel kernel_avx512{dot, bm25, reaching};

}  // namespace cg::sparse
