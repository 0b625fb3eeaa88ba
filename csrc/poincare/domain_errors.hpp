#pragma once
// The words for rows that cannot be points or velocities.

#include <cstdint>
#include <stdexcept>
#include <string>

namespace cg::poincare {

[[noreturn]] inline void throw_outside_ball(const char* name, double slack, int64_t row) {
    throw std::domain_error(std::string(name) + " must be finite and inside the ball, c|x|² < 1, got 1 - c|x|² = " +
                            std::to_string(slack) + " in row " + std::to_string(row) +
                            "; project pulls strays back in");
}

[[noreturn]] inline void throw_not_finite(const char* name, int64_t row) {
    throw std::domain_error(std::string(name) + " must be finite, got NaN or infinity in row " + std::to_string(row));
}

}  // namespace cg::poincare
