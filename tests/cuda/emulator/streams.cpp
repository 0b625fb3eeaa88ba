// Streams run at once unless they are captured. A capture refuses what a device's does: waiting, the legacy stream,
// cudaMalloc outside the relaxed mode, copies of memory that is not pinned, freeing what the graph did not allocate.

#include "streams.hpp"

#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "runtime.hpp"

namespace emulator {
namespace {

std::map<const char*, size_t>& graph_ranges() {
    static auto* all = new std::map<const char*, size_t>;
    return *all;
}
struct GraphMemory {
    char* data;
    GraphMemory(char* at, size_t bytes) : data(at) { graph_ranges()[at] = bytes; }
    ~GraphMemory() {
        graph_ranges().erase(data);
        release(data);
    }
};
struct Held {
    void* payload;
    cudaHostFn_t destroy;
    ~Held() { destroy(payload); }
};
struct Graph {
    std::vector<std::function<void()>> steps;
    std::map<void*, std::shared_ptr<GraphMemory>> memory;
    std::vector<std::shared_ptr<Held>> held;
};
struct Stream {
    Graph* graph = nullptr;
    bool broken = false;
};
struct Event {
    Graph* graph = nullptr;
};

Stream legacy, per_thread;
std::set<Stream*>& capturing() {
    static auto* all = new std::set<Stream*>;
    return *all;
}
cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
std::set<uintptr_t>& pinned_memory() {
    static auto* all = new std::set<uintptr_t>;
    return *all;
}

Stream* stream_of(cudaStream_t handle) {
    if (handle == nullptr || handle == cudaStreamLegacy) return &legacy;
    return handle == cudaStreamPerThread ? &per_thread : reinterpret_cast<Stream*>(handle);
}
size_t counts[COUNTED];

}  // namespace

size_t& counted(Counted what) { return counts[what]; }
void*& launched_on() {
    static void* stream = nullptr;
    return stream;
}

cudaError_t break_capture(cudaError_t why) {
    for (Stream* stream : capturing()) stream->broken = true;
    return set_last_error(why);
}

cudaError_t beside_capture(bool waits) {
    if (capturing().empty() || (!waits && mode == cudaStreamCaptureModeRelaxed)) return cudaSuccess;
    return break_capture(cudaErrorStreamCaptureUnsupported);
}

bool captured(cudaStream_t handle) { return stream_of(handle)->graph != nullptr; }

cudaError_t enqueue(cudaStream_t handle, std::function<void()> operation) {
    Stream* stream = stream_of(handle);
    if (stream->graph != nullptr) {
        if (stream->broken) return set_last_error(cudaErrorStreamCaptureInvalidated);
        stream->graph->steps.push_back(std::move(operation));
        return cudaSuccess;
    }
    if (stream == &legacy && !capturing().empty()) return break_capture(cudaErrorStreamCaptureImplicit);
    operation();
    return cudaSuccess;
}

void* captured_memory(cudaStream_t handle, size_t bytes) {
    Graph* graph = stream_of(handle)->graph;
    if (graph == nullptr) return nullptr;
    std::shared_ptr<GraphMemory> memory(new GraphMemory(static_cast<char*>(allocate(bytes)), bytes));
    graph->memory[memory->data] = memory;
    graph->steps.push_back([data = memory->data, bytes] { std::memset(data, 0xff, bytes); });
    return memory->data;
}

cudaError_t free_in_capture(cudaStream_t handle, void* data) {
    Graph* graph = stream_of(handle)->graph;
    const auto found = graph->memory.find(data);
    if (found == graph->memory.end()) return break_capture(cudaErrorInvalidValue);
    const size_t bytes = allocation_of(data)->bytes;
    graph->steps.push_back([data, bytes] { std::memset(data, 0xff, bytes); });
    return cudaSuccess;
}

bool of_a_graph(const void* at) {
    auto after = graph_ranges().upper_bound(static_cast<const char*>(at));
    if (after == graph_ranges().begin()) return false;
    --after;
    return static_cast<const char*>(at) < after->first + after->second;
}

bool pinned(const void* at) { return pinned_memory().count(reinterpret_cast<uintptr_t>(at)) != 0; }

}  // namespace emulator

using namespace emulator;

