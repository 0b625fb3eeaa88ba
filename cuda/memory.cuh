#pragma once
// Arrays for kernels, wherever they lie: device pointers are used as they are, host arrays are copied over and back.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../csrc/include/context_graph/points.hpp"
#include "select.cuh"

namespace cg::cuda {

using Stream = cudaStream_t;

inline void check(cudaError_t status, const char* what) {
    if (status == cudaSuccess) return;
    cudaGetLastError();  // or the next call would report it again
    throw std::runtime_error(std::string("cuda: ") + what + ": " + cudaGetErrorString(status));
}

// After a launch.
inline void launched(const char* kernel) { check(cudaGetLastError(), kernel); }

inline bool on_device(const void* data) {
    cudaPointerAttributes attributes{};
    if (data == nullptr || cudaPointerGetAttributes(&attributes, data) != cudaSuccess) {
        cudaGetLastError();
        return false;
    }
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

// Device memory that frees itself.
template <class T>
class Buffer {
   public:
    explicit Buffer(int64_t count) {
        check(cudaMalloc(reinterpret_cast<void**>(&data_), std::max<size_t>(count * sizeof(T), 16)), "allocation");
    }
    ~Buffer() { cudaFree(data_); }
    Buffer(Buffer&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    T* get() const { return data_; }

   private:
    T* data_ = nullptr;
};

// `count` values to read; null stays null.
template <class T>
class In {
   public:
    In(const T* data, int64_t count, Stream stream) : data_(data) {
        if (data == nullptr || on_device(data)) return;
        copy_.emplace_back(count);
        data_ = copy_[0].get();
        if (count == 0) return;
        check(cudaMemcpyAsync(copy_[0].get(), data, count * sizeof(T), cudaMemcpyHostToDevice, stream), "copy in");
    }
    const T* get() const { return data_; }

   private:
    const T* data_;
    std::vector<Buffer<T>> copy_;
};

// n rows of `width` bytes, `stride` bytes apart, for loads of 16 bytes: copied unless they start on such an address.
class InRows {
   public:
    InRows(const void* data, int64_t n, int64_t width, int64_t stride, Stream stream) : data_(data), stride_(stride) {
        const bool there = on_device(data);
        if (there && stride % 16 == 0 && reinterpret_cast<uintptr_t>(data) % 16 == 0) return;
        stride_ = (width + 15) / 16 * 16;
        copy_.emplace_back(n * stride_);
        data_ = copy_[0].get();
        const auto kind = there ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice;
        const auto* from = static_cast<const unsigned char*>(data);
        if (n == 0 || width == 0) return;
        if (n == 1 || stride >= width) {
            check(cudaMemcpy2DAsync(copy_[0].get(), stride_, from, std::max(stride, width), width, n, kind, stream), "copy of rows");
            return;
        }
        for (int64_t i = 0; i < n; ++i) {  // rows that overlap
            check(cudaMemcpyAsync(copy_[0].get() + i * stride_, from + i * stride, width, kind, stream), "copy of rows");
        }
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
        const bool there = on_device(rows.data);
        if (there && (rows.stride == rows.d || rows.n <= 1)) return;
        copy_.emplace_back(rows.n * rows.d);
        data_ = copy_[0].get();
        if (rows.d == 0) return;
        for (int64_t i = 0; i < rows.n; ++i) {
            check(cudaMemcpyAsync(copy_[0].get() + i * rows.d, rows.row(i), rows.d * sizeof(float),
                                  there ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice, stream),
                  "copy of queries");
        }
    }
    const float* get() const { return data_; }

   private:
    const float* data_;
    std::vector<Buffer<float>> copy_;
};

// `count` values to write; `finish` brings them home, and they are there after the stream is waited for.
template <class T>
class Out {
   public:
    Out(T* data, int64_t count, Stream stream) : target_(data), data_(data), count_(count), stream_(stream) {
        if (on_device(data)) return;
        copy_.emplace_back(count);
        data_ = copy_[0].get();
    }
    T* get() const { return data_; }
    void finish() const {
        if (copy_.empty() || count_ == 0) return;
        check(cudaMemcpyAsync(target_, data_, count_ * sizeof(T), cudaMemcpyDeviceToHost, stream_), "copy out");
    }

   private:
    T* target_;
    T* data_;
    int64_t count_;
    Stream stream_;
    std::vector<Buffer<T>> copy_;
};

inline void wait(Stream stream) { check(cudaStreamSynchronize(stream), "kernel"); }

// `count` values for the host to read: copied where they lie on the device; null stays null.
template <class T>
class HostIn {
   public:
    HostIn(const T* data, int64_t count) : data_(data) {
        if (!on_device(data)) return;
        copy_.resize(count);
        data_ = copy_.data();
        check(cudaMemcpy(copy_.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost), "copy to the host");
    }
    const T* get() const { return data_; }

   private:
    const T* data_;
    std::vector<T> copy_;
};

// `count` values for the host to write; `finish` takes them where they belong.
template <class T>
class HostOut {
   public:
    HostOut(T* data, int64_t count) : target_(data), data_(data), count_(count) {
        if (!on_device(data)) return;
        copy_ = std::make_unique<T[]>(count);
        data_ = copy_.get();
    }
    T* get() const { return data_; }
    void finish() const {
        if (copy_) check(cudaMemcpy(target_, copy_.get(), count_ * sizeof(T), cudaMemcpyHostToDevice), "copy out");
    }

   private:
    T *target_, *data_;
    int64_t count_;
    std::unique_ptr<T[]> copy_;
};

// An int on the device that kernels set and the host reads.
class Flag {
   public:
    explicit Flag(Stream stream, int value = 0) : flag_(1), stream_(stream) {
        check(cudaMemcpyAsync(flag_.get(), &value, sizeof(int), cudaMemcpyHostToDevice, stream), "flag");
        wait(stream);  // `value` leaves
    }
    int* get() const { return flag_.get(); }
    int read() const {
        int value = 0;
        check(cudaMemcpyAsync(&value, flag_.get(), sizeof(int), cudaMemcpyDeviceToHost, stream_), "flag");
        wait(stream_);
        return value;
    }

   private:
    Buffer<int> flag_;
    Stream stream_;
};

inline void require_finite(const Flag& flag) {
    if (flag.read()) throw std::domain_error("a score is not finite: a row or query holds NaN or infinity");
}

// More than the 48 KB of shared memory that a kernel has unasked.
template <class Kernel>
void allow_shared(Kernel* kernel, size_t bytes) {
    if (bytes <= 49152) return;
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)), "shared memory");
}

// The k best of each of q queries: scan(k, below, best) launches a selecting kernel with `lists` blocks a query. More
// than MAX_K are found by scanning again below the last key. scores and ids lie on the device.
template <class Scan>
void choose(int64_t q, int64_t n, int64_t k, unsigned lists, float* scores, int64_t* ids, Stream stream, Scan scan) {
    const Buffer<uint64_t> best(q * lists * std::min<int64_t>(k, device::MAX_K)), below(q);
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
