#pragma once
// Streams, capture into graphs, and what the host asked of the runtime, counted.

#include <cuda_runtime_api.h>

#include <functional>

namespace emulator {

enum Counted { LAUNCHES, WAITS, ALLOCATIONS, BORROWED, GROWTHS, ORDERS, COUNTED };
size_t& counted(Counted what);
void*& launched_on();  // the stream of the last launch

cudaError_t set_last_error(cudaError_t error);

// Runs the operation, or adds it to the graph that the stream is captured into. Refused on the legacy stream beside a capture.
cudaError_t enqueue(cudaStream_t stream, std::function<void()> operation);
bool captured(cudaStream_t stream);
// Refused, and the capture ended, while anything is captured: what waits, and in the mode that forbids it what allocates.
cudaError_t beside_capture(bool waits);
cudaError_t break_capture(cudaError_t why);
// Memory of the graph that a stream is captured into; null where none is.
void* captured_memory(cudaStream_t stream, size_t bytes);
cudaError_t free_in_capture(cudaStream_t stream, void* data);
bool pinned(const void* at);
bool of_a_graph(const void* at);  // memory that a capture allocated

void land();  // what was copied to the host arrives

}  // namespace emulator
