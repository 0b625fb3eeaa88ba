// The CUDA runtime's host side: device memory is ordinary memory that knows its bounds, and what a copy to the host brings
// is there only after a synchronisation.

#include <sys/mman.h>

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <vector>

#include "runtime.hpp"
#include "streams.hpp"

namespace emulator {
namespace {

constexpr size_t GUARD = 64;
constexpr unsigned char GUARD_BYTE = 0xfb;  // as a float a large number, which arithmetic changes
cudaError_t last = cudaSuccess;
std::map<uintptr_t, Allocation>& held() {
    static auto* all = new std::map<uintptr_t, Allocation>;
    return *all;
}
std::map<const void*, size_t>& allowances() {
    static auto* all = new std::map<const void*, size_t>;
    return *all;
}
struct Landing { void* to; std::vector<char> bytes; };
std::vector<Landing>& landings() {
    static auto* all = new std::vector<Landing>;
    return *all;
}

cudaError_t result(cudaError_t error) {
    if (error != cudaSuccess) last = error;
    return error;
}

// Whole inside one allocation, or not device memory at all.
bool inside(const void* at, size_t bytes) {
    const Allocation* allocation = allocation_of(at);
    return allocation == nullptr || static_cast<const char*>(at) + bytes <= allocation->data + allocation->bytes;
}
bool device(const void* at) { return allocation_of(at) != nullptr; }

// The device is an RTX 5090 unless EMULATOR_CAPABILITY says 75, 80, 90 or the like.
int capability() {
    const char* asked = std::getenv("EMULATOR_CAPABILITY");
    return asked == nullptr ? 120 : std::atoi(asked);
}

// A pool that takes from the driver only when more is in use than ever before.
struct Pool {
    std::map<void*, size_t> lent;
    size_t used = 0, most = 0;

    void take(void* data, size_t bytes) {
        lent[data] = bytes;
        used += bytes;
        if (used <= most) return;
        most = used;
        ++counted(GROWTHS);
    }
    bool give(void* data) {
        const auto found = lent.find(data);
        if (found == lent.end()) return false;
        used -= found->second;
        lent.erase(found);
        return true;
    }
} pool;

size_t copied[3];  // bytes up, down, and within the device
void count(const void* to, const void* from, size_t bytes) {
    if (device(to) || device(from)) copied[!device(to) ? 1 : device(from) ? 2 : 0] += bytes;
}

cudaError_t copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    if (bytes == 0) return cudaSuccess;
    count(to, from, bytes);
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (kind != cudaMemcpyDefault && (device(to) != to_device || device(from) != from_device)) {
        return result(cudaErrorInvalidValue);
    }
    if (!inside(to, bytes) || !inside(from, bytes)) return result(cudaErrorInvalidValue);
    std::memcpy(to, from, bytes);
    return cudaSuccess;
}

}  // namespace

void land() {
    for (Landing& landing : landings()) std::memcpy(landing.to, landing.bytes.data(), landing.bytes.size());
    landings().clear();
}

cudaError_t set_last_error(cudaError_t error) { return result(error); }

size_t allowed_shared(const void* kernel) {
    const auto found = allowances().find(kernel);
    return found == allowances().end() ? MOST_STATIC : found->second;
}

bool asked_for_shared(const void* kernel) { return allowances().count(kernel) != 0; }

const Allocation* allocation_of(const void* at) {
    auto found = held().upper_bound(reinterpret_cast<uintptr_t>(at));
    if (found == held().begin()) return nullptr;
    --found;
    const Allocation& allocation = found->second;
    return static_cast<const char*>(at) <= allocation.data + allocation.bytes - (allocation.bytes > 0) ? &allocation
                                                                                                       : nullptr;
}

void check_pointer(const void* pointer, int argument) {
    if (pointer != nullptr && !device(pointer)) fail("argument %d of the kernel points to host memory", argument);
}

void* allocate(size_t bytes) {
    char* data = static_cast<char*>(std::aligned_alloc(256, (bytes + GUARD + 255) / 256 * 256));
#if defined(EMULATOR_ASAN)
    std::free(data);
    // Exact: the first byte behind is ASan's.
    void* exact = nullptr;
    if (posix_memalign(&exact, 256, std::max<size_t>(bytes, 1)) != 0) return nullptr;
    data = static_cast<char*>(exact);
    std::memset(data, 0xff, bytes);
#else
    std::memset(data, 0xff, bytes);
    std::memset(data + bytes, GUARD_BYTE, GUARD);
#endif
    held()[reinterpret_cast<uintptr_t>(data)] = {data, bytes};
    return data;
}

