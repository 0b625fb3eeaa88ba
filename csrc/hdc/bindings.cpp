#include "arrays.hpp"
#include "backends.hpp"
#include "context_graph/hdc.hpp"

namespace cg::hdc {
namespace {

template <class Kind>
const uint64_t* vectors(const Kind& array) {
    expect(array.ndim() == 2 && array.shape(1) == WORDS, "vectors must be uint64, shape (n, 160)");
    return input<uint64_t>(array, 2, "vectors must be uint64, shape (n, 160)");
}

py::array_t<uint64_t> fresh(int64_t n) { return py::array_t<uint64_t>({n, WORDS}); }

void hamming(const Kernel& kernel, const uint64_t* x, const uint64_t* y, int64_t n, int32_t* out) {
    for (int64_t i = 0; i < n; ++i) kernel.distances(x + i * WORDS, y + i * WORDS, 1, out + i);
}

#ifdef CG_HAS_CUDA
void hamming(const Cuda&, const uint64_t* x, const uint64_t* y, int64_t n, int32_t* out) { hamming_cuda(x, y, n, out); }
void distances(const Cuda&, const uint64_t* queries, int64_t q, const uint64_t* rows, int64_t n, int32_t* out, int) {
    distances_cuda(queries, q, rows, n, out);
}
void search(const Cuda&, const uint64_t* queries, int64_t q, const uint64_t* rows, int64_t n, int64_t k,
            const uint8_t* mask, int32_t* distances, int64_t* ids, int) {
    search_cuda(queries, q, rows, n, k, mask, distances, ids);
}
void bundle(const Cuda&, const uint64_t* rows, int64_t n, uint64_t seed, uint64_t* out) {
    uint64_t even[WORDS];
    tie(seed, even);
    bundle_cuda(rows, n, even, out);
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
    m.def(("bundle_" + name).c_str(),
          [&kernel](const Given<Backend>& rows, uint64_t seed) {
              Answer<uint64_t> out(rows, {WORDS});
              bundle(kernel, vectors(rows), rows.shape(0), seed, out.mutable_data());
              return out;
          },
          py::arg("rows"), py::arg("seed"));
}

void bind_encode(py::module_& m, const std::string& name, const Kernel& kernel) {
    m.def(("encode_" + name).c_str(),
          [&kernel](const py::array& symbols, const py::array& offsets, int64_t ngram, uint64_t seed, int threads) {
              const int64_t n = offsets.size() - 1;
              const uint64_t* text = input<uint64_t>(symbols, 1, "symbols must be uint64");
              const int64_t* starts = input<int64_t>(offsets, 1, "offsets must be int64");
              py::array_t<uint64_t> out = fresh(n);
              uint64_t* to = out.mutable_data();
              py::gil_scoped_release release;
              encode(kernel, text, starts, n, ngram, seed, to, threads);
              return out;
          },
          py::arg("symbols"), py::arg("offsets"), py::arg("ngram"), py::arg("seed"), py::arg("threads"));
}

}  // namespace

void bind(py::module_& m) {
    CG_BIND_ALL(bind_backend, m)
    CG_BIND_CPU(bind_encode, m)
    m.def("items",
          [](const py::array& symbols, uint64_t seed) {
              const uint64_t* from = input<uint64_t>(symbols, 1, "symbols must be uint64");
              py::array_t<uint64_t> out = fresh(symbols.size());
              for (int64_t i = 0; i < symbols.size(); ++i) item(from[i], seed, out.mutable_data() + i * WORDS);
              return out;
          },
          py::arg("symbols"), py::arg("seed"));
    m.def("permute",
          [](const py::array& rows, int64_t by) {
              const uint64_t* from = vectors(rows);
              py::array_t<uint64_t> out = fresh(rows.shape(0));
              for (int64_t i = 0; i < rows.shape(0); ++i)
                  permute(from + i * WORDS, by, out.mutable_data() + i * WORDS);
              return out;
          },
          py::arg("rows"), py::arg("by"));
    m.attr("BITS") = BITS;
    m.attr("WORDS") = WORDS;
    m.attr("BEYOND") = BEYOND;
}

}  // namespace cg::hdc
