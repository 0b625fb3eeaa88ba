// The scheduler. Nothing here is instrumented; what threads do to each other's memory is told to the sanitizers by hand.

#include "runtime.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <cuda_runtime_api.h>

#ifdef EMULATOR_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef EMULATOR_TSAN
extern "C" {
void* __tsan_create_fiber(unsigned);
void __tsan_destroy_fiber(void*);
void* __tsan_get_current_fiber();
void __tsan_switch_to_fiber(void*, unsigned);
void __tsan_acquire(void*);
void __tsan_release(void*);
void __tsan_read_range(void*, unsigned long);
void __tsan_write_range(void*, unsigned long);
void AnnotateIgnoreReadsBegin(const char*, int);
void AnnotateIgnoreReadsEnd(const char*, int);
void AnnotateIgnoreWritesBegin(const char*, int);
void AnnotateIgnoreWritesEnd(const char*, int);
}
#endif

extern "C" void emulator_switch(void** save, void* load);
asm(R"(
.text
.globl emulator_switch
.type emulator_switch, @function
emulator_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
.size emulator_switch, .-emulator_switch
)");

namespace emulator {

cudaError_t set_last_error(cudaError_t error);
size_t allowed_shared(const void* kernel);
bool asked_for_shared(const void* kernel);

namespace {

constexpr size_t STACK = 256 << 10;

Thread* current = nullptr;

// While one stands, the library functions the emulator itself calls are no accesses of the CUDA thread.
struct Unwatched {
#ifdef EMULATOR_TSAN
    Unwatched() { AnnotateIgnoreReadsBegin("", 0), AnnotateIgnoreWritesBegin("", 0); }
    ~Unwatched() { AnnotateIgnoreReadsEnd("", 0), AnnotateIgnoreWritesEnd("", 0); }
#else
    Unwatched() {}
#endif
};
void* host_stack_pointer = nullptr;
void* host_fake_stack = nullptr;
void* host_fiber = nullptr;
const void* host_stack_bottom = nullptr;
size_t host_stack_size = 0;
char start_token, end_token;  // two, or a block that ends would order the next one

struct Launch {
    dim3 grid, block;
    size_t shared, most_shared;
    Body body;
    void* closure;
};
Launch running;

std::vector<Thread*> ready;
size_t ready_head = 0;
uint64_t random_state = 0;
std::vector<void*> free_stacks;
std::vector<void*> free_fibers;
std::vector<char*> free_arenas;
std::vector<Block*> resident, ended;
bool block_ended = false;

uint64_t draw() {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

// Not memset: the sanitizers watch that one.
void fill_with_ones(void* at, size_t bytes) {
    asm volatile("rep stosb" : "+D"(at), "+c"(bytes) : "a"(0xff) : "memory");
}

void acquire(void* at) {
#ifdef EMULATOR_TSAN
    __tsan_acquire(at);
#else
    (void)at;
#endif
}
void publish(void* at) {
#ifdef EMULATOR_TSAN
    __tsan_release(at);
#else
    (void)at;
#endif
}
void poison(void* at, size_t bytes) {
#ifdef EMULATOR_ASAN
    __asan_poison_memory_region(at, bytes);
#else
    (void)at, (void)bytes;
#endif
}
void unpoison(void* at, size_t bytes) {
#ifdef EMULATOR_ASAN
    __asan_unpoison_memory_region(at, bytes);
#else
    (void)at, (void)bytes;
#endif
}

void make_ready(Thread* thread) {
    thread->state = State::ready;
    ready.push_back(thread);
}

Thread* next_ready() {
    if (ready_head == ready.size()) {
        ready.clear();
        ready_head = 0;
        return nullptr;
    }
    if (random_state != 0) {
        std::swap(ready[ready_head + draw() % (ready.size() - ready_head)], ready.back());
        Thread* thread = ready.back();
        ready.pop_back();
        return thread;
    }
    Thread* thread = ready[ready_head++];
    if (ready_head > 4096) {
        ready.erase(ready.begin(), ready.begin() + static_cast<long>(ready_head));
        ready_head = 0;
    }
    return thread;
}

// From whoever runs to `to`, or to the host where it is null. A thread that ends never comes back.
void switch_to(Thread* to, bool ends = false) {
    Thread* from = current;
    if (from == to) return;
    void** save = from ? &from->stack_pointer : &host_stack_pointer;
    void* load = to ? to->stack_pointer : host_stack_pointer;
    current = to;
#ifdef EMULATOR_ASAN
    void** fake = from ? &from->sanitizer : &host_fake_stack;
    __sanitizer_start_switch_fiber(ends ? nullptr : fake, to ? to->stack : host_stack_bottom,
                                   to ? STACK : host_stack_size);
#endif
#ifdef EMULATOR_TSAN
    __tsan_switch_to_fiber(to ? to->sanitizer : host_fiber, 1);
#endif
    (void)ends;
    emulator_switch(save, load);
#ifdef EMULATOR_ASAN
    __sanitizer_finish_switch_fiber(from ? from->sanitizer : host_fake_stack, nullptr, nullptr);
#endif
}

void wait() { switch_to(next_ready()); }

// Leaves nothing behind; who runs next.
Thread* end_thread() {
    Unwatched here;
    Thread* me = current;
    const bool awaited = std::all_of(me->groups.begin(), me->groups.end(), [](const auto& group) { return group.empty(); });
    if (!me->copies.empty() || !awaited) fail("the thread ends with a cp.async still in flight");
    me->state = State::done;
    Block* block = me->block;
    for (Thread* lane : me->warp->lanes) {
        if (lane && lane->state == State::at_collective && (lane->mask >> me->lane & 1)) {
            fail("the thread ends, but lane %u of its warp waits for it at %s:%u", lane->lane, lane->where.file_name(),
                 lane->where.line());
        }
    }
    --block->live;
    if (block->waiting > 0) {
        fail("the thread ends, but %u threads of its block wait at the barrier in %s:%u", block->waiting,
             block->barrier.file_name(), block->barrier.line());
    }
    if (block->live == 0) block_ended = true;
    free_stacks.push_back(me->stack);
#ifdef EMULATOR_TSAN
    free_fibers.push_back(me->sanitizer);
#endif
    return block_ended ? nullptr : next_ready();
}

extern "C" [[noreturn]] void emulator_fiber_main() {
#ifdef EMULATOR_ASAN
    const void* bottom;
    size_t size;
    __sanitizer_finish_switch_fiber(nullptr, &bottom, &size);
    if (host_stack_bottom == nullptr) host_stack_bottom = bottom, host_stack_size = size;
#endif
    acquire(&start_token);
    running.body(running.closure);
    publish(&end_token);
    Thread* next = end_thread();
    switch_to(next, true);
    __builtin_unreachable();
}

void* new_stack() {
    if (!free_stacks.empty()) {
        void* stack = free_stacks.back();
        free_stacks.pop_back();
        return stack;
    }
    char* pages = static_cast<char*>(
        mmap(nullptr, STACK + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    if (pages == MAP_FAILED) fail("no memory for stacks");
    mprotect(pages, 4096, PROT_NONE);
    return pages + 4096;
}

char* new_arena() {
#ifndef EMULATOR_TSAN
    if (!free_arenas.empty()) {
        char* arena = free_arenas.back();
        free_arenas.pop_back();
        return arena;
    }
#endif
    // Under TSan every block of a launch has memory of its own, or blocks would seem to race.
    return static_cast<char*>(mmap(nullptr, ARENA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
}

void start_block(uint64_t number) {
    auto* block = new Block;
    const dim3 g = running.grid, b = running.block;
    block->index = {static_cast<unsigned>(number % g.x), static_cast<unsigned>(number / g.x % g.y),
                    static_cast<unsigned>(number / g.x / g.y)};
    const unsigned threads = b.x * b.y * b.z;
    block->threads.resize(threads);
    block->warps.resize((threads + 31) / 32);
    block->live = threads;
    block->arena = new_arena();
    unpoison(block->arena, ARENA);
    block->dynamic_bytes = running.shared;
    fill_with_ones(block->arena, running.shared);
    poison(block->arena + running.shared, ARENA - running.shared);
    block->used = (running.shared + 127) / 128 * 128 + 128;
    for (unsigned t = 0; t < threads; ++t) {
        Thread& thread = block->threads[t];
        thread.index = {t % b.x, t / b.x % b.y, t / b.x / b.y};
        thread.linear = t;
        thread.lane = t % 32;
        thread.block = block;
        thread.warp = &block->warps[t / 32];
        thread.warp->number = static_cast<unsigned>(number) * block->warps.size() + t / 32;
        thread.warp->lanes[t % 32] = &thread;
        thread.stack = new_stack();
        unpoison(thread.stack, STACK);
#ifdef EMULATOR_TSAN
        if (free_fibers.empty()) {
            thread.sanitizer = __tsan_create_fiber(0);
        } else {
            thread.sanitizer = free_fibers.back();
            free_fibers.pop_back();
        }
#endif
        auto* top = reinterpret_cast<uint64_t*>(static_cast<char*>(thread.stack) + STACK) - 2;
        *top = reinterpret_cast<uint64_t>(&emulator_fiber_main);
        thread.stack_pointer = top - 6;
        make_ready(&thread);
    }
    resident.push_back(block);
    publish(&start_token);
}

// Under TSan only once the launch is over: before, the host's deletion would race with the threads.
void delete_ended() {
    for (Block* block : ended) {
#ifdef EMULATOR_TSAN
        munmap(block->arena, ARENA);
#else
        free_arenas.push_back(block->arena);
#endif
        delete block;
    }
    ended.clear();
}

void end_blocks() {
    for (size_t i = 0; i < resident.size();) {
        Block* block = resident[i];
        if (block->live > 0) {
            ++i;
            continue;
        }
        unpoison(block->arena, ARENA);
        ended.push_back(block);
#ifndef EMULATOR_TSAN
        delete_ended();
#endif
        resident.erase(resident.begin() + static_cast<long>(i));
    }
}

const char* name_of(Op op) {
    static const char* names[] = {"nothing", "shuffle", "ballot", "any", "all", "uni", "match_any", "match_all",
                                  "reduce_add", "reduce_min", "reduce_min", "reduce_max", "reduce_max", "reduce_and",
                                  "reduce_or", "reduce_xor", "syncwarp", "mma", "ldmatrix"};
    return names[static_cast<int>(op)];
}

void report_deadlock() {
    std::fprintf(stderr, "emulator: deadlock: no thread can go on\n");
    int shown = 0;
    for (Block* block : resident) {
        for (Thread& thread : block->threads) {
            if (thread.state == State::done || ++shown > 12) continue;
            const bool barrier = thread.state == State::at_barrier;
            std::fprintf(stderr, "  block (%u,%u,%u) thread (%u,%u,%u) waits at %s mask %08x in %s:%u\n", block->index.x,
                         block->index.y, block->index.z, thread.index.x, thread.index.y, thread.index.z,
                         barrier ? "the barrier" : name_of(thread.op), barrier ? 0 : thread.mask,
                         thread.where.file_name(), thread.where.line());
        }
    }
    std::fflush(nullptr);
    _exit(86);
}

}  // namespace

Settings& settings() {
    static Settings values = [] {
        Settings from;
        if (const char* seed = std::getenv("EMULATOR_SEED")) from.seed = std::strtoull(seed, nullptr, 10);
        return from;
    }();
    return values;
}

const uint3& thread_index() { return current->index; }
const uint3& block_index() { return current->block->index; }
const dim3& block_size() { return running.block; }
const dim3& grid_size() { return running.grid; }
unsigned lane_index() { return current->lane; }
Thread* self() { return current; }

void fail(const char* format, ...) {
    std::fprintf(stderr, "emulator: ");
    va_list arguments;
    va_start(arguments, format);
    std::vfprintf(stderr, format, arguments);
    va_end(arguments);
    if (current) {
        const uint3 b = current->block->index, t = current->index;
        std::fprintf(stderr, " [block (%u,%u,%u) thread (%u,%u,%u)]", b.x, b.y, b.z, t.x, t.y, t.z);
    }
    std::fprintf(stderr, "\n");
    std::fflush(nullptr);
    _exit(86);
}

void* dynamic_shared() { return current->block->arena; }

void* shared_slot(const void* key, size_t bytes, size_t align) {
    Unwatched here;
    Block* block = current->block;
    for (const Slot& slot : block->slots) {
        if (slot.key == key) return slot.data;
    }
    const size_t at = (block->used + std::max<size_t>(align, 16) - 1) / std::max<size_t>(align, 16) *
                      std::max<size_t>(align, 16);
    block->static_bytes += bytes;
    if (block->static_bytes > MOST_STATIC) fail("static shared memory of %zu bytes, at most 49152", block->static_bytes);
    if (block->static_bytes + block->dynamic_bytes > running.most_shared) {
        fail("shared memory of %zu + %zu bytes, at most %zu a block, and 49152 of a kernel that did not ask for more",
             block->static_bytes, block->dynamic_bytes, MOST_SHARED);
    }
    if (at + bytes > ARENA) fail("shared memory arena is full");
    char* data = block->arena + at;
    unpoison(data, bytes);
    fill_with_ones(data, bytes);
    // The odd gap shows vectors laid over bytes of another type.
    block->used = at + (bytes + 63) / 64 * 64 + 64;
    block->slots.push_back({key, data});
    return data;
}

namespace {

void complete_barrier(Block* block) {
    block->result = block->barrier_kind == 1   ? block->ones
                    : block->barrier_kind == 2 ? block->ones > 0
                                               : block->ones == block->waiting;
    for (Thread& thread : block->threads) {
        if (thread.state == State::at_barrier) make_ready(&thread);
    }
    block->waiting = block->ones = 0;
    ++block->generation;
}

}  // namespace

int barrier(int kind, int predicate, Where where) {
    Unwatched here;
    Thread* me = current;
    Block* block = me->block;
    me->where = where;
    if (block->live != block->threads.size()) {
        fail("barrier in %s:%u after %zu threads of the block have ended", where.file_name(), where.line(),
             block->threads.size() - block->live);
    }
    if (block->waiting == 0) {
        block->barrier = where;
        block->barrier_kind = kind;
    } else if (block->barrier.line() != where.line() || std::strcmp(block->barrier.file_name(), where.file_name()) != 0) {
        fail("barriers meet at different lines: %s:%u and %s:%u", block->barrier.file_name(), block->barrier.line(),
             where.file_name(), where.line());
    }
    void* token = block->sync + block->generation % sizeof(block->sync);
    publish(token);
    ++block->waiting;
    block->ones += predicate != 0;
    if (block->waiting == block->live) {
        complete_barrier(block);
    } else {
        me->state = State::at_barrier;
        wait();
    }
    acquire(token);
    return static_cast<int>(block->result);
}

void run_warp_ptx(Op op, Warp* warp, unsigned mask);

namespace {

void complete(Warp* warp, unsigned mask, Op op) {
    uint64_t gathered = 0;
    bool first = true;
    const auto fold = [&](auto combine) {
        for (unsigned l = 0; l < 32; ++l) {
            if (!(mask >> l & 1)) continue;
            const uint64_t value = warp->lanes[l]->value;
            gathered = first ? value : combine(gathered, value);
            first = false;
        }
    };
    const auto i32 = [](uint64_t v) { return static_cast<int32_t>(v); };
    const auto u32 = [](uint64_t v) { return static_cast<uint32_t>(v); };
    switch (op) {
        case Op::ballot: case Op::any: case Op::all: case Op::uni: {
            for (unsigned l = 0; l < 32; ++l) {
                if ((mask >> l & 1) && warp->lanes[l]->value) gathered |= uint64_t{1} << l;
            }
            if (op == Op::any) gathered = gathered != 0;
            if (op == Op::all) gathered = gathered == mask;
            if (op == Op::uni) gathered = gathered == mask || gathered == 0;
            break;
        }
        case Op::add: fold([&](uint64_t a, uint64_t b) { return uint64_t{u32(a) + u32(b)}; }); break;
        case Op::min_s: fold([&](uint64_t a, uint64_t b) { return i32(b) < i32(a) ? b : a; }); break;
        case Op::max_s: fold([&](uint64_t a, uint64_t b) { return i32(b) > i32(a) ? b : a; }); break;
        case Op::min_u: fold([&](uint64_t a, uint64_t b) { return u32(b) < u32(a) ? b : a; }); break;
        case Op::max_u: fold([&](uint64_t a, uint64_t b) { return u32(b) > u32(a) ? b : a; }); break;
        case Op::bit_and: fold([](uint64_t a, uint64_t b) { return a & b; }); break;
        case Op::bit_or: fold([](uint64_t a, uint64_t b) { return a | b; }); break;
        case Op::bit_xor: fold([](uint64_t a, uint64_t b) { return a ^ b; }); break;
        case Op::mma: case Op::ldmatrix: run_warp_ptx(op, warp, mask); break;
        default: break;
    }
    for (unsigned l = 0; l < 32; ++l) {
        if (!(mask >> l & 1)) continue;
        Thread* lane = warp->lanes[l];
        if (op == Op::shuffle) {
            if (!(mask >> lane->source & 1)) {
                fail("shuffle in %s:%u: lane %u reads lane %d, which mask %08x leaves out", lane->where.file_name(),
                     lane->where.line(), l, lane->source, mask);
            }
            lane->result = warp->lanes[lane->source]->value;
        } else if (op == Op::match_any || op == Op::match_all) {
            unsigned same = 0;
            for (unsigned o = 0; o < 32; ++o) {
                if ((mask >> o & 1) && warp->lanes[o]->value == lane->value) same |= 1u << o;
            }
            lane->result = op == Op::match_any ? same : same == mask ? mask : 0;
        } else {
            lane->result = gathered;
        }
    }
}

}  // namespace

uint64_t collective(Op op, unsigned mask, uint64_t value, int source, void* payload, Where where) {
    Unwatched here;
    Thread* me = current;
    Warp* warp = me->warp;
    me->where = where;
    if (!(mask >> me->lane & 1)) {
        fail("%s in %s:%u: lane %u calls with mask %08x, which leaves it out", name_of(op), where.file_name(),
             where.line(), me->lane, mask);
    }
    me->op = op;
    me->mask = mask;
    me->value = value;
    me->source = source;
    me->payload = payload;
    bool whole = true;
    for (unsigned l = 0; l < 32; ++l) {
        if (!(mask >> l & 1) || l == me->lane) continue;
        const Thread* lane = warp->lanes[l];
        if (lane == nullptr || lane->state == State::done) {
            fail("%s in %s:%u: mask %08x names lane %u, which is absent", name_of(op), where.file_name(), where.line(),
                 mask, l);
        }
        whole = whole && lane->state == State::at_collective && lane->op == op && lane->mask == mask;
    }
    // Only __syncwarp orders memory. A warp's generation gives each meeting an address of its own.
    if (whole) {
        complete(warp, mask, op);
        ++warp->generation;
        char* token = warp->sync + warp->generation % sizeof(warp->sync);
        if (op == Op::syncwarp) {
            for (unsigned l = 0; l < 32; ++l) {
                if (mask >> l & 1) warp->lanes[l]->generation = warp->generation;
            }
            publish(token);
        }
        for (unsigned l = 0; l < 32; ++l) {
            if ((mask >> l & 1) && l != me->lane) make_ready(warp->lanes[l]);
        }
    } else {
        if (op == Op::syncwarp) publish(&me->op);
        me->state = State::at_collective;
        wait();
    }
    if (op == Op::syncwarp) {
        // Everyone takes in what everyone published: its own field, or the token of the last to come.
        acquire(warp->sync + me->generation % sizeof(warp->sync));
        for (unsigned l = 0; l < 32; ++l) {
            if ((mask >> l & 1) && warp->lanes[l] != nullptr) acquire(&warp->lanes[l]->op);
        }
    }
    return me->result;
}

void shadow_step() {
    Unwatched here;
    Thread* me = current;
    make_ready(me);
    wait();
}

void fence() { current->fenced = true; }
void before_atomic(const void* at) {
    if (current && current->fenced) publish(const_cast<void*>(at));
}
void after_atomic(const void* at) { acquire(const_cast<void*>(at)); }

void unwatched(bool begin) {
#ifdef EMULATOR_TSAN
    if (begin) AnnotateIgnoreReadsBegin("", 0), AnnotateIgnoreWritesBegin("", 0);
    else AnnotateIgnoreReadsEnd("", 0), AnnotateIgnoreWritesEnd("", 0);
#else
    (void)begin;
#endif
}

void note_read(const void* at, size_t bytes) {
#ifdef EMULATOR_ASAN
    if (const void* bad = __asan_region_is_poisoned(const_cast<void*>(at), bytes)) fail("reads outside memory at %p", bad);
#elif defined(EMULATOR_TSAN)
    unwatched(false);  // both: TSan counts the two kinds together
    __tsan_read_range(const_cast<void*>(at), bytes);
    unwatched(true);
#else
    (void)at, (void)bytes;
#endif
}
void note_write(void* at, size_t bytes) {
#ifdef EMULATOR_ASAN
    if (const void* bad = __asan_region_is_poisoned(at, bytes)) fail("writes outside memory at %p", bad);
#elif defined(EMULATOR_TSAN)
    unwatched(false);
    __tsan_write_range(at, bytes);
    unwatched(true);
#else
    (void)at, (void)bytes;
#endif
}
void copy_for_thread(void* to, const void* from, size_t bytes) {
    note_read(from, bytes);
    note_write(to, bytes);
    asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
}

bool launch(const void* kernel, const Configuration& at, Body body, void* closure) {
    if (current) fail("a kernel cannot launch another one");
    const uint64_t threads = uint64_t{at.block.x} * at.block.y * at.block.z;
    const bool fits = threads >= 1 && threads <= MOST_THREADS && at.block.z <= 64 && at.grid.x >= 1 && at.grid.y >= 1 &&
                      at.grid.z >= 1 && at.grid.x <= 0x7fffffffu && at.grid.y <= 65535 && at.grid.z <= 65535;
    if (!fits) {
        set_last_error(cudaErrorInvalidConfiguration);
        return false;
    }
    if (at.shared > allowed_shared(kernel)) {
        set_last_error(cudaErrorInvalidValue);
        return false;
    }
    running = {at.grid, at.block, at.shared, asked_for_shared(kernel) ? MOST_SHARED : MOST_STATIC, body, closure};
    random_state = settings().seed * 0x9e3779b97f4a7c15u;
#ifdef EMULATOR_TSAN
    host_fiber = __tsan_get_current_fiber();
#endif
    const uint64_t blocks = uint64_t{at.grid.x} * at.grid.y * at.grid.z;
    uint64_t started = 0;
    const uint64_t most =
        std::max<uint64_t>(1, std::min<uint64_t>(settings().resident, 4096 / std::max<uint64_t>(threads, 1)));
    while (started < blocks || !resident.empty()) {
        while (started < blocks && resident.size() < most) start_block(started++);
        block_ended = false;
        if (Thread* thread = next_ready()) {
            switch_to(thread);
        } else if (!resident.empty()) {
            report_deadlock();
        }
        if (block_ended) end_blocks();
    }
    acquire(&end_token);
    delete_ended();
    end_of_launch_traffic();
    return true;
}

}  // namespace emulator