bool release(void* data) {
    const auto found = held().find(reinterpret_cast<uintptr_t>(data));
    if (found == held().end()) return false;
#if !defined(EMULATOR_ASAN)
    for (size_t g = 0; g < GUARD; ++g) {
        if (static_cast<unsigned char>(found->second.data[found->second.bytes + g]) != GUARD_BYTE) {
            fail("something wrote %zu bytes behind the end of %zu bytes of device memory", g + 1, found->second.bytes);
        }
    }
#endif
    held().erase(found);
    std::free(data);
    return true;
}

size_t allocations() { return held().size(); }

}  // namespace emulator

using emulator::result;

extern "C" {

// For tests of the whole module: the bytes copied so far, up, down or within the device.
__attribute__((visibility("default"), used)) size_t emulator_copied(int way) { return emulator::copied[way]; }

// Device memory of any size, of which only what is touched takes room; it is never released.
__attribute__((visibility("default"), used)) size_t emulator_reserve(size_t bytes) {
    void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data == MAP_FAILED) return 0;
    emulator::held()[reinterpret_cast<uintptr_t>(data)] = {static_cast<char*>(data), bytes};
    return reinterpret_cast<size_t>(data);
}

cudaError_t cudaMalloc(void** data, size_t bytes) {
    ++emulator::counted(emulator::ALLOCATIONS);
    if (const auto refused = emulator::beside_capture(false)) return refused;
    if (bytes == 0) {
        *data = nullptr;
        return cudaSuccess;
    }
    *data = emulator::allocate(bytes);
    return *data ? cudaSuccess : result(cudaErrorMemoryAllocation);
}
cudaError_t cudaFree(void* data) {
    if (data == nullptr) return cudaSuccess;
    ++emulator::counted(emulator::WAITS);
    if (const auto refused = emulator::beside_capture(true)) return refused;
    emulator::land();
    return emulator::release(data) ? cudaSuccess : result(cudaErrorInvalidValue);
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
    if (properties->allocType != cudaMemAllocationTypePinned || properties->location.type != cudaMemLocationTypeDevice ||
        properties->location.id != 0) {
        return result(cudaErrorInvalidValue);
    }
    *pool = reinterpret_cast<cudaMemPool_t>(&emulator::pool);
    return cudaSuccess;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr what, void*) {
    return what == cudaMemPoolAttrReleaseThreshold ? cudaSuccess : result(cudaErrorInvalidValue);
}
cudaError_t cudaMallocFromPoolAsync(void** data, size_t bytes, cudaMemPool_t, cudaStream_t stream) {
    ++emulator::counted(emulator::BORROWED);
    *data = emulator::captured_memory(stream, bytes);
    if (*data != nullptr) return cudaSuccess;
    const auto done = emulator::enqueue(stream, [&] { *data = emulator::allocate(bytes); });
    if (done == cudaSuccess) emulator::pool.take(*data, bytes);
    return done;
}
cudaError_t cudaFreeAsync(void* data, cudaStream_t stream) {
    if (data == nullptr) return cudaSuccess;
    if (emulator::captured(stream)) return emulator::free_in_capture(stream, data);
    if (!emulator::pool.give(data)) return result(cudaErrorInvalidValue);
    return emulator::enqueue(stream, [=] { emulator::release(data); });
}
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    ++emulator::counted(emulator::WAITS);
    if (const auto refused = emulator::beside_capture(true)) return refused;
    emulator::land();
    return emulator::copy(to, from, bytes, kind);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    const bool within = emulator::device(to) && emulator::device(from);
    const bool waits = !within && !emulator::pinned(emulator::device(to) ? from : to);
    if (emulator::captured(stream) && waits) return emulator::break_capture(cudaErrorStreamCaptureUnsupported);
    if (emulator::device(to) || !emulator::device(from)) {
        cudaError_t status = cudaSuccess;
        const auto done = emulator::enqueue(stream, [=, &status] { status = emulator::copy(to, from, bytes, kind); });
        return done ? done : status;
    }
    if (!emulator::inside(from, bytes) || kind == cudaMemcpyHostToDevice) return result(cudaErrorInvalidValue);
    if (waits) ++emulator::counted(emulator::WAITS);
    return emulator::enqueue(stream, [=] {
        emulator::count(to, from, bytes);
        const char* bytes_now = static_cast<const char*>(from);
        emulator::landings().push_back({to, {bytes_now, bytes_now + bytes}});
        std::memset(to, 0xff, bytes);
    });
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
    if (width > to_pitch || width > from_pitch) return result(cudaErrorInvalidPitchValue);
    for (size_t row = 0; row < height; ++row) {
        const cudaError_t status = cudaMemcpyAsync(static_cast<char*>(to) + row * to_pitch,
                                                   static_cast<const char*>(from) + row * from_pitch, width, kind, stream);
        if (status != cudaSuccess) return status;
    }
    return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream) {
    if (bytes == 0) return cudaSuccess;
    if (!emulator::device(to) || !emulator::inside(to, bytes)) return result(cudaErrorInvalidValue);
    return emulator::enqueue(stream, [=] { std::memset(to, value, bytes); });
}
cudaError_t cudaGetLastError() {
    const cudaError_t error = emulator::last;
    emulator::last = cudaSuccess;
    return error;
}
cudaError_t cudaPeekAtLastError() { return emulator::last; }
const char* cudaGetErrorName(cudaError_t error) {
    switch (error) {
        case cudaSuccess: return "cudaSuccess";
        case cudaErrorInvalidValue: return "cudaErrorInvalidValue";
        case cudaErrorInvalidConfiguration: return "cudaErrorInvalidConfiguration";
        case cudaErrorInvalidPitchValue: return "cudaErrorInvalidPitchValue";
        case cudaErrorMemoryAllocation: return "cudaErrorMemoryAllocation";
        case cudaErrorNoKernelImageForDevice: return "cudaErrorNoKernelImageForDevice";
        case cudaErrorStreamCaptureUnsupported: return "cudaErrorStreamCaptureUnsupported";
        case cudaErrorStreamCaptureInvalidated: return "cudaErrorStreamCaptureInvalidated";
        case cudaErrorStreamCaptureIsolation: return "cudaErrorStreamCaptureIsolation";
        case cudaErrorStreamCaptureImplicit: return "cudaErrorStreamCaptureImplicit";
        default: return "cudaError";
    }
}
const char* cudaGetErrorString(cudaError_t error) { return cudaGetErrorName(error); }
cudaError_t cudaGetDeviceCount(int* count) {
    *count = 1;
    return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
    *device = 0;
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) { return device == 0 ? cudaSuccess : result(cudaErrorInvalidDevice); }
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr what, int) {
    switch (what) {
        case cudaDevAttrMultiProcessorCount: *value = emulator::settings().processors; break;
        case cudaDevAttrComputeCapabilityMajor: *value = emulator::capability() / 10; break;
        case cudaDevAttrComputeCapabilityMinor: *value = emulator::capability() % 10; break;
        case cudaDevAttrMaxThreadsPerBlock: *value = emulator::MOST_THREADS; break;
        case cudaDevAttrMaxSharedMemoryPerBlock: *value = emulator::MOST_STATIC; break;
        case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = emulator::MOST_SHARED; break;
        case cudaDevAttrWarpSize: *value = 32; break;
        case cudaDevAttrL2CacheSize: *value = 96 << 20; break;
        case cudaDevAttrMemoryPoolsSupported: *value = 1; break;
        default: return result(cudaErrorInvalidValue);
    }
    return cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*) {
    *attributes = {};
    // As a build for 120-real and 80-virtual has it.
    return emulator::capability() >= 80 ? cudaSuccess : result(cudaErrorNoKernelImageForDevice);
}
cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute what, int value) {
    if (what != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
    if (value < 0 || static_cast<size_t>(value) > emulator::MOST_SHARED) return result(cudaErrorInvalidValue);
    emulator::allowances()[kernel] = std::max<size_t>(value, emulator::MOST_STATIC);
    return cudaSuccess;
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* at) {
    *attributes = {};
    if (emulator::device(at) && !emulator::of_a_graph(at)) {  // the driver does not know a capture's own memory
        attributes->type = cudaMemoryTypeDevice;
        attributes->devicePointer = const_cast<void*>(at);
    } else {
        attributes->type = cudaMemoryTypeUnregistered;
        attributes->device = -2;
    }
    return cudaSuccess;
}

}  // extern "C"
