#include <algorithm>
#include <mutex>
#include <shared_mutex>

#include "arrays.hpp"
#include "backends.hpp"
#include "context_graph/sparse.hpp"

namespace cg::sparse {
namespace {

template <class Kind>
Query query_of(const py::array& terms, const Kind& weights) {
    expect(terms.size() == weights.size(), "terms and weights must have the same length");
    return {input<int64_t>(terms, 1, "terms must be int64"), input<float>(weights, 1, "weights must be float32"),
            terms.size()};
}

struct Ranking {
    explicit Ranking(const std::optional<std::array<float, 3>>& values) : given(values.has_value()) {
        if (given) bm25 = {(*values)[0], (*values)[1], (*values)[2]};
    }
    const Bm25* get() const { return given ? &bm25 : nullptr; }

    bool given;
    Bm25 bm25{};
};

using Bm25Values = std::optional<std::array<float, 3>>;

void scores(const Kernel& kernel, const Index& index, const Query& query, const Bm25* bm25, float* out, int threads) {
    index.scores(kernel, query, bm25, out, threads);
}
void search(const Kernel& kernel, const Index& index, const Query& query, const Bm25* bm25, int64_t k,
            const uint8_t* mask, float* scores, int64_t* ids, int threads) {
    index.search(kernel, query, bm25, k, mask, scores, ids, threads);
}

#ifdef CG_HAS_CUDA
const Resident& resident_of(const Index& index) {
    expect(index.resident != nullptr, "this index left its device when documents were added and could not be taken there; make another");
    return *index.resident;
}
void scores(const Cuda&, const Index& index, const Query& query, const Bm25* bm25, float* out, int) {
    scores_cuda(resident_of(index), query, bm25, out);
}
void search(const Cuda&, const Index& index, const Query& query, const Bm25* bm25, int64_t k, const uint8_t* mask,
            float* scores, int64_t* ids, int) {
    search_cuda(resident_of(index), query, bm25, k, mask, scores, ids);
}
// What was appended; after an error nothing is on the device.
void upload(Index& index, const int64_t* terms, int64_t n) {
    if (index.resident == nullptr) return;
    try {
        index.resident->upload(index, terms, n);
    } catch (...) {
        index.resident.reset();
        throw;
    }
}
void move_there(Index& index) {
    auto there = std::make_unique<Resident>();
    there->upload(index);
    index.resident = std::move(there);
}
#else
void upload(Index&, const int64_t*, int64_t) {}
#endif

template <class Backend>
void bind_backend(py::class_<Index>& index, const std::string& name, const Backend& kernel) {
    index.def(("scores_" + name).c_str(),
              [&kernel](const Index& self, const py::array& terms, const Given<Backend>& weights, const Bm25Values& bm25,
                        int threads) {
                  const Query query = query_of(terms, weights);
                  const Ranking ranking(bm25);
                  std::shared_lock reading(self.mutex);
                  Answer<float> out(weights, {self.size()});
                  float* to = out.mutable_data();
                  py::gil_scoped_release release;
                  const auto held = std::move(reading);  // let go before the GIL is asked for: a writer waits with it
                  sparse::scores(kernel, self, query, ranking.get(), to, threads);
                  return out;
              },
              py::arg("terms"), py::arg("weights"), py::arg("bm25"), py::arg("threads"));
    index.def(("search_" + name).c_str(),
              [&kernel](const Index& self, const py::array& terms, const Given<Backend>& weights, const Bm25Values& bm25,
                        int64_t k, const std::optional<Given<Backend>>& mask, bool counting, int threads) {
                  const Query query = query_of(terms, weights);
                  const Ranking ranking(bm25);
                  std::shared_lock reading(self.mutex);
                  const uint8_t* visible = mask_of(mask, self.size());
                  std::vector<uint8_t> counted;
                  if (counting && self.live() < self.size()) {
                      if constexpr (std::is_same_v<Backend, Cuda>) {
                          expect(false, "on a device, hide what does not count by mask=");
                      } else {
                          counted = self.counting(visible);
                          visible = counted.data();
                      }
                  }
                  const int64_t kept = std::min(k, self.size());  // more is for Python to pad
                  std::pair<Answer<float>, Answer<int64_t>> out{Answer<float>(weights, {kept}), Answer<int64_t>(weights, {kept})};
                  float* scores = out.first.mutable_data();
                  int64_t* ids = out.second.mutable_data();
                  py::gil_scoped_release release;
                  const auto held = std::move(reading);  // let go before the GIL is asked for: a writer waits with it
                  sparse::search(kernel, self, query, ranking.get(), kept, visible, scores, ids, threads);
                  return out;
              },
              py::arg("terms"), py::arg("weights"), py::arg("bm25"), py::arg("k"), py::arg("mask"), py::arg("counting"),
              py::arg("threads"));
}

}  // namespace

void bind(py::module_& m) {
    py::class_<Index> index(m, "Index");
    index.def(py::init<>())
        .def("__len__", &Index::size)
        .def_property_readonly("nbytes",
                               [](const Index& self) { return self.bytes() + (self.resident ? self.resident->bytes() : 0); })
        .def_property_readonly("device",
                               [](const Index& self) {
                                   return self.resident ? std::optional<int>(self.resident->device()) : std::nullopt;
                               })
        .def_property_readonly("average_length", &Index::average_length)
        .def_property_readonly("has_negative", &Index::has_negative)
        .def_property_readonly("live", &Index::live)
        .def_property_readonly("lengths",
                               [](const Index& self) {
                                   return py::array_t<float>(self.size(), self.lengths().data());
                               })
        .def("append",
             [](Index& self, const py::array& terms, const py::array& values, const py::array& sizes) {
                 std::unique_lock writing(self.mutex);
                 const auto* of = input<int64_t>(terms, 1, "terms must be int64");
                 self.append(of, input<float>(values, 1, "values must be float32"),
                             input<int64_t>(sizes, 1, "lengths must be int64"), sizes.size());
                 upload(self, of, terms.size());
             },
             py::arg("terms"), py::arg("values"), py::arg("sizes"))
        .def("load_arrays",
             [](Index& self, const py::array& terms, const py::array& starts, const py::array& docs, const py::array& values,
                const py::array& forward, const py::array& forward_starts, const py::array& lengths, double total,
                bool negative) {
                 const IndexArrays arrays{input<int64_t>(terms, 1, "terms must be int64"),
                                   input<int64_t>(starts, 1, "starts must be int64"),
                                   input<uint32_t>(docs, 1, "docs must be uint32"),
                                   input<float>(values, 1, "values must be float32"), terms.size(),
                                   input<uint32_t>(forward, 1, "forward must be uint32"),
                                   input<int64_t>(forward_starts, 1, "forward_starts must be int64"),
                                   input<float>(lengths, 1, "lengths must be float32"), lengths.size(), total, negative};
                 expect(starts.size() == terms.size() + 1 && forward_starts.size() == lengths.size() + 1 &&
                            arrays.starts[terms.size()] == docs.size() && docs.size() == values.size() &&
                            docs.size() == forward.size() && arrays.forward_starts[lengths.size()] == forward.size(),
                        "the arrays must be of one index");
                 std::unique_lock writing(self.mutex);
                 self.load_arrays(arrays);
#ifdef CG_HAS_CUDA
                 upload(self, arrays.terms, arrays.n_terms);
#endif
             },
             py::arg("terms"), py::arg("starts"), py::arg("docs"), py::arg("values"), py::arg("forward"),
             py::arg("forward_starts"), py::arg("lengths"), py::arg("total"), py::arg("negative"),
             py::keep_alive<1, 2>(), py::keep_alive<1, 3>(), py::keep_alive<1, 4>(), py::keep_alive<1, 5>(),
             py::keep_alive<1, 6>(), py::keep_alive<1, 7>())
        .def("to_arrays",
             [](const Index& self) {
                 std::shared_lock reading(self.mutex);
                 py::array_t<int64_t> terms(self.n_terms()), starts(self.n_terms() + 1), forward_starts(self.size() + 1);
                 py::array_t<uint32_t> docs(self.pairs()), forward(self.pairs());
                 py::array_t<float> values(self.pairs());
                 self.to_arrays(terms.mutable_data(), starts.mutable_data(), docs.mutable_data(), values.mutable_data(),
                                forward.mutable_data(), forward_starts.mutable_data());
                 return py::make_tuple(terms, starts, docs, values, forward, forward_starts);
             })
        .def_property_readonly("total", &Index::total)
        .def_property_readonly("discounted",
                               [](const Index& self) {
                                   std::shared_lock reading(self.mutex);
                                   const std::vector<int64_t> ids = self.discounted();
                                   return py::array_t<int64_t>(ids.size(), ids.data());
                               })
        .def("set_live",
             [](Index& self, const py::array& ids, bool live) {
                 std::unique_lock writing(self.mutex);
                 self.set_live(input<int64_t>(ids, 1, "ids must be int64"), ids.size(), live);
             },
             py::arg("ids"), py::arg("live"))
        .def("df",
             [](const Index& self, const py::array& terms) {
                 const int64_t* at = input<int64_t>(terms, 1, "terms must be int64");
                 py::array_t<int64_t> out(terms.size());
                 for (py::ssize_t t = 0; t < terms.size(); ++t) out.mutable_at(t) = self.df(at[t]);
                 return out;
             },
             py::arg("terms"))
        .def("postings",
             [](const Index& self, int64_t term) {
                 const Postings list = self.postings(term);
                 py::array_t<int64_t> docs(list.size);
                 py::array_t<float> values(list.size, list.values);
                 std::copy_n(list.docs, list.size, docs.mutable_data());
                 return py::make_tuple(docs, values);
             },
             py::arg("term"));
    index
        .def("terms_of",
             [](const Index& self, const py::array& ids) {
                 const int64_t* at = input<int64_t>(ids, 1, "ids must be int64");
                 py::array_t<int64_t> lengths(ids.size());
                 std::vector<int64_t> terms;
                 for (py::ssize_t i = 0; i < ids.size(); ++i) {
                     const size_t before = terms.size();
                     self.terms_of(at[i], terms);
                     lengths.mutable_at(i) = static_cast<int64_t>(terms.size() - before);
                 }
                 return py::make_tuple(py::array_t<int64_t>(terms.size(), terms.data()), lengths);
             },
             py::arg("ids"))
        .def("table",
             [](const Index& self, const py::array& terms, const py::array& ids) {
                 py::array_t<float> out({ids.size(), terms.size()});
                 self.table(input<int64_t>(terms, 1, "terms must be int64"), terms.size(),
                            input<int64_t>(ids, 1, "ids must be int64"), ids.size(), out.mutable_data());
                 return out;
             },
             py::arg("terms"), py::arg("ids"))
        .def("pagerank",
             [](const Index& self, const py::array& ids, const py::array& seeds, const py::array& terms, int64_t max_df,
                double damping, int steps) -> std::optional<py::array_t<double>> {
                 expect(ids.size() == seeds.size(), "ids and seeds must have the same length");
                 const Walk walk{input<int64_t>(ids, 1, "ids must be int64"),
                                 input<double>(seeds, 1, "seeds must be float64"), ids.size(),
                                 input<int64_t>(terms, 1, "terms must be int64"), terms.size(), max_df, damping, steps};
                 py::array_t<double> out(ids.size());
                 if (!self.pagerank(walk, out.mutable_data())) return std::nullopt;
                 return out;
             },
             py::arg("ids"), py::arg("seeds"), py::arg("terms"), py::arg("most"), py::arg("damping"),
             py::arg("steps"));
    CG_BIND_ALL(bind_backend, index)
#ifdef CG_HAS_CUDA
    index.def("move_there", [](Index& self) {
        std::unique_lock writing(self.mutex);
        move_there(self);
    });
#endif
}

}  // namespace cg::sparse
