#include "lanes_avx2.hpp"
#include "modulation/wide.inl"

namespace cg::modulation {

const Kernel kernel_avx2{effective_weight_of<float>, effective_weight_of<uint8_t>, flow, follow_one_by_one};

}  // namespace cg::modulation
