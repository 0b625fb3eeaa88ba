#include "arrays.hpp"
#include "backends.hpp"
#include "context_graph/hdc.hpp"
#include "fast_bindings.hpp"

namespace cg::hdc {
namespace {

template <class Kind>
const uint64_t* vectors(const Kind& array) {
    expect(array.ndim() == 2 && array.shape(1) == WORDS, "vectors must be uint64, shape (n, 160)");
    return input<uint64_t>(array, 2, "vectors must be uint64, shape (n, 160)");
}

py::array_t<uint64_t> fresh(int64_t n) { return py::array_t<uint64_t>({n, WORDS}); }

// Vectors that Python has not looked at: refuses what is no uint64 of this machine, or has a bit past the last one.
const uint64_t* unseen_vectors(const py::array& array) {
    const auto* type = py::detail::array_descriptor_proxy(py::detail::array_proxy(array.ptr())->descr);
    expect(type->kind == 'u' && type->byteorder != '>', "vectors must be uint64");
    const uint64_t* rows = vectors(array);
    constexpr int64_t last = BITS / 64;
    uint64_t spare = 0;
    for (const uint64_t *row = rows, *end = rows + array.shape(0) * WORDS; row < end; row += WORDS) {
        spare |= row[last] >> (BITS % 64);
        for (int64_t w = last + 1; w < WORDS; ++w) spare |= row[w];
    }
    expect(spare == 0, "vectors must have zeros after bit 9999");
    return rows;
}

void hamming(const Kernel& kernel, const uint64_t* x, const uint64_t* y, int64_t n, int32_t* out) {
    for (int64_t i = 0; i < n; ++i) kernel.distances(x + i * WORDS, y + i * WORDS, 1, out + i);
}

// Exclusive or and rotation: alike on every backend of the CPU.
void bind_vectors(const Kernel&, const uint64_t* x, int64_t of_x, const uint64_t* y, int64_t of_y, uint64_t* out) {
    for (int64_t i = 0; i < (of_x == 1 ? of_y : of_x); ++i, out += WORDS) {
        const uint64_t *a = x + (of_x == 1 ? 0 : i) * WORDS, *b = y + (of_y == 1 ? 0 : i) * WORDS;
        for (int64_t w = 0; w < WORDS; ++w) out[w] = a[w] ^ b[w];
    }
}
void permute_vectors(const Kernel&, const uint64_t* rows, int64_t n, int64_t by, uint64_t* out) {
    for (int64_t i = 0; i < n; ++i) permute(rows + i * WORDS, by, out + i * WORDS);
}

#ifdef CG_HAS_CUDA
void bind_vectors(const Cuda&, const uint64_t* x, int64_t of_x, const uint64_t* y, int64_t of_y, uint64_t* out) {
    bind_cuda(x, of_x, y, of_y, out);
}
void permute_vectors(const Cuda&, const uint64_t* rows, int64_t n, int64_t by, uint64_t* out) { permute_cuda(rows, n, by, out); }
// The vector that decides where votes are even, drawn on the device: nothing waits for a copy of it.
struct Tie {
    explicit Tie(uint64_t seed) : memory(WORDS * sizeof(uint64_t)) { tie_cuda(seed, words()); }
    uint64_t* words() const { return reinterpret_cast<uint64_t*>(memory.data()); }
    gpu::Memory memory;
};
void encode(const Cuda&, const uint64_t* symbols, const int64_t* offsets, int64_t n, int64_t ngram, uint64_t seed, uint64_t* out,
            int64_t count) {
    const Tie even(seed);
    encode_cuda(symbols, offsets, n, ngram, seed, even.words(), out, {}, count);
}
void hamming(const Cuda&, const uint64_t* x, const uint64_t* y, int64_t n, int32_t* out) { hamming_cuda(x, y, n, out); }
void distances(const Cuda&, const uint64_t* queries, int64_t q, const uint64_t* rows, int64_t n, int32_t* out, int) {
    distances_cuda(queries, q, rows, n, out);
}
void search(const Cuda&, const uint64_t* queries, int64_t q, const uint64_t* rows, int64_t n, int64_t k,
            const uint8_t* mask, int32_t* distances, int64_t* ids, int) {
    search_cuda(queries, q, rows, n, k, mask, distances, ids);
}
void bundle(const Cuda&, const uint64_t* rows, int64_t n, uint64_t seed, uint64_t* out) {
    const Tie even(seed);
    bundle_cuda(rows, n, even.words(), out);
}
#endif

template <class Backend>
void bind_backend(py::module_& m, const std::string& name, const Backend& kernel) {
    m.def(("distances_" + name).c_str(),
          [&kernel](const Given<Backend>& queries, const Given<Backend>& rows, int threads) {
              const uint64_t *from = vectors(queries), *to = vectors(rows);
              const int64_t q = queries.shape(0), n = rows.shape(0);
              Answer<int32_t> out(queries, {q, n});
              int32_t* found = out.mutable_data();
              py::gil_scoped_release release;
              distances(kernel, from, q, to, n, found, threads);
              return out;
          },
          py::arg("queries"), py::arg("rows"), py::arg("threads"));
    m.def(("hamming_" + name).c_str(),
          [&kernel](const Given<Backend>& x, const Given<Backend>& y) {
              const uint64_t *left = vectors(x), *right = vectors(y);
              expect(x.shape(0) == y.shape(0), "x and y must have the same shape");
              Answer<int32_t> out(x, {x.shape(0)});
              hamming(kernel, left, right, x.shape(0), out.mutable_data());
              return out;
          },
          py::arg("x"), py::arg("y"));
    m.def(("search_" + name).c_str(),
          [&kernel](const Given<Backend>& queries, const Given<Backend>& rows, int64_t k, const std::optional<Given<Backend>>& mask,
                    int threads) {
              const uint64_t *from = vectors(queries), *to = vectors(rows);
              const int64_t q = queries.shape(0), n = rows.shape(0);
              const uint8_t* visible = mask_of(mask, n);
              std::pair<Answer<int32_t>, Answer<int64_t>> out{Answer<int32_t>(queries, {q, k}),
                                                              Answer<int64_t>(queries, {q, k})};
              int32_t* found = out.first.mutable_data();
              int64_t* ids = out.second.mutable_data();
              py::gil_scoped_release release;
              search(kernel, from, q, to, n, k, visible, found, ids, threads);
              return out;
          },
          py::arg("queries"), py::arg("rows"), py::arg("k"), py::arg("mask"), py::arg("threads"));
    m.def(("bind_" + name).c_str(),
          [&kernel](const Given<Backend>& x, const Given<Backend>& y) {
              const uint64_t *left = vectors(x), *right = vectors(y);
              const int64_t of_x = x.shape(0), of_y = y.shape(0);
              expect(of_x == of_y || of_x == 1 || of_y == 1, "x and y must have as many vectors, or one of them one");
              Answer<uint64_t> out(x, {of_x == 1 ? of_y : of_x, WORDS});
              uint64_t* to = out.mutable_data();
              py::gil_scoped_release release;
              bind_vectors(kernel, left, of_x, right, of_y, to);
              return out;
          },
          py::arg("x"), py::arg("y"));
    m.def(("permute_" + name).c_str(),
          [&kernel](const Given<Backend>& rows, int64_t by) {
              const uint64_t* from = vectors(rows);
              Answer<uint64_t> out(rows, {rows.shape(0), WORDS});
              uint64_t* to = out.mutable_data();
              py::gil_scoped_release release;
              permute_vectors(kernel, from, rows.shape(0), by, to);
              return out;
          },
          py::arg("rows"), py::arg("by"));
    m.def(("encode_" + name).c_str(),
          [&kernel](const Given<Backend>& symbols, const Given<Backend>& offsets, int64_t ngram, uint64_t seed, int threads) {
              const int64_t n = offsets.size() - 1;
              const uint64_t* text = input<uint64_t>(symbols, 1, "symbols must be uint64");
              const int64_t* starts = input<int64_t>(offsets, 1, "offsets must be int64");
              Answer<uint64_t> out(symbols, {n, WORDS});
              uint64_t* to = out.mutable_data();
              py::gil_scoped_release release;
              if constexpr (std::is_same_v<Backend, Cuda>) {
                  encode(kernel, text, starts, n, ngram, seed, to, symbols.size());
              } else {
                  encode(kernel, text, starts, n, ngram, seed, to, threads);
              }
              return out;
          },
          py::arg("symbols"), py::arg("offsets"), py::arg("ngram"), py::arg("seed"), py::arg("threads"));
    m.def(("bundle_" + name).c_str(),
          [&kernel](const Given<Backend>& rows, uint64_t seed) {
              const uint64_t* from = vectors(rows);
              Answer<uint64_t> out(rows, {WORDS});
              bundle(kernel, from, rows.shape(0), seed, out.mutable_data());
              return out;
          },
          py::arg("rows"), py::arg("seed"));
}

void bind_fast_bundle(py::module_& m) {
    bind_fast(m, "bundle", CG_KERNELS, [](const Kernel& kernel, int, const py::array& rows, uint64_t seed) -> py::object {
        expect(is_plain(rows), "vectors must lie in an array of NumPy's own");
        const uint64_t* from = unseen_vectors(rows);
        py::array_t<uint64_t> out(WORDS);
        bundle(kernel, from, rows.shape(0), seed, out.mutable_data());
        return out;
    });
}

}  // namespace

void bind(py::module_& m) {
    bind_fast_bundle(m);
    CG_BIND_ALL(bind_backend, m)
    m.def("items",
          [](const py::array& symbols, uint64_t seed) {
              const uint64_t* from = input<uint64_t>(symbols, 1, "symbols must be uint64");
              py::array_t<uint64_t> out = fresh(symbols.size());
              for (int64_t i = 0; i < symbols.size(); ++i) item(from[i], seed, out.mutable_data() + i * WORDS);
              return out;
          },
          py::arg("symbols"), py::arg("seed"));
    m.attr("BITS") = BITS;
    m.attr("WORDS") = WORDS;
    m.attr("BEYOND") = BEYOND;
}

}  // namespace cg::hdc
