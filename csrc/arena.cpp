#include "context_graph/arena.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

namespace cg {
namespace {
constexpr size_t HUGE_PAGE = size_t{2} << 20;
}

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
    void* mapped = mmap(nullptr, rounded + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) throw std::bad_alloc();
    const auto start = reinterpret_cast<uintptr_t>(mapped);
    const uintptr_t aligned = (start + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    if (aligned > start) munmap(mapped, aligned - start);
    const size_t tail = start + rounded + HUGE_PAGE - (aligned + rounded);
    if (tail > 0) munmap(reinterpret_cast<void*>(aligned + rounded), tail);
    data_ = reinterpret_cast<void*>(aligned);
    mapped_ = rounded;
#ifdef MADV_HUGEPAGE
    madvise(data_, mapped_, MADV_HUGEPAGE);  // refused on some systems: then ordinary pages
#endif
}

Arena::~Arena() {
    if (mapped_ > 0) {
        munmap(data_, mapped_);
    } else {
        std::free(data_);
    }
}

}  // namespace cg
