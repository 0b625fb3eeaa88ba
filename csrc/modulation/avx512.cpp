#include "lanes_avx512.hpp"
#include "modulation/wide.inl"

namespace cg::modulation {

const Kernel kernel_avx512{effective_weight_of<float>, effective_weight_of<uint8_t>, flow, follow};

}  // namespace cg::modulation