extern "C" {

#define SEEN __attribute__((visibility("default"), used))

// For tests of the whole module.
SEEN size_t emulator_counted(int what) { return counted(static_cast<Counted>(what)); }
SEEN void* emulator_launched_on() { return launched_on(); }
SEEN void* emulator_stream() {
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    return stream;
}
SEEN int emulator_begin(void* stream) { return cudaStreamBeginCapture(static_cast<cudaStream_t>(stream), cudaStreamCaptureModeGlobal); }
// The executable graph, or null where the capture was broken.
SEEN void* emulator_end(void* stream) {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t made = nullptr;
    if (cudaStreamEndCapture(static_cast<cudaStream_t>(stream), &graph) == cudaSuccess) cudaGraphInstantiate(&made, graph, 0);
    if (graph != nullptr) cudaGraphDestroy(graph);
    cudaGetLastError();
    return made;
}
SEEN int emulator_replay(void* graph, void* stream) {
    return cudaGraphLaunch(static_cast<cudaGraphExec_t>(graph), static_cast<cudaStream_t>(stream));
}
SEEN void emulator_forget(void* graph) { cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(graph)); }
SEEN size_t emulator_allocations() { return allocations(); }

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
    *stream = reinterpret_cast<cudaStream_t>(new Stream);
    return cudaSuccess;
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithFlags(stream, 0); }
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    capturing().erase(stream_of(stream));
    delete reinterpret_cast<Stream*>(stream);
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    ++counted(WAITS);
    if (captured(stream) || stream_of(stream) == &legacy) {
        if (const auto refused = beside_capture(true)) return refused;
    }
    land();
    return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() {
    ++counted(WAITS);
    if (const auto refused = beside_capture(true)) return refused;
    land();
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
    *event = reinterpret_cast<cudaEvent_t>(new Event);
    return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, 0); }
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    reinterpret_cast<Event*>(event)->graph = stream_of(stream)->graph;
    return enqueue(stream, [] {});
}
cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event, unsigned) {
    ++counted(ORDERS);
    Stream* stream = stream_of(handle);
    Graph* graph = reinterpret_cast<Event*>(event)->graph;
    if (graph == stream->graph) return cudaSuccess;
    if (graph == nullptr || stream->graph != nullptr) return break_capture(cudaErrorStreamCaptureIsolation);
    stream->graph = graph;  // it joins the capture
    capturing().insert(stream);
    return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t) {
    ++counted(WAITS);
    if (const auto refused = beside_capture(true)) return refused;
    land();
    return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    delete reinterpret_cast<Event*>(event);
    return cudaSuccess;
}

cudaError_t cudaHostAlloc(void** data, size_t bytes, unsigned) {
    ++counted(ALLOCATIONS);
    if (const auto refused = beside_capture(false)) return refused;
    *data = std::malloc(bytes);
    pinned_memory().insert(reinterpret_cast<uintptr_t>(*data));
    return cudaSuccess;
}
cudaError_t cudaMallocHost(void** data, size_t bytes) { return cudaHostAlloc(data, bytes, 0); }
cudaError_t cudaFreeHost(void* data) {
    pinned_memory().erase(reinterpret_cast<uintptr_t>(data));
    std::free(data);
    return cudaSuccess;
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* next) {
    std::swap(mode, *next);
    return cudaSuccess;
}
cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode) {
    Stream* stream = stream_of(handle);
    if (stream == &legacy || stream->graph != nullptr) return set_last_error(cudaErrorStreamCaptureUnsupported);
    stream->graph = new Graph;
    stream->broken = false;
    capturing().insert(stream);
    return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* graph) {
    Stream* ending = stream_of(handle);
    Graph* own = ending->graph;
    if (own == nullptr) return set_last_error(cudaErrorIllegalState);
    const bool broken = ending->broken;
    for (auto each = capturing().begin(); each != capturing().end();) {
        Stream* stream = *each;
        if (stream->graph != own) {
            ++each;
            continue;
        }
        *stream = {};
        each = capturing().erase(each);
    }
    if (broken) {
        delete own;
        *graph = nullptr;
        return set_last_error(cudaErrorStreamCaptureInvalidated);
    }
    *graph = reinterpret_cast<cudaGraph_t>(own);
    return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
    const Stream* stream = stream_of(handle);
    *status = stream->graph == nullptr ? cudaStreamCaptureStatusNone
              : stream->broken         ? cudaStreamCaptureStatusInvalidated
                                       : cudaStreamCaptureStatusActive;
    return cudaSuccess;
}
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, cudaStreamCaptureStatus* status, unsigned long long*, cudaGraph_t* graph,
                                     const cudaGraphNode_t**, const cudaGraphEdgeData**, size_t*) {
    cudaStreamIsCapturing(handle, status);
    if (graph != nullptr) *graph = reinterpret_cast<cudaGraph_t>(stream_of(handle)->graph);
    return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* made, cudaGraph_t graph, unsigned long long) {
    *made = reinterpret_cast<cudaGraphExec_t>(new Graph(*reinterpret_cast<Graph*>(graph)));
    return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream) {
    return enqueue(stream, [steps = reinterpret_cast<Graph*>(graph)->steps] {
        for (const auto& step : steps) step();
    });
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) {
    delete reinterpret_cast<Graph*>(graph);
    return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    delete reinterpret_cast<Graph*>(graph);
    return cudaSuccess;
}
cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, void* payload, cudaHostFn_t destroy, unsigned, unsigned) {
    *object = reinterpret_cast<cudaUserObject_t>(new std::shared_ptr<Held>(new Held{payload, destroy}));
    return cudaSuccess;
}
cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned, unsigned) {  // moved
    auto* held = reinterpret_cast<std::shared_ptr<Held>*>(object);
    reinterpret_cast<Graph*>(graph)->held.push_back(*held);
    delete held;
    return cudaSuccess;
}

}  // extern "C"
