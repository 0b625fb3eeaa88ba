#include "context_graph/arena.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <stdexcept>

namespace cg {
namespace {

constexpr size_t HUGE_PAGE = size_t{2} << 20;

// Where large arenas begin and end.
struct Mapped {
    std::mutex mutex;
    std::map<uintptr_t, uintptr_t> ends;
};

Mapped& mapped() {
    static auto* all = new Mapped;  // never destroyed: arrays may outlive static objects
    return *all;
}

}  // namespace

// Small arenas come from the heap at cache-line alignment. Large ones are mapped at 2 MiB alignment, so pages
// that are never written cost no memory.
Arena::Arena(size_t bytes) : bytes_(bytes) {
    if (bytes < HUGE_PAGE) {
        const size_t rounded = (bytes + 63) / 64 * 64 + 64;
        data_ = std::aligned_alloc(64, rounded);
        if (data_ == nullptr) throw std::bad_alloc();
        std::memset(data_, 0, rounded);
        return;
    }
    const size_t rounded = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    void* found = mmap(nullptr, rounded + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (found == MAP_FAILED) throw std::bad_alloc();
    const auto start = reinterpret_cast<uintptr_t>(found);
    const uintptr_t aligned = (start + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    if (aligned > start) munmap(found, aligned - start);
    const size_t tail = start + rounded + HUGE_PAGE - (aligned + rounded);
    if (tail > 0) munmap(reinterpret_cast<void*>(aligned + rounded), tail);
    data_ = reinterpret_cast<void*>(aligned);
    mapped_ = rounded;
#ifdef MADV_HUGEPAGE
    madvise(data_, mapped_, MADV_HUGEPAGE);  // refused on some systems: then ordinary pages
#endif
    const std::lock_guard lock(mapped().mutex);
    mapped().ends[aligned] = aligned + mapped_;
}

Arena::~Arena() {
    if (mapped_ > 0) {
        const std::lock_guard lock(mapped().mutex);
        mapped().ends.erase(reinterpret_cast<uintptr_t>(data_));
        munmap(data_, mapped_);
    } else {
        std::free(data_);
    }
}

bool Arena::map_file(int file, int64_t offset, void* over, size_t bytes) {
    const auto begin = reinterpret_cast<uintptr_t>(over);
    const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
    if (bytes == 0 || begin % page != 0 || bytes % page != 0 || offset < 0 || static_cast<uintptr_t>(offset) % page != 0) {
        return false;
    }
    const std::lock_guard lock(mapped().mutex);
    auto found = mapped().ends.upper_bound(begin);
    if (found == mapped().ends.begin() || begin + bytes > (--found)->second) return false;
    // Readable first: pages are then shared with the file's until they are written to. Populated while writable, each
    // would be copied at once.
    void* there = mmap(over, bytes, PROT_READ, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE | MAP_POPULATE, file, offset);
    if (there != MAP_FAILED && mprotect(over, bytes, PROT_READ | PROT_WRITE) == 0) return true;
    // What stood there may be gone: empty pages take its place, as if nothing had been laid.
    there = mmap(over, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (there == MAP_FAILED) throw std::bad_alloc();
    return false;
}

FileView::FileView(int file) {
    struct stat found {};
    if (fstat(file, &found) != 0 || found.st_size == 0) throw std::invalid_argument("the file is empty or cannot be read");
    void* there = mmap(nullptr, static_cast<size_t>(found.st_size), PROT_READ, MAP_SHARED, file, 0);
    if (there == MAP_FAILED) throw std::invalid_argument("the file cannot be mapped");
    data_ = there;
    bytes_ = static_cast<size_t>(found.st_size);
}

FileView::~FileView() { munmap(data_, bytes_); }

Checksum checksum_of(const uint8_t* bytes, size_t n) {
    const auto word = [&](size_t at, size_t length) {
        uint64_t value = 0;
        std::memcpy(&value, bytes + at, length);
        return value;
    };
    constexpr size_t LANES = 8;
    uint64_t sum[LANES] = {}, weighted_sum[LANES] = {};
    const size_t rows = n / (8 * LANES);
    for (size_t row = 0; row < rows; ++row) {
        for (size_t lane = 0; lane < LANES; ++lane) {
            sum[lane] += word((row * LANES + lane) * 8, 8);
            weighted_sum[lane] += sum[lane];  // a word is added once for each row from its own on: rows - row times
        }
    }
    Checksum out;
    for (size_t lane = 0; lane < LANES; ++lane) {
        // word times place, where place = 8 row + lane + 1 and row = rows - times
        out.sum += sum[lane];
        out.weighted_sum += (LANES * rows + lane + 1) * sum[lane] - LANES * weighted_sum[lane];
    }
    for (size_t at = rows * LANES * 8; at < n; at += 8) {
        const uint64_t value = word(at, n - at < 8 ? n - at : 8);
        out.sum += value;
        out.weighted_sum += (at / 8 + 1) * value;
    }
    return out;
}

}  // namespace cg
