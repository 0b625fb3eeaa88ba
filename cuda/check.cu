// Looks at ids, offsets and numbers on the device: memory is the bound, and they are few beside what they lead to.

#include <cuda_runtime.h>

#include "check.cuh"

using namespace cg::device;

__device__ inline unsigned own_entry() { return blockIdx.x * BLOCK + threadIdx.x; }

extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_check_offsets(const long long* offsets, unsigned entries, long long total, long long step, long long* safe,
                     unsigned* bad) {
    const unsigned i = own_entry();
    if (i >= entries) return;
    const long long offset = offsets[i], before = i == 0 ? 0 : offsets[i - 1];
    const bool at_its_end = (i > 0 || offset == 0) && (i + 1 < entries || offset == total);
    if (offset < before || offset - before > step || offset > total || !at_its_end) atomicMin(bad, i);
    safe[i] = offset < 0 ? 0 : offset > total ? total : offset;
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_check_ids(const long long* ids, unsigned count, unsigned width, long long least, long long end, long long* safe,
                 unsigned* bad) {
    const unsigned i = own_entry();
    if (i >= count) return;
    const long long id = ids[i];
    const bool allowed = id >= least && id < end;
    if (!allowed) atomicMin(bad, i / width);
    safe[i] = allowed ? id : -1;
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_check_nodes(const unsigned* nodes, unsigned count, unsigned n, unsigned* bad) {
    const unsigned i = own_entry();
    if (i < count && __ldg(nodes + i) >= n) atomicMin(bad, i);
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_check_narrow(const long long* nodes, unsigned count, unsigned* narrow) {
    const unsigned i = own_entry();
    if (i >= count) return;
    const long long node = nodes[i];
    narrow[i] = node < 0 || node > 0xffffffffll ? 0xffffffffu : static_cast<unsigned>(node);
}

extern "C" __global__ void __launch_bounds__(BLOCK) cg_check_finite(const float* values, unsigned count, unsigned* bad) {
    const unsigned i = own_entry();
    if (i < count && !isfinite(__ldg(values + i))) atomicMin(bad, i);
}

namespace cg::gpu {

using namespace cg::cuda;

void narrow(const int64_t* nodes, int64_t n, uint32_t* out) {
    if (n == 0) return;
    const auto count = static_cast<unsigned>(n);
    cg_check_narrow<<<(count + device::BLOCK - 1) / device::BLOCK, device::BLOCK, 0, static_cast<Stream>(Context().stream)>>>(
        reinterpret_cast<const long long*>(nodes), count, out);
    launched("cg_check_narrow");
}

}  // namespace cg::gpu
