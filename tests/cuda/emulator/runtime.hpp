#pragma once
// CUDA threads as fibers of one OS thread: who runs, who waits, and what a block and a warp share.

#include <cstddef>
#include <cstdint>
#include <map>
#include <source_location>
#include <string>
#include <vector>

#include <vector_types.h>

namespace emulator {

using Where = std::source_location;

// Limits of sm_120.
constexpr unsigned MOST_THREADS = 1024;
constexpr size_t MOST_SHARED = 101376, MOST_STATIC = 49152, ARENA = 256 << 10;

enum class Op { none, shuffle, ballot, any, all, uni, match_any, match_all, add, min_s, min_u, max_s, max_u, bit_and,
                bit_or, bit_xor, syncwarp, mma, ldmatrix };
enum class State { ready, at_collective, at_barrier, done };

struct Copy { void* to; uint64_t from; size_t bytes, taken; };

struct Warp;
struct Block;

struct Thread {
    void* stack_pointer = nullptr;
    void* stack = nullptr;
    void* sanitizer = nullptr;  // ASan's fake stack, TSan's fiber
    uint3 index{};
    Block* block = nullptr;
    Warp* warp = nullptr;
    unsigned lane = 0, linear = 0;
    State state = State::ready;
    // What it brings to a collective, and what it takes home.
    Op op = Op::none;
    unsigned mask = 0;
    int source = 0;
    uint64_t value = 0, result = 0;
    void* payload = nullptr;
    Where where{};
    unsigned generation = 0;
    bool fenced = false;
    std::vector<Copy> copies;                // cp.async since the last commit
    std::vector<std::vector<Copy>> groups;  // committed, oldest first
    std::map<const void*, uint32_t> ordinals;
};

struct Warp {
    Thread* lanes[32] = {};
    unsigned number = 0, generation = 0;
    char sync[256];  // one address a generation, for TSan
};

struct Slot { const void* key; void* data; };

struct Block {
    uint3 index{};
    std::vector<Thread> threads;
    std::vector<Warp> warps;
    unsigned live = 0, waiting = 0, sum = 0, ones = 0, generation = 0, result = 0;
    int barrier_kind = 0;
    Where barrier{};
    char* arena = nullptr;
    size_t used = 0, static_bytes = 0, dynamic_bytes = 0;
    std::vector<Slot> slots;
    char sync[1024];
};

[[gnu::const]] const uint3& thread_index();
[[gnu::const]] const uint3& block_index();
[[gnu::const]] const dim3& block_size();
[[gnu::const]] const dim3& grid_size();
[[gnu::const]] unsigned lane_index();
Thread* self();  // null on the host

void* shared_slot(const void* key, size_t bytes, size_t align);
void* dynamic_shared();

// kind: 0 plain, 1 count, 2 or, 3 and.
int barrier(int kind, int predicate, Where where);
uint64_t collective(Op op, unsigned mask, uint64_t value, int source, void* payload, Where where);
void shadow_step();  // lets others run: spinning threads see each other's writes
void fence();
void before_atomic(const void* at);
void after_atomic(const void* at);

[[noreturn, gnu::format(printf, 1, 2)]] void fail(const char* format, ...);

struct Configuration {
    dim3 grid, block;
    size_t shared;
    void* stream;
    Configuration(dim3 grid_, dim3 block_, size_t shared_ = 0, void* stream_ = nullptr)
        : grid(grid_), block(block_), shared(shared_), stream(stream_) {}
};

using Body = void (*)(void* closure);
// False, with cudaGetLastError set, where the device would refuse it.
bool launch(const void* kernel, const Configuration& configuration, Body body, void* closure);
void check_pointer(const void* pointer, int argument);

// Device memory.
struct Allocation { char* data; size_t bytes; };
const Allocation* allocation_of(const void* at);
void* allocate(size_t bytes);
bool release(void* data);
size_t allocations();

// Around what the emulator does for itself; inside, note_read and note_write are what it does for a thread.
void unwatched(bool begin);
void note_read(const void* at, size_t bytes);
void note_write(void* at, size_t bytes);
void copy_for_thread(void* to, const void* from, size_t bytes);

struct Settings {
    uint64_t seed = 0;  // 0: in sequence
    int resident = 4;   // blocks at a time
    int processors = 2;
};
Settings& settings();

// An operand of inline PTX: where its value goes back to, or null for an input.
struct Operand {
    const char* constraint;
    void* target;
    size_t size;
    uint64_t bits;
};
void run_ptx(const char* text, Operand* operands, int count, Where where);
uint32_t shared_address(const void* at);
void note_global_read(const void* at, size_t bytes);
void note_access(const void* at, size_t bytes, bool store, Where where);

struct Traffic { uint64_t loaded = 0, stored = 0, load_sectors = 0, store_sectors = 0; };
const Traffic& traffic();
[[gnu::const]] bool counting();  // whether this program counts them
void end_of_launch_traffic();

}  // namespace emulator
