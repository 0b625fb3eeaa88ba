#include "arrays.hpp"
#include "backends.hpp"
#include "context_graph/dense.hpp"
#include "points_of.hpp"

namespace cg::dense {
namespace {

template <class Kind>
Rows rows_of(const Kind& rows, const std::optional<Kind>& scale) {
    expect(rows.ndim() == 2 && (rows.size() == 0 || rows.shape(1) == 1 || rows.strides(1) == rows.itemsize()),
           "rows must lie row by row");
    Element element = Element::f32;
    if (rows.itemsize() == 2) element = kind_of(rows) == 'f' ? Element::f16 : Element::bf16;
    if (rows.itemsize() == 1) element = Element::i8;
    Rows view{rows.data(), element, rows.shape(0), rows.shape(1), rows.strides(0), nullptr};
    if (scale) {
        expect(scale->size() == view.n, "scale must have one entry per row");
        view.scale = input<float>(*scale, 1, "scale must be float32, shape (n,)");
    }
    expect(view.n < 0xffffffff, "at most 2^32 - 2 rows");
    return view;
}

template <class Kind>
Queries queries_of(const Kind& queries, int64_t d) {
    const float* data = input<float>(queries, 2, "queries must be float32, shape (q, d)");
    expect(queries.shape(1) == d, "queries and rows must have the same d");
    return {data, queries.shape(0), d};
}

void bind_backend(py::module_& m, const std::string& name, const Kernel& kernel) {
    m.def(("scores_" + name).c_str(),
          [&kernel](const py::array& queries, const py::array& rows, const std::optional<py::array>& scale, int threads) {
              const Rows r = rows_of(rows, scale);
              const Queries q = queries_of(queries, r.d);
              Answer<float> out(queries, {q.q, r.n});
              float* to = out.mutable_data();
              py::gil_scoped_release release;
              scores_all(kernel, q, r, to, threads);
              return out;
          },
          py::arg("queries"), py::arg("rows"), py::arg("scale"), py::arg("threads"));

    m.def(("topk_" + name).c_str(),
          [&kernel](const py::array& queries, const py::array& rows, const std::optional<py::array>& scale, int64_t k,
                   const std::optional<py::array>& mask, int threads) {
              const Rows r = rows_of(rows, scale);
              const Queries q = queries_of(queries, r.d);
              const uint8_t* visible = mask_of(mask, r.n);
              Chosen out = empty_choice(queries, q.q, k);
              float* scores = out.first.mutable_data();
              int64_t* ids = out.second.mutable_data();
              py::gil_scoped_release release;
              topk(kernel, q, r, k, visible, scores, ids, threads);
              return out;
          },
          py::arg("queries"), py::arg("rows"), py::arg("scale"), py::arg("k"), py::arg("mask"), py::arg("threads"));

    m.def(("topk_screened_" + name).c_str(),
          [&kernel](const py::array& queries, const py::array& rows, const py::array& codes, const py::array& scale,
                   const py::array& residual, const py::array& norm, int64_t k, const std::optional<py::array>& mask,
                   int threads) {
              const Rows r = rows_of(rows, std::optional<py::array>());
              const Queries q = queries_of(queries, r.d);
              const uint8_t* visible = mask_of(mask, r.n);
              expect(codes.ndim() == 2 && codes.itemsize() == 1 && codes.shape(0) == r.n &&
                         codes.strides(1) == 1 && codes.strides(0) >= (r.d + 63) / 64 * 64 && scale.size() == r.n &&
                         residual.size() == r.n && norm.size() == r.n,
                     "codes must be uint8 rows padded to 64 bytes, bounds float32 with one entry per row");
              const Codes c{static_cast<const uint8_t*>(codes.data()), codes.strides(0),
                            input<float>(scale, 1, "scale must be float32"),
                            input<float>(residual, 1, "residual must be float32"),
                            input<float>(norm, 1, "norm must be float32")};
              Chosen out = empty_choice(queries, q.q, k);
              float* scores = out.first.mutable_data();
              int64_t* ids = out.second.mutable_data();
              int64_t read;
              {
                  py::gil_scoped_release release;
                  read = topk_screened(kernel, q, r, c, k, visible, scores, ids, threads);
              }
              return py::make_tuple(out.first, out.second, read);
          },
          py::arg("queries"), py::arg("rows"), py::arg("codes"), py::arg("scale"), py::arg("residual"),
          py::arg("norm"), py::arg("k"), py::arg("mask"), py::arg("threads"));

    m.def(("topk_prefiltered_" + name).c_str(),
          [&kernel](const py::array& queries, const py::array& rows, const py::array& bits, const py::array& factor,
                    const py::array& ones, int64_t k, int64_t candidates, const std::optional<py::array>& mask, int threads) {
              const Rows r = rows_of(rows, std::optional<py::array>());
              const Queries q = queries_of(queries, r.d);
              const uint8_t* visible = mask_of(mask, r.n);
              expect(bits.size() == r.n * rotated_dim(r.d) / 64 && factor.size() == r.n && ones.size() == r.n,
                     "signs must be of the rows");
              const Signs signs{input<uint64_t>(bits, 2, "bits must be uint64"), input<float>(factor, 1, "factor must be float32"),
                                input<float>(ones, 1, "ones must be float32")};
              Chosen out = empty_choice(queries, q.q, k);
              float* scores = out.first.mutable_data();
              int64_t* ids = out.second.mutable_data();
              py::gil_scoped_release release;
              topk_prefiltered(kernel, q, r, signs, k, candidates, visible, scores, ids, threads);
              return out;
          },
          py::arg("queries"), py::arg("rows"), py::arg("bits"), py::arg("factor"), py::arg("ones"), py::arg("k"),
          py::arg("candidates"), py::arg("mask"), py::arg("threads"));
}

}  // namespace

void bind(py::module_& m) {
    CG_BIND_CPU(bind_backend, m)
#ifdef CG_HAS_CUDA
    m.def("scores_cuda",
          [](const Array& queries, const Array& rows, const std::optional<Array>& scale, int) {
              const Rows r = rows_of(rows, scale);
              const Queries q = queries_of(queries, r.d);
              Answer<float> out(queries, {q.q, r.n});
              float* to = out.mutable_data();
              py::gil_scoped_release release;
              scores_cuda(q, r, to);
              return out;
          },
          py::arg("queries"), py::arg("rows"), py::arg("scale"), py::arg("threads"));
    m.def("topk_cuda",
          [](const Array& queries, const Array& rows, const std::optional<Array>& scale, int64_t k,
             const std::optional<Array>& mask, int) {
              const Rows r = rows_of(rows, scale);
              const Queries q = queries_of(queries, r.d);
              const uint8_t* visible = mask_of(mask, r.n);
              Chosen out = empty_choice(queries, q.q, k);
              float* scores = out.first.mutable_data();
              int64_t* ids = out.second.mutable_data();
              py::gil_scoped_release release;
              topk_cuda(q, r, k, visible, scores, ids);
              return out;
          },
          py::arg("queries"), py::arg("rows"), py::arg("scale"), py::arg("k"), py::arg("mask"), py::arg("threads"));
#endif
    m.def("encode",
          [](const py::array& rows, py::array codes, py::array scale, py::array residual, py::array norm) {
              const Rows r = rows_of(rows, std::optional<py::array>());
              expect(codes.ndim() == 2 && codes.itemsize() == 1 && codes.shape(0) == r.n && codes.shape(1) >= r.d &&
                         scale.size() == r.n && residual.size() == r.n && norm.size() == r.n,
                     "codes and bounds must have one entry per row");
              encode(r, static_cast<uint8_t*>(codes.mutable_data()), codes.strides(0), output<float>(scale, 1, "scale"),
                     output<float>(residual, 1, "residual"), output<float>(norm, 1, "norm"));
          },
          py::arg("rows"), py::arg("codes"), py::arg("scale"), py::arg("residual"), py::arg("norm"));
    m.def("encode_signs",
          [](const py::array& rows, py::array bits, py::array factor, py::array ones) {
              const Rows r = rows_of(rows, std::optional<py::array>());
              expect(r.element != Element::i8 && bits.size() == r.n * rotated_dim(r.d) / 64 && factor.size() == r.n &&
                         ones.size() == r.n,
                     "signs must have room for the rows");
              encode_signs(r, output<uint64_t>(bits, 2, "bits"), output<float>(factor, 1, "factor"),
                         output<float>(ones, 1, "ones"));
          },
          py::arg("rows"), py::arg("bits"), py::arg("factor"), py::arg("ones"));
    m.def("rotated_dim", &rotated_dim, py::arg("dim"));
    m.attr("MAX_CODED_DIM") = MAX_CODED_DIM;
}

}  // namespace cg::dense
