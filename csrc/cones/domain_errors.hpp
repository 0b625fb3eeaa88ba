#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace cg::cones {

[[noreturn]] inline void throw_outside_ball(const char* name, double square, int64_t row) {
    throw std::domain_error(std::string(name) + " must be finite and inside the unit ball, got |x|² = " +
                            std::to_string(square) + " in row " + std::to_string(row) +
                            "; poincare.project pulls strays back in");
}

}  // namespace cg::cones
