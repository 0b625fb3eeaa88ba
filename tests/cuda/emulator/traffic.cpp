// Bytes that threads load from and store to device memory. The traffic build is compiled with the hooks the thread
// sanitizer puts before every access, and they end here instead. Accesses that a warp makes at one place for the same
// time are one instruction, and the 32-byte sectors it touches are what memory has to move.

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <vector>

#include "runtime.hpp"

namespace emulator {
namespace {

Traffic counted;

#ifdef EMULATOR_TRAFFIC
struct Key {
    uint64_t warp, place, ordinal;
    bool operator==(const Key&) const = default;
};
struct Hash {
    size_t operator()(const Key& key) const {
        return (key.warp * 0x9e3779b97f4a7c15u ^ key.place) * 0xbf58476d1ce4e5b9u + key.ordinal * 0x94d049bb133111ebu;
    }
};
using Sectors = std::unordered_map<Key, std::vector<uintptr_t>, Hash>;
Sectors loads, stores;

void access(const void* at, size_t bytes, bool store, const void* place) {
    Thread* me = self();
    if (me == nullptr) return;
    const auto address = reinterpret_cast<uintptr_t>(at);
    const auto stack = reinterpret_cast<uintptr_t>(me->stack);
    if (address - stack < (256u << 10) || allocation_of(at) == nullptr) return;
    (store ? counted.stored : counted.loaded) += bytes;
    auto& sectors = (store ? stores : loads)[{me->warp->number, reinterpret_cast<uintptr_t>(place), me->ordinals[place]++}];
    for (uintptr_t sector = address / 32; sector <= (address + bytes - 1) / 32; ++sector) {
        if (std::find(sectors.begin(), sectors.end(), sector) == sectors.end()) sectors.push_back(sector);
    }
}
#endif

}  // namespace

const Traffic& traffic() { return counted; }

#ifdef EMULATOR_TRAFFIC
bool counting() { return true; }
void note_global_read(const void* at, size_t bytes) { access(at, bytes, false, "cp.async"); }
void note_access(const void* at, size_t bytes, bool store, Where where) {
    access(at, bytes, store, where.file_name() + where.line());
}
void end_of_launch_traffic() {
    for (const auto& [key, sectors] : loads) counted.load_sectors += sectors.size();
    for (const auto& [key, sectors] : stores) counted.store_sectors += sectors.size();
    loads.clear();
    stores.clear();
}
#else
bool counting() { return false; }
void note_global_read(const void*, size_t) {}
void note_access(const void*, size_t, bool, Where) {}
void end_of_launch_traffic() {}
#endif

}  // namespace emulator

#ifdef EMULATOR_TRAFFIC
using emulator::access;
extern "C" {
#define EMULATOR_HOOK(n)                                                                                       \
    void __tsan_read##n(void* at) { access(at, n, false, __builtin_return_address(0)); }                        \
    void __tsan_write##n(void* at) { access(at, n, true, __builtin_return_address(0)); }                        \
    void __tsan_unaligned_read##n(void* at) { access(at, n, false, __builtin_return_address(0)); }              \
    void __tsan_unaligned_write##n(void* at) { access(at, n, true, __builtin_return_address(0)); }              \
    void __tsan_volatile_read##n(void* at) { access(at, n, false, __builtin_return_address(0)); }               \
    void __tsan_volatile_write##n(void* at) { access(at, n, true, __builtin_return_address(0)); }
EMULATOR_HOOK(1)
EMULATOR_HOOK(2)
EMULATOR_HOOK(4)
EMULATOR_HOOK(8)
EMULATOR_HOOK(16)
void __tsan_read_range(void* at, unsigned long bytes) { access(at, bytes, false, __builtin_return_address(0)); }
void __tsan_write_range(void* at, unsigned long bytes) { access(at, bytes, true, __builtin_return_address(0)); }
void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}
#define EMULATOR_ATOMIC(bits, T)                                                                       \
    T __tsan_atomic##bits##_load(const volatile T* at, int) {                                          \
        access(const_cast<const T*>(at), sizeof(T), false, __builtin_return_address(0));               \
        return *at;                                                                                    \
    }                                                                                                  \
    bool __tsan_atomic##bits##_compare_exchange_strong(volatile T* at, T* was, T now, int, int) {      \
        if (*at == *was) {                                                                             \
            access(const_cast<const T*>(at), sizeof(T), true, __builtin_return_address(0));            \
            *at = now;                                                                                 \
            return true;                                                                               \
        }                                                                                              \
        *was = *at;                                                                                    \
        return false;                                                                                  \
    }
EMULATOR_ATOMIC(32, uint32_t)
EMULATOR_ATOMIC(64, uint64_t)
char __tsan_atomic8_load(const volatile char* at, int) { return *at; }
}
#endif
