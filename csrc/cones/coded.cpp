// Ancestors and descendants from one byte a number: a filter of products of codes, then floats, then double.
//
// With row = c + e (decoded code and rest) and one = u + f (its 15-bit form and rest):
//     |<one, row> - <u, c>| <= |one| |e| + |f| |c|          (Cauchy-Schwarz)
// and the product, with |one|² and |row|², is all that containment asks of a pair.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <vector>

#include "blocks.hpp"
#include "cones/domain_errors.hpp"
#include "context_graph/cones.hpp"
#include "context_graph/threads.hpp"
#include "dense/refined_query.hpp"

namespace cg::cones {
namespace {

struct One {
    dense::RefinedQuery refined;
    CodedOne coded;
};

One refined_one(const float* values, int64_t d, const char* name, int64_t j) {
    const double square = sums_in_order(values, values, d).n;
    if (!(square < 1)) throw_outside_ball(name, square, j);
    One one{dense::refine(values, d), {}};
    constexpr double rounding = 0x1p-21;  // of a product in float, as a share of |one| |c|
    one.coded = {static_cast<float>(one.refined.step), static_cast<float>(one.refined.size * (1 + rounding) * dense::ROUND_UP),
                 static_cast<float>((one.refined.size * rounding + one.refined.missing) * dense::ROUND_UP),
                 static_cast<float>(square)};
    return one;
}

template <class Decide>
int64_t scan_coded(const Kernel& kernel, CodeFilter* of_codes, FloatFilter* of_rows, const Points& ones, const char* name,
                   const Points& rows, const dense::Codes& codes, const float* squares, double k, uint8_t* out, int threads,
                   Decide decide) {
    std::vector<One> each;
    for (int64_t j = 0; j < ones.n; ++j) each.push_back(refined_one(ones.row(j), ones.d, name, j));
    const int64_t block = std::clamp<int64_t>((int64_t{1} << 17) / std::max<int64_t>(codes.stride, 1), 64, 2048);
    std::atomic<int64_t> read{0};
    split(rows.n, worth_waking(threads, scan_work(ones.n, rows) / 4), [&](int, int64_t begin, int64_t end) {
        std::vector<int64_t> dots(block);
        int64_t unsure = 0;
        for (int64_t first = begin; first < end; first += block) {
            const int64_t last = std::min(first + block, end);
            for (int64_t j = 0; j < ones.n; ++j) {
                uint8_t* line = out + j * rows.n;
                kernel.dense->code_dots(each[j].refined.view, codes.codes, codes.stride, first, last, dots.data());
                of_codes(each[j].coded, codes, squares, k, dots.data(), first, last, line + first);
                uint8_t* at = line + first;
                while ((at = static_cast<uint8_t*>(std::memchr(at, UNSURE, line + last - at)))) {
                    const int64_t i = at - line;
                    ++unsure;
                    of_rows(ones.row(j), rows, k, i, i + 1, at);
                    if (*at == UNSURE) *at = decide(j, i);
                }
            }
        }
        read += unsure;
    });
    return read;
}

bool decide(const Points& apexes, int64_t i, const Points& points, int64_t j, double k) {
    return inside(sums_in_order(apexes.row(i), points.row(j), apexes.d), k);
}

}  // namespace

int64_t ancestors_coded(const Kernel& kernel, const Points& points, const Points& apexes, const dense::Codes& codes,
                        const float* squares, double k, uint8_t* out, int threads) {
    return scan_coded(kernel, kernel.ascend_coded, kernel.ascend, points, "points", apexes, codes, squares, k, out, threads,
                      [&](int64_t j, int64_t i) { return decide(apexes, i, points, j, k); });
}

int64_t descendants_coded(const Kernel& kernel, const Points& apexes, const Points& points, const dense::Codes& codes,
                          const float* squares, double k, uint8_t* out, int threads) {
    return scan_coded(kernel, kernel.descend_coded, kernel.descend, apexes, "apexes", points, codes, squares, k, out, threads,
                      [&](int64_t j, int64_t i) { return decide(apexes, j, points, i, k); });
}

}  // namespace cg::cones
