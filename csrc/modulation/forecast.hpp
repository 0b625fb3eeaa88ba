#pragma once
// How strong the k-th best node of a search will be, told from its first hops.
//
// Strengths and the factors of edges are counted in bands of an eighth of a power of two. What the frontier's edges will
// find is the frontier's bands convolved with those of the factors that the hops so far met, and so on for each hop to
// come. Nothing relies on it: a search that leaves out what is weaker than a bar and still reaches k nodes is exact, and
// one that does not reach them starts again without.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace cg::modulation {

class Forecast {
   public:
    // Nothing is stronger than `strongest`.
    explicit Forecast(float strongest) : top_(band_bits(strongest)) {}

    void add_found(float strength) { add(found_, top_ - band_bits(strength)); }
    void add_frontier(float strength) { add(frontier_, top_ - band_bits(strength)); }
    void add_factor(float factor) { add(factors_, band_bits(1.0f) - band_bits(factor)); }

    // A strength that about `wanted` nodes will have after `hops` more, `expanded` nodes having met the factors; 0 where
    // the bands hold too few.
    float strength_of(float wanted, float expanded, int hops) {
        for (float& count : factors_) count /= expanded;
        for (int hop = 0; hop < std::min(hops, MOST_HOPS); ++hop) {
            Bands next{};
            for (int64_t i = 0; i < BANDS; ++i) {
                if (frontier_[i] == 0) continue;
                for (int64_t j = 0; i + j < BANDS; ++j) next[i + j] += frontier_[i] * factors_[j];
            }
            for (int64_t i = 0; i < BANDS; ++i) found_[i] += next[i];
            frontier_ = next;
        }
        float total = 0;
        for (int64_t i = 0; i < BANDS; ++i) {
            total += found_[i];
            if (total >= wanted) return std::bit_cast<float>(std::max(top_ - static_cast<int32_t>(i), 0) << SHIFT);
        }
        return 0;
    }

   private:
    static constexpr int SHIFT = 20;    // of a float's bits
    static constexpr int64_t BANDS = 64;
    static constexpr int MOST_HOPS = 8;
    using Bands = std::array<float, BANDS>;

    static int32_t band_bits(float value) { return std::bit_cast<int32_t>(value) >> SHIFT; }
    static void add(Bands& bands, int32_t band) {
        if (band >= 0 && band < BANDS) ++bands[band];
    }

    int32_t top_;
    Bands found_{}, frontier_{}, factors_{};
};

}  // namespace cg::modulation
