// Both vector backends, for a lane type `Lanes` included before: sums over d are all that a gate and its experts need.

#include "batches.inl"
#include "context_graph/fusemoe.hpp"
#include "differences.inl"
