#pragma once
// Memory of a CUDA device and the choice among scores there, for code that knows no CUDA. Without a build for CUDA every
// other function throws std::runtime_error.

#include <cstddef>
#include <cstdint>

namespace cg::gpu {

int devices();  // that the driver lists; 0 without a driver, and without a build for CUDA

void* allocate(size_t bytes);  // on the device in use
void release(void* data);      // never throws

// n rows of `width` bytes, `stride` bytes apart, side by side on the same device.
void pack(void* to, const void* from, int64_t n, int64_t width, int64_t stride);
void upload(void* to, const void* from, size_t bytes);
void download(void* to, const void* from, size_t bytes);

// Until all that this stream was given is done.
void wait(void* stream);

int device_of(const void* data);  // the number of the device whose memory this is
int use(int device);              // for this thread; the device before

// The k best of n scores, on the device in use; every pointer may lie on the host or on the device. mask: n bytes, 0 hides a
// score, as -inf is hidden; may be null. Ties go to the lowest id; padded with -inf and -1.
void best(const float* scores, int64_t n, int64_t k, const uint8_t* mask, float* found, int64_t* ids);

}  // namespace cg::gpu
