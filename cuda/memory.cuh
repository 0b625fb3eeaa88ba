#pragma once
// Arrays for kernels, wherever they lie: device pointers are used as they are, host arrays are copied over and back.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../csrc/include/context_graph/gpu.hpp"
#include "../csrc/include/context_graph/points.hpp"
#include "select.cuh"

namespace cg::cuda {

using Stream = cudaStream_t;

inline void check(cudaError_t status, const char* what) {
    if (status == cudaSuccess) return;
    cudaGetLastError();  // or the next call would report it again
    const bool captured = status >= cudaErrorStreamCaptureUnsupported && status <= cudaErrorStreamCaptureWrongThread;
    throw std::runtime_error(std::string("cuda: ") + what + ": " + cudaGetErrorString(status) +
                             (captured ? "; a graph captures calls whose arrays all lie on the device, on the stream that is captured" : ""));
}

// After a launch.
inline void launched(const char* kernel) { check(cudaGetLastError(), kernel); }

// Whether an address lies in a buffer of a call in this thread: the driver does not know that of a graph before it runs.
bool borrowed(const void* data);

inline bool on_device(const void* data) {
    cudaPointerAttributes attributes{};
    if (data == nullptr || cudaPointerGetAttributes(&attributes, data) != cudaSuccess) {
        cudaGetLastError();
        return false;
    }
    if (attributes.type == cudaMemoryTypeUnregistered) return borrowed(data);
    return attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged;
}

inline int processors() {
    int device = 0, count = 0;
    check(cudaGetDevice(&device), "device");
    check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device), "device");
    return count;
}

// Blocks of a kernel that gives a warp to each row: enough to fill the device four times, no more than there is work.
inline unsigned blocks_for(int64_t rows) {
    return static_cast<unsigned>(
        std::clamp<int64_t>((rows + device::WARPS - 1) / device::WARPS, 1, int64_t{4} * processors()));
}

// The device that memory lies on, in use for as long as a function runs.
class DeviceGuard {
   public:
    explicit DeviceGuard(int device) {
        check(cudaGetDevice(&before_), "device");
        if (device != before_) check(cudaSetDevice(device), "device");
    }
    ~DeviceGuard() { cudaSetDevice(before_); }
    DeviceGuard(const DeviceGuard&) = delete;
    DeviceGuard& operator=(const DeviceGuard&) = delete;

   private:
    int before_ = 0;
};

// Memory of the pool of the device in use, taken and given back in the order of a stream.
void* borrow(size_t bytes, Stream stream);
void give_back(void* data, Stream stream) noexcept;
void* borrow_for_a_call(size_t bytes, Stream stream);
void give_back_after_a_call(void* data, Stream stream) noexcept;

template <class T>
class Buffer {
   public:
    Buffer(int64_t count, Stream stream) : data_(static_cast<T*>(borrow_for_a_call(count * sizeof(T), stream))), stream_(stream) {}
    ~Buffer() {
        if (data_) give_back_after_a_call(data_, stream_);
    }
    Buffer(Buffer&& other) noexcept : data_(std::exchange(other.data_, nullptr)), stream_(other.stream_) {}
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    T* get() const { return data_; }

   private:
    T* data_;
    Stream stream_;
};

// Memory that outlives a call: neither taken nor given back in the order of a stream.
template <class T>
class Lasting {
   public:
    explicit Lasting(int64_t count) {
        check(cudaMalloc(reinterpret_cast<void**>(&data_), std::max<size_t>(count * sizeof(T), 16)), "allocation");
    }
    ~Lasting() { cudaFree(data_); }
    Lasting(Lasting&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
    Lasting(const Lasting&) = delete;
    Lasting& operator=(const Lasting&) = delete;
    T* get() const { return data_; }

   private:
    T* data_ = nullptr;
};

// Four bytes a flag, for the host to read: pinned, or a copy from the device would wait by itself. This thread's own.
constexpr int MAX_FLAGS = 8;
class Pinned {
   public:
    static unsigned* words() {
        thread_local Pinned own;
        if (own.words_ == nullptr) {
            check(cudaHostAlloc(reinterpret_cast<void**>(&own.words_), MAX_FLAGS * sizeof(unsigned), cudaHostAllocPortable), "flags");
        }
        return own.words_;
    }
    ~Pinned() {
        if (words_ && cudaFreeHost(words_) != cudaSuccess) cudaGetLastError();
    }

   private:
    Pinned() = default;
    unsigned* words_ = nullptr;
};

// A call on the device in use: its stream, the flags in which kernels say what is wrong with its numbers, and its end.
class Work {
   public:
    using Refuse = std::function<void(unsigned)>;

