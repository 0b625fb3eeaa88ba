#pragma once

#include "context_graph/poincare.hpp"
#include "poincare/domain_errors.hpp"

namespace cg::poincare {

// 1 - c|x|² of row i in double; not above 0, or not a number, is an error.
inline double slack_of(const Kernel& kernel, const Ball& ball, int64_t i) {
    const double slack = 1 - ball.c * kernel.square(ball.points.row(i), ball.points.d);
    if (slack > 0) return slack;
    throw_outside_ball(ball.name, slack, i);
}

}  // namespace cg::poincare
