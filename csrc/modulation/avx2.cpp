#include "lanes_avx2.hpp"
#include "modulation/wide.inl"

namespace cg::modulation {

const Kernel kernel_avx2{weigh<float>, weigh<uint8_t>, flow};

}  // namespace cg::modulation
