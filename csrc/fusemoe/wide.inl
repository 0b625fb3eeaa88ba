// Both vector backends, for a lane type `Lanes` included before: sums over d are all that a gate and its experts need.

#include "context_graph/fusemoe.hpp"
#include "differences.inl"
#include "products.inl"
