#pragma once
// One pool of threads for all kernels; results never depend on how many there are.

#include <cstdint>
#include <functional>

namespace cg {

// Runs work(0) ... work(tasks - 1), the caller taking part. A busy pool is not waited for: the caller then does all.
// The first exception of a task is thrown again here.
void run_tasks(int tasks, const std::function<void(int)>& work);

// How many of `threads` are worth waking for this many bytes or operations (about 1 M each).
int worth_waking(int threads, int64_t work);

// Splits [0, n) into `parts` contiguous ranges and runs work(part, begin, end).
void split(int64_t n, int parts, const std::function<void(int, int64_t, int64_t)>& work);

}  // namespace cg
