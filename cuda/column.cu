// Rows of an index on the device: grown, written, and picked by their numbers.
//
// A warp a row, moved in pieces of 16 bytes; memory is the bound: a row is read once and written once.

#include <cuda_runtime.h>

#include "../csrc/include/context_graph/column.hpp"
#include "memory.cuh"
#include "warp.cuh"

using namespace cg::device;

extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_column_gather(const unsigned char* rows, long long stride, const long long* ids, unsigned m, unsigned char* out) {
    const int pieces = static_cast<int>(stride / 16);
    for (unsigned i = blockIdx.x * WARPS + warp_of(); i < m; i += gridDim.x * WARPS) {
        const auto* from = reinterpret_cast<const uint4*>(rows + ids[i] * stride);
        auto* to = reinterpret_cast<uint4*>(out + i * stride);
#pragma unroll 4
        for (int p = lane_of(); p < pieces; p += WARP) to[p] = __ldg(from + p);
    }
}

namespace cg::gpu {
namespace {

using namespace cg::cuda;

// The device of a column, for as long as a function runs.
class DeviceGuard {
   public:
    explicit DeviceGuard(int device) {
        check(cudaGetDevice(&before_), "device");
        if (device != before_) check(cudaSetDevice(device), "device");
    }
    ~DeviceGuard() { cudaSetDevice(before_); }

   private:
    int before_ = 0;
};

void copy_rows(void* to, int64_t to_stride, const void* from, int64_t from_stride, int64_t width, int64_t n) {
    if (n == 0 || width == 0) return;
    if (n > 1 && from_stride < width) {  // rows that overlap
        for (int64_t i = 0; i < n; ++i) {
            copy_rows(static_cast<char*>(to) + i * to_stride, to_stride, static_cast<const char*>(from) + i * from_stride, width, width, 1);
        }
        return;
    }
    if (to_stride == width && from_stride == width) {
        check(cudaMemcpy(to, from, n * width, cudaMemcpyDefault), "copy of rows");
        return;
    }
    check(cudaMemcpy2D(to, to_stride, from, std::max(from_stride, width), width, n, cudaMemcpyDefault), "copy of rows");
}

}  // namespace

Column::Column(int64_t width, int64_t stride) : width_(width), stride_(stride) {
    check(cudaGetDevice(&device_), "device");
}

void Column::reserve(int64_t rows, int64_t used) {
    if (rows <= room_) return;
    const DeviceGuard guard(device_);
    const int64_t room = std::max(rows, 2 * room_);
    char* data = nullptr;
    check(cudaMalloc(reinterpret_cast<void**>(&data), room * stride_), "allocation of rows");
    std::shared_ptr<char> block(data, [](char* held) { cudaFree(held); });
    used = std::min(used, room_);
    if (used > 0) check(cudaMemcpy(block.get(), block_.get(), used * stride_, cudaMemcpyDeviceToDevice), "growth");
    block_ = std::move(block);
    room_ = room;
}

void Column::write(int64_t first, const void* rows, int64_t n, int64_t stride) {
    const DeviceGuard guard(device_);
    copy_rows(block_.get() + first * stride_, stride_, rows, stride, width_, n);
    wait(nullptr);  // the copy may lie in the stream still, and the rows are the caller's
}

void Column::gather(const int64_t* ids, int64_t n, void* out) const {
    if (n == 0) return;
    const DeviceGuard guard(device_);
    const In<int64_t> places(ids, n, nullptr);
    cg_column_gather<<<blocks_for(n), BLOCK>>>(reinterpret_cast<const unsigned char*>(block_.get()), stride_,
                                               reinterpret_cast<const long long*>(places.get()), static_cast<unsigned>(n),
                                               static_cast<unsigned char*>(out));
    launched("cg_column_gather");
    wait(nullptr);
}

void Column::fetch(const int64_t* ids, int64_t n, void* out) const {
    if (n == 0) return;
    const DeviceGuard guard(device_);
    const Buffer<unsigned char> gathered(n * stride_);
    gather(ids, n, gathered.get());
    copy_rows(out, width_, gathered.get(), stride_, width_, n);
}

}  // namespace cg::gpu
