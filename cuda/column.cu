// Rows of an index on the device: grown, written, and picked by their numbers.
//
// A warp a row, moved in pieces of 16 bytes, or one by one where a row is less; memory is the bound: a row is read once and
// written once. A stride is a multiple of 16 or below it.

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
        // Rows of one number each lie side by side: no piece is theirs alone.
        for (long long b = lane_of(); pieces == 0 && b < stride; b += WARP) out[i * stride + b] = rows[ids[i] * stride + b];
    }
}

namespace cg::gpu {
namespace {

using namespace cg::cuda;

Stream current() { return static_cast<Stream>(Context().stream); }

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
    if (used > 0) {
        check(cudaMemcpyAsync(block.get(), block_.get(), used * stride_, cudaMemcpyDeviceToDevice, current()), "growth");
        wait(current());  // the old block may go
    }
    block_ = std::move(block);
    room_ = room;
}

void Column::write(int64_t first, const void* rows, int64_t n, int64_t stride) {
    const DeviceGuard guard(device_);
    copy_rows(block_.get() + first * stride_, stride_, rows, stride, width_, n, current());
    wait(current());  // the rows are the caller's, and a search on any stream finds them
}

void Column::gather(const int64_t* ids, int64_t n, void* out) const {
    if (n == 0) return;
    const DeviceGuard guard(device_);
    const In<int64_t> places(ids, n, current());
    cg_column_gather<<<blocks_for(n), BLOCK, 0, current()>>>(reinterpret_cast<const unsigned char*>(block_.get()), stride_,
                                                             reinterpret_cast<const long long*>(places.get()),
                                                             static_cast<unsigned>(n), static_cast<unsigned char*>(out));
    launched("cg_column_gather");
}

void Column::fetch(const int64_t* ids, int64_t n, void* out) const {
    if (n == 0) return;
    const DeviceGuard guard(device_);
    const Buffer<unsigned char> gathered(n * stride_, current());
    gather(ids, n, gathered.get());
    copy_rows(out, width_, gathered.get(), stride_, width_, n, current());
    wait(current());
}

}  // namespace cg::gpu
