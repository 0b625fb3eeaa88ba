#pragma once
// The memory of an index on a CUDA device. Without a build for CUDA every function throws std::runtime_error.

#include <cstdint>
#include <memory>

namespace cg::gpu {

// Rows of `width` bytes, `stride` bytes apart, on the device that was in use when it was made, growing by doubling. What is
// written comes from the host or the device, and is copied once; growing copies within the device. A block that was handed
// out stays for as long as somebody holds it, so that a search in another thread reads on while rows are added.
class Column {
 public:
    Column(int64_t width, int64_t stride);

    int device() const { return device_; }
    int64_t width() const { return width_; }
    int64_t stride() const { return stride_; }
    int64_t room() const { return room_; }
    const std::shared_ptr<char>& block() const { return block_; }  // null while there is no room

    // Room for `rows` in all: the first `used` stay.
    void reserve(int64_t rows, int64_t used);
    // n rows, `stride` bytes apart, from row `first` on; there is room.
    void write(int64_t first, const void* rows, int64_t n, int64_t stride);
    // The rows that ids (on the host) name, stride() apart, to memory of the device. stride() % 16 == 0.
    void gather(const int64_t* ids, int64_t n, void* out) const;
    // The same without gaps to the host.
    void fetch(const int64_t* ids, int64_t n, void* out) const;

 private:
    int device_;
    int64_t width_, stride_, room_ = 0;
    std::shared_ptr<char> block_;
};

}  // namespace cg::gpu
