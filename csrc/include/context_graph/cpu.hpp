#pragma once
// What this processor and its operating system allow.

#include <cstdint>
#include <string>

namespace cg {

struct Usable {
    bool usable;
    std::string reason;  // why not; empty where usable
};

Usable scalar_usable();
Usable avx2_usable();
// Ice Lake's or Zen 4's AVX-512: F, BW, VL, DQ, VNNI, VPOPCNTDQ.
Usable avx512_usable();
// VDPBF16PS, beside AVX-512.
Usable bfloat16_usable();
// Whether batches on avx512 use it where no tiles do: where it is usable, unless `use_bfloat16(false)` says no. Answers have the same
// bits either way.
bool bfloat16();
void use_bfloat16(bool use);
// Tiles of AMX with int8 and bfloat16, beside AVX-512, and the system's leave to use them, which is asked for here.
Usable amx_usable();
// Whether batches on avx512 use them: where they are usable, unless CONTEXT_GRAPH_AMX=0 or `use_amx(false)` says no. Answers
// have the same bits either way.
bool amx();
void use_amx(bool use);
// How many bytes ahead a scan asks memory for what it will read: so many, but none on Zen 3 and 4, where such requests get in the
// way of the hardware's own (a query over short rows took 1.2 to 1.9 times as long; Zen 5 and Intel gain).
int64_t fetch_ahead(int64_t bytes);
// A driver that answers, and a device that the kernels are compiled for, by its own machine code or by PTX. Loads a kernel, so
// it is asked only where a device is wanted; never throws, never needs a driver to load.
Usable cuda_usable();

}  // namespace cg
