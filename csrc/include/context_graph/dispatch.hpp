#pragma once
// Which instruction set answers where the caller names none. Every family has `best_kernel()` and `kernel_of(isa)`.

#include <stdexcept>

namespace cg {

// A backend that was asked for and is not usable here.
struct BackendUnavailable : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

enum class Isa { scalar = 0, avx2 = 1, avx512 = 2 };

const char* name_of(Isa isa);
bool usable(Isa isa);

// The fastest that is usable here, unless use_isa or, at the first call, the environment's CONTEXT_GRAPH_BACKEND names another.
// BackendUnavailable where that variable names none of the three, or one that is not usable: nothing is chosen silently.
Isa best_isa();
// For all calls of this process from now on. BackendUnavailable where it is not usable here.
void use_isa(Isa isa);
// Back to what best_isa chooses by itself.
void use_best_isa();

}  // namespace cg
