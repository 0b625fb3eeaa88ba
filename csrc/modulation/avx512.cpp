#include "lanes_avx512.hpp"
#include "modulation/wide.inl"

namespace cg::modulation {

const Kernel kernel_avx512{weigh<float>, weigh<uint8_t>, flow};

}  // namespace cg::modulation
