// Stands in for cuda/ in the library for arrays of the host.

#include <stdexcept>

#include "context_graph/column.hpp"
#include "context_graph/cpu.hpp"
#include "context_graph/gpu.hpp"

namespace cg {

Usable cuda_usable() { return {false, "built without CUDA (no nvcc was found, or CG_CUDA=OFF)"}; }

}  // namespace cg

namespace cg::gpu {
namespace {

[[noreturn]] void refuse() { throw std::runtime_error("cuda: not in this build"); }

}  // namespace

int devices() { return 0; }
Context::Context() : Context(nullptr) {}
Context use_context(const Context& context) { return context; }
Memory::Memory(size_t) { refuse(); }
Memory::Block::~Block() = default;
void pack(void*, const void*, int64_t, int64_t, int64_t) { refuse(); }
void upload(void*, const void*, size_t) { refuse(); }
void download(void*, const void*, size_t) { refuse(); }
void order(void*, void*) { refuse(); }
void narrow(const int64_t*, int64_t, uint32_t*) { refuse(); }
int device_of(const void*) { refuse(); }
int use(int) { refuse(); }
int in_use() { refuse(); }
void best(const float*, int64_t, int64_t, const uint8_t*, float*, int64_t*) { refuse(); }

Column::Column(int64_t, int64_t) { refuse(); }
void Column::reserve(int64_t, int64_t) { refuse(); }
void Column::write(int64_t, const void*, int64_t, int64_t) { refuse(); }
void Column::gather(const int64_t*, int64_t, void*) const { refuse(); }
void Column::fetch(const int64_t*, int64_t, void*) const { refuse(); }

}  // namespace cg::gpu
