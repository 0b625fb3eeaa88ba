#include "arrays.hpp"
#include "backends.hpp"
#include "context_graph/maxsim.hpp"

namespace cg::maxsim {
namespace {

// (count, padded) bytes per token, BLOCK tokens to a block.
template <class Kind>
Packed packed_of(const Kind& blocks, const Kind& scale, const Kind& offsets, int64_t dim) {
    const int64_t padded = (dim + 3) / 4 * 4;
    const int64_t n = offsets.size() - 1;
    const int64_t* starts = input<int64_t>(offsets, 1, "offsets must be int64");
    expect(blocks.ndim() == 1 && n >= 0 && dim <= MAX_DIM, "blocks must be bytes");
    // Offsets on a device are an index's own, which holds all their tokens.
    const int64_t room = on_device(offsets) ? 0 : (starts[n] + BLOCK - 1) / BLOCK * BLOCK;
    expect(blocks.size() >= room * padded && scale.size() >= room, "blocks must hold all tokens");
    return {input<uint8_t>(blocks, 1, "blocks must be uint8"), input<float>(scale, 1, "scale must be float32"), starts,
            n, dim, padded};
}

#ifdef CG_HAS_CUDA
void maxima(const Cuda&, const dense::Queries& query, const dense::Rows& tokens,
            const int64_t* offsets, int64_t n, float* out, int) {
    maxima_cuda(query, tokens, offsets, n, out);
}
void maxima_packed(const Cuda&, const float* query, int64_t q, const Packed& packed, const int64_t* ids, int64_t m,
                   float* out, int) {
    maxima_packed_cuda(query, q, packed, ids, m, out);
}
#endif

template <class Backend>
void bind_backend(py::module_& m, const std::string& name, const Backend& kernel) {
    m.def(("maxima_" + name).c_str(),
          [&kernel](const Given<Backend>& query, const Given<Backend>& tokens, const Given<Backend>& offsets, int threads) {
              const int64_t n = offsets.size() - 1, q = query.shape(0);
              const int64_t* starts = input<int64_t>(offsets, 1, "offsets must be int64");
              expect(tokens.ndim() == 2 && tokens.shape(1) == query.shape(1), "query and tokens must have the same d");
              const auto element = tokens.itemsize() == 2 ? dense::Element::f16 : dense::Element::f32;
              const dense::Rows rows{tokens.data(), element, tokens.shape(0), tokens.shape(1), tokens.strides(0)};
              const dense::Queries queries{input<float>(query, 2, "query must be float32"), q, query.shape(1)};
              Answer<float> out(query, {n, q});
              float* to = out.mutable_data();
              py::gil_scoped_release release;
              maxima(kernel, queries, rows, starts, n, to, threads);
              return out;
          },
          py::arg("query"), py::arg("tokens"), py::arg("offsets"), py::arg("threads"));

    m.def(("maxima_packed_" + name).c_str(),
          [&kernel](const Given<Backend>& query, const Given<Backend>& blocks, const Given<Backend>& scale, const Given<Backend>& offsets,
                    const std::optional<Given<Backend>>& ids, int threads) {
              const Packed packed = packed_of(blocks, scale, offsets, query.shape(1));
              const float* values = input<float>(query, 2, "query must be float32");
              const int64_t q = query.shape(0), count = ids ? ids->size() : packed.n;
              const int64_t* chosen = ids ? input<int64_t>(*ids, 1, "ids must be int64") : nullptr;
              Answer<float> out(query, {count, q});
              float* to = out.mutable_data();
              py::gil_scoped_release release;
              maxima_packed(kernel, values, q, packed, chosen, count, to, threads);
              return out;
          },
          py::arg("query"), py::arg("blocks"), py::arg("scale"), py::arg("offsets"), py::arg("ids"),
          py::arg("threads"));
}

void bind_search(py::module_& m, const std::string& name, const Kernel& kernel) {
    m.def(("search_" + name).c_str(),
          [&kernel](const py::array& query, const py::array& blocks, const py::array& scale, const py::array& offsets,
                    const py::array& tokens, const py::array& residual, const py::array& norm, const py::array& weights,
                    int64_t k, const std::optional<py::array>& mask, int threads) {
              const Packed packed = packed_of(blocks, scale, offsets, query.shape(1));
              const dense::Queries queries{input<float>(query, 2, "query must be float32"), query.shape(0), query.shape(1)};
              expect(tokens.ndim() == 2 && tokens.shape(1) >= packed.dim && tokens.strides(1) == tokens.itemsize() &&
                         tokens.shape(0) >= packed.offsets[packed.n] && residual.size() == packed.n &&
                         norm.size() == packed.n && weights.size() == queries.q,
                     "tokens, residual and norm must be of the documents, weights of the query");
              const auto element = tokens.itemsize() == 2 ? dense::Element::f16 : dense::Element::f32;
              const FloatTokens kept{{tokens.data(), element, tokens.shape(0), packed.dim, tokens.strides(0)},
                              input<float>(residual, 1, "residual must be float32"),
                              input<float>(norm, 1, "norm must be float32")};
              const float* w = input<float>(weights, 1, "weights must be float32");
              const uint8_t* visible = mask_of(mask, packed.n);
              py::array_t<float> scores(k);
              py::array_t<int64_t> ids(k);
              float* to = scores.mutable_data();
              int64_t* chosen = ids.mutable_data();
              int64_t read;
              {
                  py::gil_scoped_release release;
                  read = search(kernel, queries, packed, kept, w, k, visible, to, chosen, threads);
              }
              return py::make_tuple(scores, ids, read);
          },
          py::arg("query"), py::arg("blocks"), py::arg("scale"), py::arg("offsets"), py::arg("tokens"),
          py::arg("residual"), py::arg("norm"), py::arg("weights"), py::arg("k"), py::arg("mask"), py::arg("threads"));
}

}  // namespace

void bind(py::module_& m) {
    CG_BIND_ALL(bind_backend, m)
    CG_BIND_CPU(bind_search, m)
    m.def("encode",
          [](const py::array& tokens) {
              const float* values = input<float>(tokens, 2, "tokens must be float32");
              py::array_t<int8_t> codes({tokens.shape(0), tokens.shape(1)});
              encode(values, tokens.shape(0), tokens.shape(1), codes.mutable_data());
              return codes;
          },
          py::arg("tokens"));
    m.def("pack",
          [](const py::array& codes, int64_t first, py::array blocks, py::array scale) {
              const int64_t count = codes.shape(0), dim = codes.shape(1), padded = (dim + 3) / 4 * 4;
              const int64_t room = (first + count + BLOCK - 1) / BLOCK * BLOCK;
              expect(blocks.size() >= room * padded && scale.size() >= room, "blocks must hold all tokens");
              pack(input<int8_t>(codes, 2, "codes must be int8"), count, dim, padded, first,
                   output<uint8_t>(blocks, 1, "blocks"), output<float>(scale, 1, "scale"));
          },
          py::arg("codes"), py::arg("first"), py::arg("blocks"), py::arg("scale"));
    m.def("token_bounds",
          [](const py::array& tokens, const py::array& codes, const py::array& lengths, py::array scale, py::array residual,
             py::array norm) {
              const int64_t n = lengths.size();
              expect(codes.ndim() == 2 && tokens.ndim() == 2 && codes.size() == tokens.size() &&
                         scale.size() == codes.shape(0) && residual.size() == n && norm.size() == n,
                     "codes and scale must be of the tokens, residual and norm of the lengths");
              token_bounds(input<float>(tokens, 2, "tokens must be float32"), input<int8_t>(codes, 2, "codes must be int8"),
                      input<int64_t>(lengths, 1, "lengths must be int64"), n, codes.shape(1), output<float>(scale, 1, "scale"),
                      output<float>(residual, 1, "residual"), output<float>(norm, 1, "norm"));
          },
          py::arg("tokens"), py::arg("codes"), py::arg("lengths"), py::arg("scale"), py::arg("residual"),
          py::arg("norm"));
    m.def("unpack",
          [](const py::array& blocks, int64_t first, int64_t count, int64_t dim) {
              const int64_t padded = (dim + 3) / 4 * 4;
              expect(blocks.size() >= (first + count + BLOCK - 1) / BLOCK * BLOCK * padded, "no such tokens");
              py::array_t<int8_t> codes({count, dim});
              unpack(input<uint8_t>(blocks, 1, "blocks must be uint8"), first, count, dim, padded,
                     codes.mutable_data());
              return codes;
          },
          py::arg("blocks"), py::arg("first"), py::arg("count"), py::arg("dim"));
    m.def("weighted_sum",
          [](const py::array& maxima, const py::array& weights) {
              expect(maxima.ndim() == 2 && maxima.shape(1) == weights.size(), "weights must have one entry per token");
              py::array_t<float> out(maxima.shape(0));
              weighted_sum(input<float>(maxima, 2, "maxima must be float32"), maxima.shape(0), maxima.shape(1),
                    input<float>(weights, 1, "weights must be float32"), out.mutable_data());
              return out;
          },
          py::arg("maxima"), py::arg("weights"));
#ifdef CG_HAS_CUDA
    m.def("weighted_sum_cuda",
          [](const Array& maxima, const std::optional<Array>& weights) {
              expect(maxima.ndim() == 2 && (!weights || maxima.shape(1) == weights->size()),
                     "weights must have one entry per token");
              const float* best = input<float>(maxima, 2, "maxima must be float32");
              const float* of_query = weights ? input<float>(*weights, 1, "weights must be float32") : nullptr;
              Answer<float> out(maxima, {maxima.shape(0)});
              float* to = out.mutable_data();
              py::gil_scoped_release release;
              weighted_sum_cuda(best, maxima.shape(0), maxima.shape(1), of_query, to);
              return out;
          },
          py::arg("maxima"), py::arg("weights"));
#endif
    m.attr("BLOCK") = BLOCK;
    m.attr("MAX_DIM") = MAX_DIM;
}

}  // namespace cg::maxsim
