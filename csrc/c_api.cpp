#include "c_api.hpp"

#include <sched.h>

#include <algorithm>
#include <new>
#include <thread>

#include "context_graph/cpu.hpp"
#include "context_graph/dispatch.hpp"
#include "context_graph/version.h"
#include "finite.hpp"

namespace cg::c_api {
namespace {

constexpr int64_t MAX_ROWS = 0xffffffff;  // ids are 32 bits of a key of selection
constexpr int64_t MAX_DIM = int64_t{1} << 40;

thread_local std::string message;

cgk_status failed(cgk_status status, const char* what) noexcept {
    try {
        message = what;
    } catch (...) {
        message.clear();
    }
    return status;
}

int64_t size_of(Width width) { return width == Width::f32 ? 4 : width == Width::i8 ? 1 : 2; }

std::string got(int64_t value) { return ", got " + std::to_string(value); }

}  // namespace

cgk_status status_of_exception() noexcept {
    try {
        throw;
    } catch (const BackendUnavailable& error) {
        return failed(CGK_UNAVAILABLE, error.what());
    } catch (const std::invalid_argument& error) {
        return failed(CGK_INVALID_ARGUMENT, error.what());
    } catch (const std::domain_error& error) {
        return failed(CGK_DOMAIN, error.what());
    } catch (const std::bad_alloc&) {
        return failed(CGK_NO_MEMORY, "there is not enough memory for this call");
    } catch (const std::length_error&) {
        return failed(CGK_NO_MEMORY, "this call would need more memory than can be addressed");
    } catch (const std::exception& error) {
        return failed(CGK_INTERNAL, error.what());
    } catch (...) {
        return failed(CGK_INTERNAL, "an exception that is no std::exception");
    }
}

void expect(bool holds, const std::string& what) {
    if (!holds) throw std::invalid_argument(what);
}

void expect_array(const void* data, int64_t count, const char* name) {
    expect(count >= 0, std::string("the number of ") + name + " must be 0 or more" + got(count));
    expect(data != nullptr || count == 0, std::string(name) + " must not be NULL for " + std::to_string(count) + " entries");
}

int thread_count(int threads) {
    expect(threads >= 0, "threads must be 0, for all processors, or more" + got(threads));
    if (threads > 0) return threads;
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(CPU_COUNT(&set), 1);
    return static_cast<int>(std::max(std::thread::hardware_concurrency(), 1u));
}

Stored stored_of(const cgk_rows* given_rows, const char* name) {
    const cgk_rows& rows = given(given_rows, name);
    const std::string n(name);
    expect(rows.element >= CGK_F32 && rows.element <= CGK_I8, n + ".element must be one of cgk_element" + got(rows.element));
    expect(rows.n >= 0 && rows.n < MAX_ROWS, n + ".n must lie in [0, 2^32 - 2]" + got(rows.n));
    expect(rows.d >= 0 && rows.d < MAX_DIM, n + ".d must be 0 or more" + got(rows.d));
    expect(rows.data != nullptr || rows.n == 0 || rows.d == 0, n + ".data must not be NULL");
    const auto width = static_cast<Width>(rows.element);
    const int64_t item = size_of(width), bytes = rows.d * item;
    const int64_t stride = rows.stride == 0 ? bytes : rows.stride;
    expect(stride >= bytes && stride % item == 0 && reinterpret_cast<uintptr_t>(rows.data) % item == 0,
           n + ".stride must be 0 or at least the " + std::to_string(bytes) + " bytes of a row, and data and stride multiples of " +
               std::to_string(item) + got(rows.stride));
    return {rows.data, width, rows.n, rows.d, stride};
}

dense::Rows rows_of(const cgk_rows* rows, const float* scale, const char* name) {
    const Stored stored = stored_of(rows, name);
    if (scale != nullptr) expect_finite(scale, stored.n, "scale");
    return {stored.data, stored.width, stored.n, stored.d, stored.stride, scale};
}

Points points_of(const cgk_rows* rows, const char* name) {
    const Stored stored = stored_of(rows, name);
    expect(stored.width == Width::f32, std::string(name) + ".element must be CGK_F32 here" + got(static_cast<int>(stored.width)));
    return {static_cast<const float*>(stored.data), stored.n, stored.d, stored.stride / static_cast<int64_t>(sizeof(float))};
}

void expect_finite(const float* values, int64_t n, const char* name) {
    expect_array(values, n, name);
    if (!all_finite(values, n)) throw std::domain_error(std::string(name) + " must be finite, got NaN or infinity");
}

void expect_finite(const Points& points, const char* name) {
    for (int64_t i = 0; i < points.n; ++i) {
        if (!all_finite(points.row(i), points.d))
            throw std::domain_error(std::string(name) + " must be finite, got NaN or infinity in row " + std::to_string(i));
    }
}

void expect_same_dim(int64_t x, int64_t y, const char* names) {
    expect(x == y, std::string(names) + " must have the same d" + got(x) + " and " + std::to_string(y));
}

void expect_pairs(const Points& x, const Points& y, const char* names) {
    expect(x.n == y.n, std::string(names) + " must have the same n" + got(x.n) + " and " + std::to_string(y.n));
    expect_same_dim(x.d, y.d, names);
}

void expect_choice(int64_t k, const void* scores, const void* ids, int64_t lines) {
    expect(k >= 0 && k <= MAX_ROWS, "k must lie in [0, 2^32 - 1]" + got(k));
    expect((scores != nullptr && ids != nullptr) || k == 0 || lines == 0, "scores and ids must not be NULL");
}

void expect_offsets(const int64_t* offsets, int64_t n, const char* name) {
    expect(n >= 0, "the number of offsets less one must be 0 or more" + got(n));
    expect(offsets != nullptr, std::string(name) + " must not be NULL");
    expect(offsets[0] == 0, std::string(name) + " must rise from 0" + got(offsets[0]));
    for (int64_t i = 0; i < n; ++i) {
        expect(offsets[i] <= offsets[i + 1], std::string(name) + " must rise" + got(offsets[i]) + " before " +
                                                 std::to_string(offsets[i + 1]) + " at " + std::to_string(i));
    }
}

PlainRows::PlainRows(const cgk_rows* rows, const char* name) {
    const Points points = points_of(rows, name);
    expect_finite(points, name);
    data_ = points.data, n_ = points.n, d_ = points.d;
    if (points.stride == points.d) return;
    copy_.resize(n_ * d_);
    for (int64_t i = 0; i < n_; ++i) std::copy_n(points.row(i), d_, copy_.data() + i * d_);
    data_ = copy_.data();
}

Csr csr_of(const cgk_edges* edges) {
    const cgk_edges& e = given(edges, "edges");
    expect(e.n < 0x7fffffff, "a graph must have fewer than 2^31 - 1 nodes" + got(e.n));
    expect_offsets(e.offsets, e.n, "edges.offsets");
    const int64_t m = e.offsets[e.n];
    expect(m < MAX_ROWS, "a graph must have fewer than 2^32 - 1 edges" + got(m));
    expect_array(e.targets, m, "edges.targets");
    for (int64_t i = 0; i < m; ++i) {
        expect(e.targets[i] < static_cast<uint32_t>(e.n), "edges.targets must lie in [0, " + std::to_string(e.n) + ")" + got(e.targets[i]));
    }
    return {e.offsets, e.targets, e.n};
}

}  // namespace cg::c_api

