#include "lanes_avx512.hpp"
#include "modulation/wide.inl"

namespace cg::modulation {
namespace {

// Lanes behind the last edge carry 0, which is less than `least`.
template <bool GAINED>
const Leaving* follow_with(const uint32_t* targets, const float* weights, const int16_t* gains, const Leaving* path,
                           const Leaving* end, float least, int64_t enough, Reached& reached) {
    int64_t found = reached.count;
    for (; path != end && found <= enough; ++path) {
        fetch_leaving(targets, weights, path, end);
        if (path->strength < least) continue;
        const Lanes::Floats strength = Lanes::all(path->strength);
        const int64_t last = path->first + path->count;
        for (int64_t e = path->first; e < last; e += Lanes::floats) {
            const int64_t some = last - e < Lanes::floats ? last - e : Lanes::floats;
            Lanes::Floats weight = Lanes::load(weights + e, some);
            if (GAINED) weight = Lanes::mul(weight, factor(Lanes::from_integers(gains + e, some)));
            const Lanes::Floats arrived = Lanes::mul(strength, Lanes::min(weight, Lanes::all(1)));
            const uint32_t those = Lanes::at_least(arrived, Lanes::all(least));
            Lanes::pack(reached.strengths + found, arrived, those);
            Lanes::pack(reached.nodes + found, targets + e, some, those);
            for (int64_t j = 0; j < Lanes::floats; ++j) reached.paths[found + j] = path->path;
            found += __builtin_popcount(those);
        }
    }
    reached.count = found;
    return path;
}

const Leaving* follow(const uint32_t* targets, const float* weights, const int16_t* gains, const Leaving* path,
                      const Leaving* end, float least, int64_t enough, Reached& reached) {
    const auto with = gains ? follow_with<true> : follow_with<false>;
    return with(targets, weights, gains, path, end, least, enough, reached);
}

}  // namespace

const Kernel kernel_avx512{effective_weight_of<float>, effective_weight_of<uint8_t>, flow, follow};

}  // namespace cg::modulation
