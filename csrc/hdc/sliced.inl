// Counting votes on bit slices with vectors of CG_LANES words; included once by each instruction set's file, inside
// its unnamed namespace, so the linker cannot mix the copies.
//
// Rows meet in carry-save adders, a tree of them for 64 rows: three bits of one weight in, one of it and one of the
// next out, which AVX-512 does in two instructions. So a row and vector costs about two instructions and its load, and
// what the tree carries out reaches the higher planes once in 64 rows.

typedef uint64_t Words __attribute__((vector_size(8 * CG_LANES)));

inline Words words_at(const uint64_t* at) {
    Words words;
    __builtin_memcpy(&words, at, sizeof words);
    return words;
}
inline void put_words(uint64_t* at, Words words) { __builtin_memcpy(at, &words, sizeof words); }

// sum and carry of a + b + c, bit by bit; sum comes back in a.
inline Words add_bits(Words& a, Words b, Words c) {
#if CG_LANES == 8
    const __m512i x = reinterpret_cast<__m512i>(a), y = reinterpret_cast<__m512i>(b), z = reinterpret_cast<__m512i>(c);
    a = reinterpret_cast<Words>(_mm512_ternarylogic_epi64(x, y, z, 0x96));  // odd number of ones
    return reinterpret_cast<Words>(_mm512_ternarylogic_epi64(x, y, z, 0xe8));  // two or more
#else
    const Words differ = a ^ b, carry = (a & b) | (differ & c);
    a = differ ^ c;
    return carry;
#endif
}

// Which words of a column are meant. With AVX-512 columns begin where cache lines do, for a load across two lines costs
// two: the first and the last may then be in part outside of the rows.
#if CG_LANES == 8
typedef __mmask8 Part;

inline int64_t first_column(const uint64_t* rows) {
    return -static_cast<int64_t>(reinterpret_cast<uintptr_t>(rows) / 8 % 8);
}
inline Part part_at(int64_t w) { return w < 0 ? 0xff << -w : w + 8 > WORDS ? 0xff >> (w + 8 - WORDS) : 0xff; }
inline Words words_at(const uint64_t* at, Part part) {
    return reinterpret_cast<Words>(_mm512_maskz_loadu_epi64(part, at));
}
inline void put_words(uint64_t* at, Words words, Part part) {
    _mm512_mask_storeu_epi64(at, part, reinterpret_cast<__m512i>(words));
}
#else
struct Part {};

inline int64_t first_column(const uint64_t*) { return 0; }
inline Part part_at(int64_t) { return {}; }
inline Words words_at(const uint64_t* at, Part) { return words_at(at); }
inline void put_words(uint64_t* at, Words words, Part) { put_words(at, words); }
#endif

// Adds 2^LEVEL rows to planes 0 to LEVEL - 1, which lie in registers; what is carried out of them.
template <int LEVEL>
[[gnu::always_inline]] inline Words add_rows(Words* planes, const uint64_t* rows, Part part) {
    if constexpr (LEVEL == 0) {
        return words_at(rows, part);
    } else {
        const Words one = add_rows<LEVEL - 1>(planes, rows, part);
        const Words other = add_rows<LEVEL - 1>(planes, rows + (WORDS << (LEVEL - 1)), part);
        return add_bits(planes[LEVEL - 1], one, other);
    }
}

template <int LEVEL>
inline void tally_block(const uint64_t* rows, const Counts& counts) {
    for (int64_t w = first_column(rows); w < WORDS; w += CG_LANES) {
        const Part part = part_at(w);
        uint64_t* at = counts.planes + w;
        Words planes[LEVEL + 1];
        for (int p = 0; p < LEVEL; ++p) planes[p] = words_at(at + p * WORDS, part);
        Words carry = add_rows<LEVEL>(planes, rows + w, part);
        for (int p = 0; p < LEVEL; ++p) put_words(at + p * WORDS, planes[p], part);
        for (int64_t p = LEVEL; p < counts.depth; ++p) {
            const Words old = words_at(at + p * WORDS, part);
            put_words(at + p * WORDS, old ^ carry, part);
            carry &= old;
        }
    }
}

// Fewer than 2^(LEVEL + 1) rows, by the bits of their number.
template <int LEVEL>
inline void tally_rest(const uint64_t* rows, int64_t n, const Counts& counts) {
    if (n >> LEVEL & 1) {
        tally_block<LEVEL>(rows, counts);
        rows += WORDS << LEVEL;
    }
    if constexpr (LEVEL > 0) tally_rest<LEVEL - 1>(rows, n, counts);
}

inline void tally(const uint64_t* rows, int64_t n, const Counts& counts) {
    constexpr int LEVEL = 6;
    constexpr int64_t BLOCK = int64_t{1} << LEVEL;  // 80 KiB of rows: in L2 from one column of words to the next
    for (; n >= BLOCK; n -= BLOCK, rows += BLOCK * WORDS) tally_block<LEVEL>(rows, counts);
    tally_rest<LEVEL - 1>(rows, n, counts);
}

// Compares all counts with half the total, highest plane first.
inline void majority(const Counts& counts, int64_t total, const uint64_t* tie, uint64_t* out) {
    const int64_t half = total / 2;
    for (int64_t w = 0; w < WORDS; w += CG_LANES) {
        Words more = {}, same = ~more;
        for (int64_t p = counts.depth - 1; p >= 0; --p) {
            const Words plane = words_at(counts.planes + p * WORDS + w);
            if ((half >> p) & 1) {
                same &= plane;
            } else {
                more |= same & plane;
                same &= ~plane;
            }
        }
        if (total % 2 == 0) more |= same & words_at(tie + w);
        put_words(out + w, more);
    }
}