    explicit Work(const gpu::Context& context) : stream(static_cast<Stream>(context.stream)), checks_(context.check) {
        cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
        if (!checks_) return;
        if (cudaStreamIsCapturing(stream, &status) != cudaSuccess) cudaGetLastError();
        if (status == cudaStreamCaptureStatusNone) return;
        throw std::invalid_argument("cuda: a call that a graph captures can not report what is wrong with its numbers; capture it in cuda_stream(stream, check=False)");
    }
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;

    const Stream stream;

    // Zero until a kernel raises it; then `refuse` is called.
    int* flag(Refuse refuse) { return reinterpret_cast<int*>(flag(0, std::move(refuse))); }
    // The one that all kernels of a call raise where a score is not finite.
    int* not_finite() {
        if (not_finite_ == nullptr) {
            not_finite_ = flag([](unsigned) { throw std::domain_error("a score is not finite: a row or query holds NaN or infinity, or the result is too large for float32"); });
        }
        return not_finite_;
    }
    // The greatest number until kernels put the lowest row that is not allowed; then `refuse` is called with it.
    unsigned* lowest_row(Refuse refuse) { return flag(0xff, std::move(refuse)); }

    bool checks() const { return checks_; }

    // An answer is copied to the host, which therefore waits.
    void brings_home() { brings_home_ = true; }

    // The one place where the host waits for a call: with checks, or for an answer on the host.
    void end() {
        if (!checks_ && !brings_home_) return;
        const bool looks = checks_ && !flags_.empty();
        const unsigned* found = looks ? Pinned::words() : nullptr;
        if (looks) {
            check(cudaMemcpyAsync(Pinned::words(), words_[0].get(), flags_.size() * sizeof(unsigned), cudaMemcpyDeviceToHost, stream), "flags");
        }
        check(cudaStreamSynchronize(stream), "kernel");
        for (size_t i = 0; looks && i < flags_.size(); ++i) {
            if (found[i] != flags_[i].untouched) flags_[i].refuse(found[i]);
        }
    }

   private:
    struct Flag {
        unsigned untouched;
        Refuse refuse;
    };
    unsigned* flag(int byte, Refuse refuse) {
        if (words_.empty()) words_.emplace_back(MAX_FLAGS, stream);
        if (flags_.size() == MAX_FLAGS) throw std::logic_error("cuda: more flags than there is room for");
        unsigned* word = words_[0].get() + flags_.size();
        check(cudaMemsetAsync(word, byte, sizeof(unsigned), stream), "flag");  // kernels may read it
        flags_.push_back({byte * 0x01010101u, std::move(refuse)});
        return word;
    }

    bool checks_, brings_home_ = false;
    int* not_finite_ = nullptr;
    std::vector<Buffer<unsigned>> words_;
    std::vector<Flag> flags_;
};

// `count` values to read; null stays null.
template <class T>
class In {
   public:
    In(const T* data, int64_t count, Stream stream) : data_(data) {
        if (data == nullptr || on_device(data)) return;
        copy_.emplace_back(count, stream);
        data_ = copy_[0].get();
        if (count == 0) return;
        check(cudaMemcpyAsync(copy_[0].get(), data, count * sizeof(T), cudaMemcpyHostToDevice, stream), "copy in");
    }
    const T* get() const { return data_; }

   private:
    const T* data_;
    std::vector<Buffer<T>> copy_;
};

// n rows of `width` bytes, `stride` bytes apart, to others `pitch` bytes apart: one copy unless rows overlap.
inline void copy_rows(void* to, int64_t pitch, const void* from, int64_t stride, int64_t width, int64_t n, Stream stream) {
    if (n == 0 || width == 0) return;
    if (n == 1 || stride >= width) {
        check(cudaMemcpy2DAsync(to, pitch, from, std::max(stride, width), width, n, cudaMemcpyDefault, stream), "copy of rows");
        return;
    }
    for (int64_t i = 0; i < n; ++i) {
        check(cudaMemcpyAsync(static_cast<char*>(to) + i * pitch, static_cast<const char*>(from) + i * stride, width, cudaMemcpyDefault, stream),
              "copy of rows");
    }
}

// n rows of `width` bytes, `stride` bytes apart, for loads of 16 bytes: copied unless they start on such an address.
class InRows {
   public:
    InRows(const void* data, int64_t n, int64_t width, int64_t stride, Stream stream) : data_(data), stride_(stride) {
        const bool there = on_device(data);
        if (there && stride % 16 == 0 && reinterpret_cast<uintptr_t>(data) % 16 == 0) return;
        stride_ = (width + 15) / 16 * 16;
        copy_.emplace_back(n * stride_, stream);
        data_ = copy_[0].get();
        copy_rows(copy_[0].get(), stride_, data, stride, width, n, stream);
    }
    InRows(const Points& rows, Stream stream)
        : InRows(rows.data, rows.n, rows.d * int64_t{sizeof(float)}, rows.stride * int64_t{sizeof(float)}, stream) {}
    const unsigned char* get() const { return static_cast<const unsigned char*>(data_); }
    long long stride() const { return stride_; }

