// Whether a CUDA device answers and can run the kernels, why not where it cannot, and its memory for code that knows no CUDA.

#include <cuda_runtime.h>

#include "../csrc/include/context_graph/cpu.hpp"
#include "../csrc/include/context_graph/gpu.hpp"
#include "memory.cuh"

#ifndef CG_CUDA_ARCHS
#define CG_CUDA_ARCHS "what nvcc compiles for unasked"
#endif

namespace cg {
namespace {

std::string words_of(cudaError_t status) {
    cudaGetLastError();  // the error is sticky: the next launch would report it again
    return std::string(cudaGetErrorName(status)) + ": " + cudaGetErrorString(status);
}

// Of the device in use as -arch wants it, 90 for compute capability 9.0.
int capability() {
    int device = 0, major = 0, minor = 0;
    if (cudaGetDevice(&device) != cudaSuccess || cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) ||
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device)) {
        cudaGetLastError();
    }
    return 10 * major + minor;
}

}  // namespace

Usable cuda_usable() {
    int devices = 0;
    cudaError_t status = cudaGetDeviceCount(&devices);
    if (status != cudaSuccess) return {false, words_of(status)};
    if (devices == 0) return {false, "the driver lists no device"};
    // All kernels are compiled for the same architectures: where one has an image, or PTX that the driver takes, all have.
    cudaFuncAttributes image{};
    status = cudaFuncGetAttributes(&image, reinterpret_cast<const void*>(&cg_select_merge));
    if (status == cudaSuccess) return {true, ""};
    const std::string device = std::to_string(capability());
    return {false, "no kernel of this build runs on the device, sm_" + device + " (" + words_of(status) +
                       "); it was compiled for " CG_CUDA_ARCHS ", build it with -C cmake.define.CG_CUDA_ARCHS=" + device};
}

}  // namespace cg

namespace cg::gpu {

using cuda::check;

int devices() {
    int count = 0;
    if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
    cudaGetLastError();
    return 0;
}

void pack(void* to, const void* from, int64_t n, int64_t width, int64_t stride) {
    cuda::copy_rows(to, width, from, stride, width, n, static_cast<cudaStream_t>(Context().stream));
}
void upload(void* to, const void* from, size_t bytes) {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, static_cast<cudaStream_t>(Context().stream)), "copy in");
}
void download(void* to, const void* from, size_t bytes) {
    const auto stream = static_cast<cudaStream_t>(Context().stream);
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream), "copy out");
    cuda::wait(stream);
}

void order(void* before, void* stream) {
    const auto number = [](void* of) { return of == cudaStreamLegacy ? nullptr : of; };
    if (number(before) == number(stream)) return;
    cudaEvent_t event;
    check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "event");
    const cudaError_t recorded = cudaEventRecord(event, static_cast<cudaStream_t>(before));
    const cudaError_t waits = recorded ? recorded : cudaStreamWaitEvent(static_cast<cudaStream_t>(stream), event, 0);
    cudaEventDestroy(event);  // once it is over
    check(waits, "order of two streams");
}

int device_of(const void* data) {
    cudaPointerAttributes attributes{};
    check(cudaPointerGetAttributes(&attributes, data), "device of an array");
    if (attributes.type != cudaMemoryTypeDevice && attributes.type != cudaMemoryTypeManaged) {
        throw std::invalid_argument("cuda: the address of an array is not on a device");
    }
    return attributes.device;
}
int in_use() {
    int device = 0;
    cuda::check(cudaGetDevice(&device), "device");
    return device;
}

int use(int device) {
    int before = 0;
    check(cudaGetDevice(&before), "device");
    if (device != before) check(cudaSetDevice(device), "device");
    return before;
}

}  // namespace cg::gpu
