#include "lanes_avx2.hpp"
#include "hopfield/wide.inl"

namespace cg::hopfield {

const Kernel kernel_avx2{products<Fetch::next_block>, BATCH_PRODUCTS, squares, max_score, exponentiate, add_weighted_rows};

}  // namespace cg::hopfield
