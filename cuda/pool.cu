// Memory that calls borrow: from a pool of our own for each device, so that the settings of the process's default one stay.

#include <cuda_runtime.h>

#include <atomic>
#include <map>
#include <mutex>
#include <vector>

#include "memory.cuh"

namespace cg::cuda {
namespace {

// What a pool keeps when nobody uses it; more goes back to the driver at the next synchronisation.
constexpr uint64_t KEPT_BYTES = uint64_t{1} << 30;

std::mutex lock;

int device_in_use() {
    int device = 0;
    check(cudaGetDevice(&device), "device");
    return device;
}

// Null where the driver has none: there every call allocates and frees for itself.
cudaMemPool_t pool_of(int device) {
    static auto* const pools = new std::map<int, cudaMemPool_t>;  // never destroyed: the driver may be gone first
    const std::lock_guard<std::mutex> held(lock);
    const auto found = pools->find(device);
    if (found != pools->end()) return found->second;
    int supported = 0;
    check(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, device), "device");
    cudaMemPool_t pool = nullptr;
    if (supported) {
        cudaMemPoolProps properties{};
        properties.allocType = cudaMemAllocationTypePinned;
        properties.location.type = cudaMemLocationTypeDevice;
        properties.location.id = device;
        check(cudaMemPoolCreate(&pool, &properties), "memory pool");
        uint64_t kept = KEPT_BYTES;
        check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept), "memory pool");
    }
    return (*pools)[device] = pool;
}

struct Range {
    const char* data;
    size_t bytes;
};
thread_local std::vector<Range> ranges;  // of the calls that run in this thread, a handful

}  // namespace

bool borrowed(const void* data) {
    const auto* at = static_cast<const char*>(data);
    return std::any_of(ranges.begin(), ranges.end(), [at](const Range& own) { return own.data <= at && at < own.data + own.bytes; });
}

void* borrow(size_t bytes, Stream stream) {
    void* data = nullptr;
    bytes = std::max<size_t>(bytes, 16);
    const cudaMemPool_t pool = pool_of(device_in_use());
    check(pool ? cudaMallocFromPoolAsync(&data, bytes, pool, stream) : cudaMalloc(&data, bytes), "allocation");
    return data;
}

void* borrow_for_a_call(size_t bytes, Stream stream) {
    void* data = borrow(bytes, stream);
    ranges.push_back({static_cast<const char*>(data), bytes});
    return data;
}

void give_back_after_a_call(void* data, Stream stream) noexcept {
    ranges.erase(std::find_if(ranges.begin(), ranges.end(), [data](const Range& range) { return range.data == data; }));
    give_back(data, stream);
}

void give_back(void* data, Stream stream) noexcept {
    int device = 0, pools = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, device);
    if ((pools ? cudaFreeAsync(data, stream) : cudaFree(data)) != cudaSuccess) cudaGetLastError();
}

}  // namespace cg::cuda

namespace cg::gpu {

using namespace cg::cuda;

namespace {

thread_local Context context{nullptr};

bool capturing(Stream stream) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    if (cudaStreamIsCapturing(stream, &status) != cudaSuccess) cudaGetLastError();
    return status != cudaStreamCaptureStatusNone;
}

cudaGraph_t graph_of(Stream stream) {
    cudaStreamCaptureStatus status;
    cudaGraph_t graph = nullptr;
#if CUDART_VERSION >= 13000
    check(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph), "capture");
#else
    check(cudaStreamGetCaptureInfo_v2(stream, &status, nullptr, &graph), "capture");
#endif
    return graph;
}

// Memory that nobody uses any more.
struct Left {
    char* data;
    int device;
    Stream stream;
    bool lent, captured;

    void free() const {
        try {
            const DeviceGuard guard(device);
            if (lent) cudaDeviceSynchronize();
            if (!captured) return give_back(data, stream);
            if (cudaFree(data) != cudaSuccess) cudaGetLastError();
        } catch (const std::runtime_error&) {
            return;  // the driver is gone, and the memory with it
        }
    }
};
std::mutex lock;
std::vector<Left>& left = *new std::vector<Left>;  // never destroyed: arrays may go after it
std::atomic<bool> any_left{false};

// Unless something is captured in this thread, which freeing would break.
void free_left() {
    if (!any_left || capturing(static_cast<Stream>(context.stream))) return;
    std::vector<Left> taken;
    {
        const std::lock_guard<std::mutex> held(lock);
        taken.swap(left);
        any_left = false;
    }
    for (const Left& memory : taken) memory.free();
}

}  // namespace

Context::Context() : Context(context) {}

Context use_context(const Context& next) {
    const Context before = context;
    context = next;
    return before;
}

Memory::Memory(size_t bytes) : block_(std::make_shared<Block>()) {
    const auto stream = static_cast<Stream>(Context().stream);
    free_left();
    check(cudaGetDevice(&block_->device), "device");
    block_->stream = stream;
    if (!capturing(stream)) {
        block_->data = static_cast<char*>(borrow(bytes, stream));
        return;
    }
    // Memory that the graph allocates would go with each launch, and the caller reads it afterwards. So it is allocated beside
    // the capture, and the graph holds it.
    block_->captured = true;
    block_->lent = true;
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    check(cudaThreadExchangeStreamCaptureMode(&mode), "capture");
    const cudaError_t allocated = cudaMalloc(reinterpret_cast<void**>(&block_->data), std::max<size_t>(bytes, 16));
    cudaThreadExchangeStreamCaptureMode(&mode);
    check(allocated, "allocation");
    cudaUserObject_t holder;
    check(cudaUserObjectCreate(&holder, new std::shared_ptr<Block>(block_),
                               [](void* held) { delete static_cast<std::shared_ptr<Block>*>(held); }, 1,
                               cudaUserObjectNoDestructorSync),
          "holder of memory");
    check(cudaGraphRetainUserObject(graph_of(stream), holder, 1, cudaGraphUserObjectMove), "holder of memory");
}

// A graph may end where the driver is not to be called, and a capture may run that freeing would break: then it is left to
// the next allocation.
Memory::Block::~Block() {
    if (data == nullptr) return;
    const Left own{data, device, static_cast<Stream>(stream), lent, captured};
    bool later = captured;
    try {
        later = later || capturing(own.stream);
    } catch (const std::runtime_error&) {
        return;  // the driver is gone, and the memory with it
    }
    if (later) {
        const std::lock_guard<std::mutex> held(lock);
        left.push_back(own);
        any_left = true;
    } else {
        own.free();
    }
}

}  // namespace cg::gpu
