#include "embedding_bag.hpp"

#include <algorithm>

namespace cg {

namespace {

// Values that are summed side by side, in registers: a bag is read once for each such part of its rows.
constexpr int64_t PART = 32;

void add_rows(const int8_t* table, int64_t d, const float* scale, const int64_t* rows, const float* weights, int64_t count,
              float* sum) {
    int64_t first = 0;
    for (; first + PART <= d; first += PART) {
        float part[PART] = {};
        for (int64_t i = 0; i < count; ++i) {
            const int8_t* row = table + rows[i] * d + first;
            const float weight = weights[i] * scale[rows[i]];
            for (int64_t x = 0; x < PART; ++x) part[x] += weight * static_cast<float>(row[x]);
        }
        std::copy(part, part + PART, sum + first);
    }
    for (; first < d; ++first) {
        float total = 0;
        for (int64_t i = 0; i < count; ++i) {
            total += weights[i] * scale[rows[i]] * static_cast<float>(table[rows[i] * d + first]);
        }
        sum[first] = total;
    }
}

}  // namespace

py::array_t<float> embedding_bag(const py::array& table, const py::array& scale, const py::array& rows,
                                 const py::array& weights, const py::array& starts) {
    const auto* values = input<int8_t>(table, 2, "table must be int8 in two dimensions");
    const auto* scales = input<float>(scale, 1, "scale must be float32");
    const auto* wanted = input<int64_t>(rows, 1, "rows must be int64");
    const auto* factors = input<float>(weights, 1, "weights must be float32");
    const auto* begins = input<int64_t>(starts, 1, "starts must be int64");
    const int64_t v = table.shape(0), d = table.shape(1), t = rows.size(), s = starts.size();
    expect(scale.size() == v, "scale must have a value for each row of the table");
    expect(weights.size() == t, "weights must have a value for each of rows");
    expect(std::all_of(wanted, wanted + t, [v](int64_t row) { return row >= 0 && row < v; }), "rows must be of the table");
    for (int64_t bag = 0; bag < s; ++bag) {
        expect(begins[bag] >= 0 && begins[bag] < (bag + 1 < s ? begins[bag + 1] : t), "starts must ascend below the end of rows");
    }
    py::array_t<float> sums({s, d});
    float* out = sums.mutable_data();
    py::gil_scoped_release release;
    for (int64_t bag = 0; bag < s; ++bag) {
        const int64_t end = bag + 1 < s ? begins[bag + 1] : t;
        add_rows(values, d, scales, wanted + begins[bag], factors + begins[bag], end - begins[bag], out + bag * d);
    }
    return sums;
}

}  // namespace cg
