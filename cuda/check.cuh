#pragma once
// Ids and offsets that lie on the device: looked at there, and never followed where they lead nowhere.

#include "memory.cuh"

// A thread an entry. A flag takes the lowest entry (of ids the lowest row) that is not allowed.

// Offsets (entries) that rise from 0 to `total` by no more than `step` at once; to `safe` with every one inside that.
extern "C" __global__ void cg_check_offsets(const long long* offsets, unsigned entries, long long total, long long step,
                                            long long* safe, unsigned* bad);
// Ids (rows, width) from `least` to below `end`; to `safe` with -1 for others.
extern "C" __global__ void cg_check_ids(const long long* ids, unsigned count, unsigned width, long long least, long long end,
                                        long long* safe, unsigned* bad);
// Nodes below n.
extern "C" __global__ void cg_check_nodes(const unsigned* nodes, unsigned count, unsigned n, unsigned* bad);
// Node numbers of 64 bits as 32; what does not fit becomes the greatest, which is no node.
extern "C" __global__ void cg_check_narrow(const long long* nodes, unsigned count, unsigned* narrow);
extern "C" __global__ void cg_check_finite(const float* values, unsigned count, unsigned* bad);

namespace cg::cuda {

// (n + 1) offsets to read: the host's as they are, which the caller has checked.
class Offsets {
   public:
    Offsets(const int64_t* offsets, int64_t n, int64_t total, const char* of, Work& work, int64_t step = INT64_MAX)
        : given_(numbers(offsets), n + 1, work.stream) {
        if (!on_device(offsets)) return;
        safe_.emplace_back(n + 1, work.stream);
        const auto stream = work.stream;
        unsigned* const bad = work.lowest_row([=](unsigned entry) {
            throw std::domain_error("offsets must rise from 0 to the " + std::to_string(total) + " " + of +
                                    (step < total ? ", by at most " + std::to_string(step) : "") + ", got " +
                                    std::to_string(fetch(offsets + entry, stream)) + " at " + std::to_string(entry));
        });
        const auto entries = static_cast<unsigned>(n + 1);
        cg_check_offsets<<<(entries + device::BLOCK - 1) / device::BLOCK, device::BLOCK, 0, stream>>>(numbers(offsets), entries, total,
                                                                                                      step, safe_[0].get(), bad);
        launched("cg_check_offsets");
    }
    const long long* get() const { return safe_.empty() ? given_.get() : safe_[0].get(); }

   private:
    static const long long* numbers(const int64_t* offsets) { return reinterpret_cast<const long long*>(offsets); }
    In<long long> given_;
    std::vector<Buffer<long long>> safe_;
};

// Ids (n, k) from -1 to below `end`, in the same way.
class Ids {
   public:
    Ids(const int64_t* ids, int64_t n, int64_t k, int64_t end, Work& work)
        : given_(reinterpret_cast<const long long*>(ids), n * k, work.stream) {
        const int64_t count = n * k;
        if (count == 0 || !on_device(ids)) return;
        if (count > UINT32_MAX) throw std::invalid_argument("cuda: at most 2^32 - 1 ids a call, got " + std::to_string(count));
        safe_.emplace_back(count, work.stream);
        unsigned* const bad = work.lowest_row([=](unsigned row) {
            throw std::domain_error("ids must lie in [-1, " + std::to_string(end) + "), got another in row " + std::to_string(row));
        });
        cg_check_ids<<<static_cast<unsigned>((count + device::BLOCK - 1) / device::BLOCK), device::BLOCK, 0, work.stream>>>(
            given_.get(), static_cast<unsigned>(count), static_cast<unsigned>(k), -1, end, safe_[0].get(), bad);
        launched("cg_check_ids");
    }
    const long long* get() const { return safe_.empty() ? given_.get() : safe_[0].get(); }

   private:
    In<long long> given_;
    std::vector<Buffer<long long>> safe_;
};

}  // namespace cg::cuda
