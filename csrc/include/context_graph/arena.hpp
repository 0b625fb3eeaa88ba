#pragma once
// Memory for resident arrays: zeroed, on huge pages where the system grants them (about 1.3x the read bandwidth).

#include <cstddef>
#include <cstdint>

namespace cg {

class Arena {
   public:
    explicit Arena(size_t bytes);
    ~Arena();
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    void* data() const { return data_; }
    size_t bytes() const { return bytes_; }

    // Lays a part of a file over a part of an arena, read when it is looked at and never written back: what stands there
    // from now on is the file's, and whoever writes to it writes to memory of his own. False, and nothing done, where the
    // part is not of whole pages of one large arena, or the system refuses.
    static bool map_file(int file, int64_t offset, void* over, size_t bytes);

   private:
    void* data_ = nullptr;
    size_t bytes_ = 0, mapped_ = 0;
};

// A whole file as it lies, to be read; it may be closed and deleted meanwhile, but not changed. Throws
// std::invalid_argument where the file is empty or cannot be mapped.
class FileView {
   public:
    explicit FileView(int file);
    ~FileView();
    FileView(const FileView&) = delete;
    FileView& operator=(const FileView&) = delete;

    const void* data() const { return data_; }
    size_t bytes() const { return bytes_; }

   private:
    void* data_ = nullptr;
    size_t bytes_ = 0;
};

// Two sums of 64-bit words modulo 2^64, the second of the words times their places from 1 on: together they change with
// every bit, and with the order. The bytes after the last whole word count as one word with zeros at its end.
struct Checksum {
    uint64_t sum = 0, weighted_sum = 0;
};
Checksum checksum_of(const uint8_t* bytes, size_t n);

}  // namespace cg
