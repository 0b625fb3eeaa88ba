// The choice of an instruction set, once for the process, and every family's table of it.

#include "context_graph/dispatch.hpp"

#include <atomic>
#include <cstdlib>
#include <string>

#include "context_graph/cones.hpp"
#include "context_graph/cpu.hpp"
#include "context_graph/dense.hpp"
#include "context_graph/fusemoe.hpp"
#include "context_graph/hdc.hpp"
#include "context_graph/hebbian.hpp"
#include "context_graph/hopfield.hpp"
#include "context_graph/maxsim.hpp"
#include "context_graph/modulation.hpp"
#include "context_graph/poincare.hpp"
#include "context_graph/sparse.hpp"
#include "context_graph/transe.hpp"

namespace cg {
namespace {

constexpr Isa FASTEST_FIRST[] = {Isa::avx512, Isa::avx2, Isa::scalar};
constexpr int UNDECIDED = -1;

// Not a static initialiser: nothing runs before the caller asks.
std::atomic<int> chosen{UNDECIDED};

Usable usable_of(Isa isa) {
    switch (isa) {
        case Isa::scalar: return scalar_usable();
        case Isa::avx2: return avx2_usable();
        case Isa::avx512: return avx512_usable();
    }
    return {false, "no such backend"};
}

void require_usable(Isa isa) {
    if (const Usable answer = usable_of(isa); !answer.usable)
        throw BackendUnavailable(std::string("backend ") + name_of(isa) + " is not usable here: " + answer.reason);
}

Isa by_environment() {
    const char* asked = std::getenv("CONTEXT_GRAPH_BACKEND");
    for (const Isa isa : FASTEST_FIRST) {
        if (asked == nullptr || *asked == 0) {
            if (usable(isa)) return isa;
        } else if (std::string(asked) == name_of(isa)) {
            require_usable(isa);
            return isa;
        }
    }
    throw BackendUnavailable(std::string("CONTEXT_GRAPH_BACKEND must be scalar, avx2 or avx512 for this library, got ") + asked);
}

template <class Kernel>
const Kernel& pick(Isa isa, [[maybe_unused]] const Kernel& avx512, [[maybe_unused]] const Kernel& avx2, const Kernel& scalar) {
    require_usable(isa);
    return isa == Isa::avx512 ? avx512 : isa == Isa::avx2 ? avx2 : scalar;
}

}  // namespace

const char* name_of(Isa isa) {
    switch (isa) {
        case Isa::scalar: return "scalar";
        case Isa::avx2: return "avx2";
        case Isa::avx512: return "avx512";
    }
    return "unknown";
}

bool usable(Isa isa) { return usable_of(isa).usable; }

Isa best_isa() {
    int isa = chosen.load(std::memory_order_relaxed);
    if (isa == UNDECIDED) {
        isa = static_cast<int>(by_environment());
        int undecided = UNDECIDED;  // who called use_isa meanwhile has the last word
        if (!chosen.compare_exchange_strong(undecided, isa)) isa = undecided;
    }
    return static_cast<Isa>(isa);
}

void use_isa(Isa isa) {
    require_usable(isa);
    chosen = static_cast<int>(isa);
}

void use_best_isa() { chosen = UNDECIDED; }

#ifdef CG_X86
#define CG_PICK(isa) pick(isa, kernel_avx512, kernel_avx2, kernel_scalar)
#else
#define CG_PICK(isa) pick(isa, kernel_scalar, kernel_scalar, kernel_scalar)  // the others are refused before
#endif

#define CG_DISPATCH(family)                                    \
    namespace family {                                         \
    const Kernel& kernel_of(Isa isa) { return CG_PICK(isa); }  \
    const Kernel& best_kernel() { return CG_PICK(best_isa()); } \
    }

CG_DISPATCH(cones)
CG_DISPATCH(dense)
CG_DISPATCH(fusemoe)
CG_DISPATCH(hdc)
CG_DISPATCH(hebbian)
CG_DISPATCH(hopfield)
CG_DISPATCH(maxsim)
CG_DISPATCH(modulation)
CG_DISPATCH(poincare)
CG_DISPATCH(sparse)
CG_DISPATCH(transe)

}  // namespace cg
