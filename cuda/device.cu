// Whether a CUDA device answers, and the driver's own words when none does.

#include <cuda_runtime.h>

#include "../csrc/include/context_graph/cpu.hpp"

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
