#pragma once

#include <stdexcept>
#include <string>

#include "context_graph/poincare.hpp"

namespace cg::poincare {

// 1 - c|x|² of row i in double; not above 0, or not a number, is an error.
inline double slack_of(const Kernel& kernel, const Ball& ball, int64_t i) {
    const double slack = 1 - ball.c * kernel.square(ball.points.row(i), ball.points.d);
    if (slack > 0) return slack;
    throw std::domain_error(std::string(ball.name) +
                            " must be finite and inside the ball, c|x|² < 1, got 1 - c|x|² = " + std::to_string(slack) +
                            " in row " + std::to_string(i) + "; project pulls strays back in");
}

}  // namespace cg::poincare
