// Inline PTX, interpreted: the few instructions cuda/ptx.cuh uses. Anything else ends the run with its name.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "runtime.hpp"

namespace emulator {
namespace {

struct Argument {
    std::vector<int> registers;  // %0, {%0, %1}
    bool memory = false;
    long immediate = 0;  // or the offset of an address
};
struct Instruction {
    std::string name;
    std::vector<Argument> arguments;
};

std::string trimmed(const std::string& text) {
    const size_t from = text.find_first_not_of(" \t\n\r"), to = text.find_last_not_of(" \t\n\r");
    return from == std::string::npos ? "" : text.substr(from, to - from + 1);
}

Argument parse_argument(std::string text) {
    Argument argument;
    if (!text.empty() && text[0] == '[') argument.memory = true;
    for (char& c : text) {
        if (c == '[' || c == ']' || c == '{' || c == '}' || c == ',' || c == '+') c = ' ';
    }
    size_t at = 0;
    while (at < text.size()) {
        const size_t from = text.find_first_not_of(' ', at);
        if (from == std::string::npos) break;
        const size_t to = std::min(text.find(' ', from), text.size());
        const std::string word = text.substr(from, to - from);
        if (word[0] == '%' && word.size() > 1 && std::isdigit(word[1])) {
            argument.registers.push_back(std::stoi(word.substr(1)));
        } else if (std::isdigit(word[0]) || word[0] == '-') {
            argument.immediate = std::stol(word, nullptr, 0);
        } else {
            fail("cannot read PTX operand '%s'", word.c_str());
        }
        at = to;
    }
    return argument;
}

const std::vector<Instruction>& parsed(const char* text) {
    static auto* known = new std::map<std::string, std::vector<Instruction>>;
    const auto found = known->find(text);
    if (found != known->end()) return found->second;
    std::vector<Instruction> program;
    const std::string all(text);
    for (size_t from = 0; from < all.size();) {
        const size_t to = std::min(all.find(';', from), all.size());
        const std::string line = trimmed(all.substr(from, to - from));
        from = to + 1;
        if (line.empty()) continue;
        const size_t space = std::min(line.find_first_of(" \t\n"), line.size());
        Instruction instruction{line.substr(0, space), {}};
        std::string rest = trimmed(line.substr(space)), piece;
        int depth = 0;
        for (char c : rest + ",") {
            if (c == '{' || c == '[') ++depth;
            if (c == '}' || c == ']') --depth;
            if (c == ',' && depth == 0) {
                if (!trimmed(piece).empty()) instruction.arguments.push_back(parse_argument(trimmed(piece)));
                piece.clear();
            } else {
                piece += c;
            }
        }
        program.push_back(instruction);
    }
    return (*known)[text] = program;
}

// One lane's share of a warp-wide instruction.
struct Fragment {
    std::string kind;
    uint32_t a[4], b[2], c[4], out[4];
    uint64_t address = 0;
    bool transposed = false;
    int matrices = 0;
};

char* shared_at(uint64_t address, size_t bytes) {
    if (address + bytes > ARENA) fail("PTX address %llu lies outside shared memory", static_cast<unsigned long long>(address));
    return self()->block->arena + address;
}

float half_of(uint16_t bits) {
    __half_raw raw;
    raw.x = bits;
    return __half2float(__half(raw));
}
float bfloat_of(uint16_t bits) {
    const uint32_t wide = uint32_t{bits} << 16;
    float value;
    std::memcpy(&value, &wide, 4);
    return value;
}

// Of a float, TF32 takes the upper 19 bits.
float tf32_of(uint32_t bits) {
    bits &= 0xffffe000u;
    float value;
    std::memcpy(&value, &bits, 4);
    return value;
}

uint32_t fetch(const Operand* operands, const Argument& argument, size_t index) {
    return static_cast<uint32_t>(operands[argument.registers.at(index)].bits);
}

void put(Operand& operand, uint64_t bits) {
    if (operand.target == nullptr) fail("PTX writes an operand that is an input");
    operand.bits = bits;
    std::memcpy(operand.target, &bits, operand.size);
}

// Tensor cores cut what a sum has no room for, where the processor would round.
float cut(double sum) {
    const auto nearest = static_cast<float>(sum);
    return std::fabs(nearest) > std::fabs(sum) ? std::nextafter(nearest, 0.0f) : nearest;
}

// c + a b to the lanes that hold it.
template <int DEPTH>
void store_sums(Fragment* const (&lanes)[32], const float (&a)[16][DEPTH], const float (&b)[DEPTH][8], float (&c)[16][8]) {
    for (int i = 0; i < 16; ++i) {
        for (int j = 0; j < 8; ++j) {
            double sum = c[i][j];
            for (int k = 0; k < DEPTH; ++k) sum += double{a[i][k]} * b[k][j];
            c[i][j] = cut(sum);
        }
    }
    for (int l = 0; l < 32; ++l) {
        const int g = l / 4, t = l % 4;
        for (int h = 0; h < 2; ++h) {
            std::memcpy(&lanes[l]->out[h], &c[g][2 * t + h], 4);
            std::memcpy(&lanes[l]->out[2 + h], &c[g + 8][2 * t + h], 4);
        }
    }
}

void land(std::vector<Copy>& group) {
    for (const Copy& copy : group) {
        if (copy.taken) copy_for_thread(copy.to, reinterpret_cast<const void*>(copy.from), copy.taken);
        if (copy.taken < copy.bytes) {
            note_write(static_cast<char*>(copy.to) + copy.taken, copy.bytes - copy.taken);
            std::memset(static_cast<char*>(copy.to) + copy.taken, 0, copy.bytes - copy.taken);
        }
    }
    group.clear();
}

}  // namespace

uint32_t shared_address(const void* at) {
    const Block* block = self()->block;
    const auto offset = static_cast<const char*>(at) - block->arena;
    if (offset < 0 || static_cast<size_t>(offset) >= ARENA) fail("this address is not shared memory");
    return static_cast<uint32_t>(offset);
}

// Called by the last lane to arrive; fragments of all lanes are in their payloads.
void run_warp_ptx(Op op, Warp* warp, unsigned mask) {
    if (mask != 0xffffffffu) fail("mma and ldmatrix need all 32 lanes");
    Fragment* lanes[32];
    for (int l = 0; l < 32; ++l) {
        lanes[l] = static_cast<Fragment*>(warp->lanes[l]->payload);
        if (lanes[l]->kind != lanes[0]->kind) fail("lanes of a warp meet at different instructions: %s and %s",
                                                   lanes[0]->kind.c_str(), lanes[l]->kind.c_str());
    }
    if (op == Op::ldmatrix) {
        for (int m = 0; m < lanes[0]->matrices; ++m) {
            uint16_t matrix[8][8];
            for (int r = 0; r < 8; ++r) {
                const uint64_t address = lanes[8 * m + r]->address;
                if (address % 16 != 0) fail("ldmatrix row at a misaligned address %llu", static_cast<unsigned long long>(address));
                const char* row = shared_at(address, 16);
                std::memcpy(matrix[r], row, 16);
            }
            for (int l = 0; l < 32; ++l) {
                const int r = l / 4, c = l % 4 * 2;
                const uint16_t low = lanes[0]->transposed ? matrix[c][r] : matrix[r][c];
                const uint16_t high = lanes[0]->transposed ? matrix[c + 1][r] : matrix[r][c + 1];
                lanes[l]->out[m] = low | uint32_t{high} << 16;
            }
        }
        return;
    }
    const std::string& kind = lanes[0]->kind;
    if (kind.find("m16n8k16") != std::string::npos) {
        const bool bf16 = kind.find(".bf16.") != std::string::npos;
        float a[16][16], b[16][8], c[16][8];
        const auto value = [&](uint32_t pair, int high) {
            const auto bits = static_cast<uint16_t>(pair >> (16 * high));
            return bf16 ? bfloat_of(bits) : half_of(bits);
        };
        for (int l = 0; l < 32; ++l) {
            const int g = l / 4, t = l % 4;
            for (int h = 0; h < 2; ++h) {
                a[g][2 * t + h] = value(lanes[l]->a[0], h);
                a[g + 8][2 * t + h] = value(lanes[l]->a[1], h);
                a[g][2 * t + 8 + h] = value(lanes[l]->a[2], h);
                a[g + 8][2 * t + 8 + h] = value(lanes[l]->a[3], h);
                b[2 * t + h][g] = value(lanes[l]->b[0], h);
                b[2 * t + 8 + h][g] = value(lanes[l]->b[1], h);
                std::memcpy(&c[g][2 * t + h], &lanes[l]->c[h], 4);
                std::memcpy(&c[g + 8][2 * t + h], &lanes[l]->c[2 + h], 4);
            }
        }
        store_sums<16>(lanes, a, b, c);
        return;
    }
    if (kind.find("m16n8k8") != std::string::npos) {
        float a[16][8], b[8][8], c[16][8];
        for (int l = 0; l < 32; ++l) {
            const int g = l / 4, t = l % 4;
            a[g][t] = tf32_of(lanes[l]->a[0]);
            a[g + 8][t] = tf32_of(lanes[l]->a[1]);
            a[g][t + 4] = tf32_of(lanes[l]->a[2]);
            a[g + 8][t + 4] = tf32_of(lanes[l]->a[3]);
            b[t][g] = tf32_of(lanes[l]->b[0]);
            b[t + 4][g] = tf32_of(lanes[l]->b[1]);
            for (int h = 0; h < 2; ++h) {
                std::memcpy(&c[g][2 * t + h], &lanes[l]->c[h], 4);
                std::memcpy(&c[g + 8][2 * t + h], &lanes[l]->c[2 + h], 4);
            }
        }
        store_sums<8>(lanes, a, b, c);
        return;
    }
    // m16n8k32 of bytes.
    const bool a_signed = kind.find(".s32.s8.") != std::string::npos;
    const bool b_signed = kind.find(".s8.s32") != std::string::npos;
    int a[16][32], b[32][8], c[16][8];
    const auto byte = [](uint32_t four, int x, bool is_signed) {
        const auto bits = static_cast<uint8_t>(four >> (8 * x));
        return is_signed ? static_cast<int>(static_cast<int8_t>(bits)) : static_cast<int>(bits);
    };
    for (int l = 0; l < 32; ++l) {
        const int g = l / 4, t = l % 4;
        for (int x = 0; x < 4; ++x) {
            a[g][4 * t + x] = byte(lanes[l]->a[0], x, a_signed);
            a[g + 8][4 * t + x] = byte(lanes[l]->a[1], x, a_signed);
            a[g][4 * t + 16 + x] = byte(lanes[l]->a[2], x, a_signed);
            a[g + 8][4 * t + 16 + x] = byte(lanes[l]->a[3], x, a_signed);
            b[4 * t + x][g] = byte(lanes[l]->b[0], x, b_signed);
            b[4 * t + 16 + x][g] = byte(lanes[l]->b[1], x, b_signed);
        }
        for (int h = 0; h < 2; ++h) {
            c[g][2 * t + h] = static_cast<int>(lanes[l]->c[h]);
            c[g + 8][2 * t + h] = static_cast<int>(lanes[l]->c[2 + h]);
        }
    }
    for (int i = 0; i < 16; ++i) {
        for (int j = 0; j < 8; ++j) {
            int64_t sum = c[i][j];
            for (int k = 0; k < 32; ++k) sum += a[i][k] * b[k][j];
            if (sum != static_cast<int32_t>(sum)) fail("mma of bytes passes 32 bits");
            c[i][j] = static_cast<int>(sum);
        }
    }
    for (int l = 0; l < 32; ++l) {
        const int g = l / 4, t = l % 4;
        for (int h = 0; h < 2; ++h) {
            lanes[l]->out[h] = static_cast<uint32_t>(c[g][2 * t + h]);
            lanes[l]->out[2 + h] = static_cast<uint32_t>(c[g + 8][2 * t + h]);
        }
    }
}

namespace {
void interpret(const char* text, Operand* operands, int count, Where where) {
    Thread* me = self();
    if (me == nullptr) fail("inline PTX on the host");
    for (const Instruction& instruction : parsed(text)) {
        const std::string& name = instruction.name;
        const auto& args = instruction.arguments;
        for (const Argument& argument : args) {
            for (int r : argument.registers) {
                if (r >= count) fail("PTX names operand %%%d of %d", r, count);
            }
        }
        const auto starts = [&](const char* with) { return name.rfind(with, 0) == 0; };
        const auto bits = [&](size_t argument, size_t index = 0) {
            const Argument& a = args.at(argument);
            if (a.registers.empty()) return static_cast<uint64_t>(a.immediate);
            return operands[a.registers.at(index)].bits + (a.memory ? static_cast<uint64_t>(a.immediate) : 0);
        };
        if (name == "cp.async.cg.shared.global" || name == "cp.async.ca.shared.global" ||
            starts("cp.async.cg.shared.global.L2::") || starts("cp.async.ca.shared.global.L2::")) {
            const size_t bytes = bits(2), taken = args.size() > 3 ? bits(3) : bytes;
            if (bytes != 4 && bytes != 8 && bytes != 16) fail("cp.async of %zu bytes", bytes);
            if (starts("cp.async.cg") && bytes != 16) fail("cp.async.cg copies 16 bytes, not %zu", bytes);
            if (taken > bytes) fail("cp.async takes %zu of %zu bytes", taken, bytes);
            if (bits(0) % bytes || bits(1) % bytes) fail("cp.async of %zu bytes at a misaligned address", bytes);
            char* to = shared_at(bits(0), bytes);
            // Until the wait nothing sensible stands there.
            note_write(to, bytes);
            for (size_t i = 0; i < bytes; ++i) static_cast<volatile char*>(to)[i] = static_cast<char>(0xff);
            if (taken) note_global_read(reinterpret_cast<const void*>(bits(1)), taken);
            me->copies.push_back({to, bits(1), bytes, taken});
        } else if (name == "cp.async.commit_group") {
            me->groups.push_back(std::move(me->copies));
            me->copies.clear();
        } else if (name == "cp.async.wait_group") {
            while (me->groups.size() > bits(0)) {
                land(me->groups.front());
                me->groups.erase(me->groups.begin());
            }
        } else if (name == "cp.async.wait_all") {
            for (auto& group : me->groups) land(group);
            me->groups.clear();
            land(me->copies);
        } else if (starts("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32") ||
                   starts("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32") ||
                   starts("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32") ||
                   starts("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32") ||
                   starts("mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32")) {
            Fragment fragment;
            fragment.kind = name;
            for (int i = 0; i < 4; ++i) fragment.a[i] = fetch(operands, args.at(1), i);
            for (int i = 0; i < 2; ++i) fragment.b[i] = fetch(operands, args.at(2), i);
            for (int i = 0; i < 4; ++i) fragment.c[i] = fetch(operands, args.at(3), i);
            collective(Op::mma, 0xffffffffu, 0, 0, &fragment, where);
            for (int i = 0; i < 4; ++i) put(operands[args.at(0).registers.at(i)], fragment.out[i]);
        } else if (starts("ldmatrix.sync.aligned.m8n8.x")) {
            Fragment fragment;
            fragment.kind = name;
            fragment.matrices = name[28] - '0';
            fragment.transposed = name.find(".trans") != std::string::npos;
            fragment.address = bits(1);
            // Each lane's row is its own read: within the collective, nothing is watched.
            if (self()->lane < 8u * fragment.matrices) note_read(shared_at(fragment.address, 16), 16);
            collective(Op::ldmatrix, 0xffffffffu, 0, 0, &fragment, where);
            for (int i = 0; i < fragment.matrices; ++i) put(operands[args.at(0).registers.at(i)], fragment.out[i]);
        } else if (name == "ex2.approx.ftz.f32" || name == "ex2.approx.f32") {
            float value;
            const auto in = static_cast<uint32_t>(bits(1));
            std::memcpy(&value, &in, 4);
            value = std::exp2(value);
            if (starts("ex2.approx.ftz") && std::fabs(value) < 0x1p-126f) value = 0;
            uint32_t out;
            std::memcpy(&out, &value, 4);
            put(operands[args.at(0).registers.at(0)], out);
        } else {
            fail("unknown PTX instruction '%s' in %s:%u", name.c_str(), where.file_name(), where.line());
        }
    }
}

}  // namespace

void run_ptx(const char* text, Operand* operands, int count, Where where) {
    unwatched(true);
    interpret(text, operands, count, where);
    unwatched(false);
}

}  // namespace emulator