   private:
    const void* data_;
    int64_t stride_;
    std::vector<Buffer<unsigned char>> copy_;
};

// n rows of d floats without gaps: queries.
class InPacked {
   public:
    InPacked(const Points& rows, Stream stream) : data_(rows.data) {
        if (on_device(rows.data) && (rows.stride == rows.d || rows.n <= 1)) return;
        copy_.emplace_back(rows.n * rows.d, stream);
        data_ = copy_[0].get();
        constexpr int64_t item = sizeof(float);
        copy_rows(copy_[0].get(), rows.d * item, rows.data, rows.stride * item, rows.d * item, rows.n, stream);
    }
    const float* get() const { return data_; }

   private:
    const float* data_;
    std::vector<Buffer<float>> copy_;
};

// `count` values to write; `finish` brings them home, and they are there when the work has ended.
template <class T>
class Out {
   public:
    Out(T* data, int64_t count, Work& work) : target_(data), data_(data), count_(count), work_(work) {
        if (on_device(data)) return;
        copy_.emplace_back(count, work.stream);
        data_ = copy_[0].get();
    }
    T* get() const { return data_; }
    void finish() const {
        if (copy_.empty() || count_ == 0) return;
        check(cudaMemcpyAsync(target_, data_, count_ * sizeof(T), cudaMemcpyDeviceToHost, work_.stream), "copy out");
        work_.brings_home();
    }

   private:
    T* target_;
    T* data_;
    int64_t count_;
    Work& work_;
    std::vector<Buffer<T>> copy_;
};

inline void wait(Stream stream) { check(cudaStreamSynchronize(stream), "kernel"); }

// One value for the host, which waits for it.
template <class T>
T fetch(const T* from, Stream stream) {
    T value;
    check(cudaMemcpyAsync(&value, from, sizeof(T), cudaMemcpyDeviceToHost, stream), "copy out");
    wait(stream);
    return value;
}

// `count` values for the host to read: copied where they lie on the device; null stays null.
template <class T>
class HostIn {
   public:
    HostIn(const T* data, int64_t count, Stream stream) : data_(data) {
        if (!on_device(data)) return;
        copy_.resize(count);
        data_ = copy_.data();
        check(cudaMemcpyAsync(copy_.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost, stream), "copy to the host");
        wait(stream);
    }
    const T* get() const { return data_; }

   private:
    const T* data_;
    std::vector<T> copy_;
};

// More than the 48 KB of shared memory that a kernel has unasked, its static arrays of up to 16 KB among them.
template <class Kernel>
void allow_shared(Kernel* kernel, size_t bytes) {
    if (bytes <= 32768) return;
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)), "shared memory");
}

// The k best of each of q queries: scan(k, below, best) launches a selecting kernel with `lists` blocks a query. More
// than MAX_K are found by scanning again below the last key. scores and ids lie on the device.
template <class Scan>
void choose(int64_t q, int64_t n, int64_t k, unsigned lists, float* scores, int64_t* ids, Stream stream, Scan scan) {
    const Buffer<uint64_t> best(q * lists * std::min<int64_t>(k, device::MAX_K), stream), below(q, stream);
    for (int64_t first = 0; first < k; first += device::MAX_K) {
        const int part = static_cast<int>(std::min<int64_t>(k - first, device::MAX_K));
        const bool any = first < n;
        if (any) scan(part, first == 0 ? nullptr : below.get(), best.get());
        cg_select_merge<<<static_cast<unsigned>(q), device::BLOCK, 0, stream>>>(
            best.get(), any ? static_cast<int>(lists) : 0, part, static_cast<int>(first), static_cast<int>(k), scores,
            reinterpret_cast<long long*>(ids), below.get());
        launched("cg_select_merge");
    }
}

// grid.y counts queries.
inline void expect_queries(int64_t q) {
    if (q > 65535) throw std::invalid_argument("cuda: at most 65535 queries a call, got " + std::to_string(q));
}

// The query has to fit into shared memory beside the queues.
constexpr int64_t MAX_CUDA_DIM = 12288;
inline void expect_dim(int64_t d) {
    if (d > MAX_CUDA_DIM) throw std::invalid_argument("cuda: at most 12288 dimensions, got " + std::to_string(d));
}

}  // namespace cg::cuda
