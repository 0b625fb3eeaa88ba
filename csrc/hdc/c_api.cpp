#include "context_graph/c/hdc.h"

#include "c_api.hpp"
#include "context_graph/hdc.hpp"

using namespace cg::c_api;
namespace hdc = cg::hdc;

static_assert(CGK_HDC_BITS == hdc::BITS && CGK_HDC_WORDS == hdc::WORDS && CGK_HDC_BEYOND == hdc::BEYOND);

namespace {

// Bits past the last one would count in distances.
void expect_vectors(const uint64_t* rows, int64_t n, const char* name) {
    expect_array(rows, n, name);
    constexpr int64_t last = hdc::BITS / 64;
    for (int64_t i = 0; i < n; ++i) {
        const uint64_t* row = rows + i * hdc::WORDS;
        uint64_t spare = row[last] >> (hdc::BITS % 64);
        for (int64_t w = last + 1; w < hdc::WORDS; ++w) spare |= row[w];
        expect(spare == 0, std::string(name) + " must have zeros after bit 9999, got others in row " + std::to_string(i) +
                               "; build vectors with cgk_hdc_items, cgk_hdc_bundle and cgk_hdc_permute");
    }
}

}  // namespace

cgk_status cgk_hdc_items(const uint64_t* symbols, int64_t n, uint64_t seed, uint64_t* out) {
    return guarded([&] {
        expect_array(symbols, n, "symbols");
        expect_array(out, n, "out");
        for (int64_t i = 0; i < n; ++i) hdc::item(symbols[i], seed, out + i * hdc::WORDS);
    });
}

cgk_status cgk_hdc_bind(const uint64_t* x, const uint64_t* y, int64_t n, uint64_t* out) {
    return guarded([&] {
        expect_vectors(x, n, "x");
        expect_vectors(y, n, "y");
        expect_array(out, n, "out");
        for (int64_t w = 0; w < n * hdc::WORDS; ++w) out[w] = x[w] ^ y[w];
    });
}

cgk_status cgk_hdc_permute(const uint64_t* rows, int64_t n, int64_t by, uint64_t* out) {
    return guarded([&] {
        expect_vectors(rows, n, "rows");
        expect_array(out, n, "out");
        for (int64_t i = 0; i < n; ++i) hdc::permute(rows + i * hdc::WORDS, by, out + i * hdc::WORDS);
    });
}

cgk_status cgk_hdc_bundle(const uint64_t* rows, int64_t n, uint64_t seed, uint64_t* out) {
    return guarded([&] {
        expect_vectors(rows, n, "rows");
        expect_array(out, 1, "out");
        hdc::bundle(hdc::best_kernel(), rows, n, seed, out);
    });
}

cgk_status cgk_hdc_encode(const uint64_t* symbols, const int64_t* offsets, int64_t n, int64_t ngram, uint64_t seed,
                          uint64_t* out, int threads) {
    return guarded([&] {
        expect_offsets(offsets, n, "offsets");
        expect_array(symbols, offsets[n], "symbols");
        expect(ngram >= 1, "ngram must be at least 1, got " + std::to_string(ngram));
        expect_array(out, n, "out");
        hdc::encode(hdc::best_kernel(), symbols, offsets, n, ngram, seed, out, thread_count(threads));
    });
}

cgk_status cgk_hdc_distances(const uint64_t* queries, int64_t q, const uint64_t* rows, int64_t n, int32_t* out, int threads) {
    return guarded([&] {
        expect_vectors(queries, q, "queries");
        expect_vectors(rows, n, "rows");
        expect_array(out, q * n, "out");
        hdc::distances(hdc::best_kernel(), queries, q, rows, n, out, thread_count(threads));
    });
}

cgk_status cgk_hdc_search(const uint64_t* queries, int64_t q, const uint64_t* rows, int64_t n, int64_t k, const uint8_t* mask,
                          int32_t* distances, int64_t* ids, int threads) {
    return guarded([&] {
        expect_vectors(queries, q, "queries");
        expect_vectors(rows, n, "rows");
        expect_choice(k, distances, ids, q);
        hdc::search(hdc::best_kernel(), queries, q, rows, n, k, mask, distances, ids, thread_count(threads));
    });
}
