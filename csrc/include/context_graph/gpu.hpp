#pragma once
// How a CUDA device is used, its memory, and the choice among scores there, for code that knows no CUDA. Without a build for
// CUDA every function but `devices` and those of Context throws std::runtime_error.

#include <cstddef>
#include <cstdint>
#include <memory>

namespace cg::gpu {

int devices();  // that the driver lists; 0 without a driver, and without a build for CUDA

// How a call uses the device. By default as `use_context` said last in this thread, and before as Context(nullptr).
struct Context {
    Context();
    Context(void* given_stream, bool with_checks = true) : stream(given_stream), check(with_checks) {}

    void* stream;  // a cudaStream_t of the device in use; null: the legacy default stream
    // Whether a call waits for its work once, at its end, and throws what kernels found wrong: NaN, points outside the ball,
    // ids out of range. Else it returns before its work is done, unless an answer lies on the host, and nothing is reported:
    // what is computed of such numbers has no meaning, but nothing else is read or written.
    bool check;
};
Context use_context(const Context& context);  // for this thread; the one before

// Memory from a pool of the device in use, which keeps what it has for the next call. It is taken and goes back in the
// order of the current stream; once another stream may read it (`lend`), when the device is done with all its work. What is
// allocated while the stream is captured lives as long as the graph and its copies.
class Memory {
   public:
    explicit Memory(size_t bytes);

    char* data() const { return block_->data; }
    int device() const { return block_->device; }
    void* stream() const { return block_->stream; }
    void lend() const { block_->lent = true; }

   private:
    struct Block {
        char* data = nullptr;
        int device = 0;
        void* stream = nullptr;
        bool lent = false, captured = false;
        ~Block();
    };
    std::shared_ptr<Block> block_;
};

// n rows of `width` bytes, `stride` bytes apart, side by side on the same device. In the order of the current stream, as
// `upload`, which is done with the host's memory when it returns.
void pack(void* to, const void* from, int64_t n, int64_t width, int64_t stride);
void upload(void* to, const void* from, size_t bytes);
void download(void* to, const void* from, size_t bytes);  // after what the current stream was given; waits

// Node numbers on the device as 32 bits, in the order of the current stream; what does not fit becomes 2^32 - 1.
void narrow(const int64_t* nodes, int64_t n, uint32_t* out);

// What `stream` is given from here on begins after all that `before` was given. The host does not wait.
void order(void* before, void* stream);

int device_of(const void* data);  // the number of the device whose memory this is
int use(int device);              // for this thread; the device before
int in_use();                     // of this thread

// The k best of n scores, on the device in use; every pointer may lie on the host or on the device. mask: n bytes, 0 hides a
// score, as -inf is hidden; may be null. Ties go to the lowest id; padded with -inf and -1.
void best(const float* scores, int64_t n, int64_t k, const uint8_t* mask, float* found, int64_t* ids);

}  // namespace cg::gpu
