#pragma once
// The way from the C interface to the families: checked structs, exceptions as status codes.

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "context_graph/c/base.h"
#include "context_graph/c/graph.h"
#include "context_graph/dense.hpp"
#include "context_graph/graph.hpp"
#include "context_graph/points.hpp"
#include "context_graph/stored.hpp"

namespace cg::c_api {

// An exception that is being handled as a status; its words become cgk_message().
cgk_status status_of_exception() noexcept;

// No exception leaves a function of the C interface.
template <class Work>
cgk_status guarded(const Work& work) noexcept {
    try {
        work();
        return CGK_OK;
    } catch (...) {
        return status_of_exception();
    }
}

void expect(bool holds, const std::string& what);
// A pointer to so many things: NULL is right for none.
void expect_array(const void* data, int64_t count, const char* name);
template <class T>
const T& given(const T* value, const char* name) {
    expect(value != nullptr, std::string(name) + " must not be NULL");
    return *value;
}

// Every processor that this process may use for 0.
int thread_count(int threads);

// In each of them a row that is named in an error is `name`'s.
Stored stored_of(const cgk_rows* rows, const char* name);
dense::Rows rows_of(const cgk_rows* rows, const float* scale, const char* name);
Points points_of(const cgk_rows* rows, const char* name);
void expect_finite(const Points& points, const char* name);
void expect_finite(const float* values, int64_t n, const char* name);
void expect_same_dim(int64_t x, int64_t y, const char* names);
void expect_pairs(const Points& x, const Points& y, const char* names);
void expect_choice(int64_t k, const void* scores, const void* ids, int64_t lines);
void expect_offsets(const int64_t* offsets, int64_t n, const char* name);

// Finite float32 rows one after another, copied where they lie apart.
class PlainRows {
   public:
    PlainRows(const cgk_rows* rows, const char* name);
    PlainRows(const PlainRows&) = delete;
    PlainRows& operator=(const PlainRows&) = delete;

    const float* data() const { return data_; }
    int64_t n() const { return n_; }
    int64_t d() const { return d_; }
    dense::Queries queries() const { return {data_, n_, d_}; }

   private:
    std::vector<float> copy_;
    const float* data_;
    int64_t n_, d_;
};

Csr csr_of(const cgk_edges* edges);

}  // namespace cg::c_api

struct cgk_graph {
    cg::Graph graph;
};
