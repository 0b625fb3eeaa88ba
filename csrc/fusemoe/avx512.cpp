#include "lanes_avx512.hpp"
#include "fusemoe/wide.inl"

namespace cg::fusemoe {

const Kernel kernel_avx512{difference_sums<true>, products<>, BATCH_PRODUCTS, squares};

}  // namespace cg::fusemoe
