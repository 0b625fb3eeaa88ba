#include "lanes_avx2.hpp"
#include "fusemoe/wide.inl"

namespace cg::fusemoe {

const Kernel kernel_avx2{difference_sums<true>, products<>, BATCH_PRODUCTS, squares};

}  // namespace cg::fusemoe
