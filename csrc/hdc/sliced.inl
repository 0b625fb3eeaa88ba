// Counting votes on bit slices with vectors of CG_LANES words; included once by each instruction set's file, inside
// its unnamed namespace, so the linker cannot mix the copies.
//
// Eight rows at a time meet in carry-save adders (two three-input operations for three bits in, two out), and only
// their carry of weight eight ripples through the higher planes: about 3 operations a row and vector instead of 2 a
// row and plane.

typedef uint64_t Words __attribute__((vector_size(8 * CG_LANES)));

inline Words words_at(const uint64_t* at) {
    Words words;
    __builtin_memcpy(&words, at, sizeof words);
    return words;
}
inline void put_words(uint64_t* at, Words words) { __builtin_memcpy(at, &words, sizeof words); }

// sum and carry of a + b + c, bit by bit; sum comes back in a.
inline Words add_bits(Words& a, Words b, Words c) {
    const Words carry = (a & b) | ((a | b) & c);
    a = a ^ b ^ c;
    return carry;
}

inline void ripple(const Counts& counts, int64_t from, int64_t w, Words carry) {
    for (int64_t p = from; p < counts.depth; ++p) {
        uint64_t* plane = counts.planes + p * WORDS + w;
        const Words old = words_at(plane);
        put_words(plane, old ^ carry);
        carry = old & carry;
    }
}

inline void tally(const uint64_t* rows, int64_t n, const Counts& counts) {
    for (int64_t w = 0; w < WORDS; w += CG_LANES) {
        Words ones = words_at(counts.planes + w), twos = words_at(counts.planes + WORDS + w),
              fours = words_at(counts.planes + 2 * WORDS + w);
        const uint64_t* row = rows + w;
        int64_t i = 0;
        for (; i + 8 <= n; i += 8, row += 8 * WORDS) {
            const Words two_a = add_bits(ones, words_at(row), words_at(row + WORDS));
            const Words two_b = add_bits(ones, words_at(row + 2 * WORDS), words_at(row + 3 * WORDS));
            const Words four_a = add_bits(twos, two_a, two_b);
            const Words two_c = add_bits(ones, words_at(row + 4 * WORDS), words_at(row + 5 * WORDS));
            const Words two_d = add_bits(ones, words_at(row + 6 * WORDS), words_at(row + 7 * WORDS));
            const Words four_b = add_bits(twos, two_c, two_d);
            ripple(counts, 3, w, add_bits(fours, four_a, four_b));
        }
        put_words(counts.planes + w, ones);
        put_words(counts.planes + WORDS + w, twos);
        put_words(counts.planes + 2 * WORDS + w, fours);
        for (; i < n; ++i, row += WORDS) ripple(counts, 0, w, words_at(row));
    }
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
