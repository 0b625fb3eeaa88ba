// Whether a CUDA device answers, the driver's own words when none does, and its memory for code that knows no CUDA.

#include <cuda_runtime.h>

#include "../csrc/include/context_graph/cpu.hpp"
#include "../csrc/include/context_graph/gpu.hpp"
#include "memory.cuh"

namespace cg {

Usable cuda_usable() {
    int devices = 0;
    const cudaError_t status = cudaGetDeviceCount(&devices);
    if (status != cudaSuccess) {
        cudaGetLastError();  // the error is sticky: the next launch would report it again
        return {false, std::string(cudaGetErrorName(status)) + ": " + cudaGetErrorString(status)};
    }
    if (devices == 0) return {false, "the driver lists no device"};
    return {true, ""};
}

}  // namespace cg

namespace cg::gpu {

using cuda::check;

void* allocate(size_t bytes) {
    void* data = nullptr;
    check(cudaMalloc(&data, std::max<size_t>(bytes, 16)), "allocation");
    return data;
}
void release(void* data) { cudaFree(data); }

void pack(void* to, const void* from, int64_t n, int64_t width, int64_t stride) {
    if (n == 0 || width == 0) return;
    if (n == 1 || stride >= width) {
        const size_t pitch = std::max(stride, width);
        check(cudaMemcpy2D(to, width, from, pitch, width, n, cudaMemcpyDeviceToDevice), "copy of rows");
        return;
    }
    for (int64_t i = 0; i < n; ++i) {  // rows that overlap
        check(cudaMemcpy(static_cast<char*>(to) + i * width, static_cast<const char*>(from) + i * stride, width,
                         cudaMemcpyDeviceToDevice),
              "copy of rows");
    }
}
void upload(void* to, const void* from, size_t bytes) {
    check(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "copy in");
}
void download(void* to, const void* from, size_t bytes) {
    check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "copy out");
}
void wait(void* stream) { cuda::wait(static_cast<cudaStream_t>(stream)); }

int device_of(const void* data) {
    cudaPointerAttributes attributes{};
    check(cudaPointerGetAttributes(&attributes, data), "device of an array");
    if (attributes.type != cudaMemoryTypeDevice && attributes.type != cudaMemoryTypeManaged) {
        throw std::invalid_argument("cuda: the address of an array is not on a device");
    }
    return attributes.device;
}
int use(int device) {
    int before = 0;
    check(cudaGetDevice(&before), "device");
    if (device != before) check(cudaSetDevice(device), "device");
    return before;
}

}  // namespace cg::gpu