using namespace cg::c_api;

const char* cgk_status_text(cgk_status status) {
    switch (status) {
        case CGK_OK: return "no error";
        case CGK_INVALID_ARGUMENT: return "an argument cannot be meant";
        case CGK_DOMAIN: return "a number is not finite or outside the space of the function";
        case CGK_NO_MEMORY: return "not enough memory";
        case CGK_UNAVAILABLE: return "the backend is not usable here";
        case CGK_INTERNAL: return "a defect of the library";
    }
    return "no such status";
}

const char* cgk_message(void) { return message.c_str(); }

const char* cgk_version(void) { return CONTEXT_GRAPH_VERSION; }

int cgk_backend_usable(cgk_backend backend) {
    return backend >= CGK_SCALAR && backend <= CGK_AVX512 && cg::usable(static_cast<cg::Isa>(backend));
}

cgk_status cgk_set_backend(cgk_backend backend) {
    return guarded([&] {
        expect(backend >= CGK_BEST && backend <= CGK_AVX512, "backend must be one of cgk_backend" + got(backend));
        backend == CGK_BEST ? cg::use_best_isa() : cg::use_isa(static_cast<cg::Isa>(backend));
    });
}

cgk_status cgk_get_backend(cgk_backend* backend) {
    return guarded([&] {
        given(backend, "backend");
        *backend = static_cast<cgk_backend>(cg::best_isa());
    });
}
