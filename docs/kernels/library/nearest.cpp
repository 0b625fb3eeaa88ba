// The nearest points of a Poincaré ball, and the angle of its cones, from C++: exceptions for errors, the best backend of this machine.

#include <context_graph/cones.hpp>
#include <context_graph/poincare.hpp>

#include <cstdio>
#include <exception>
#include <vector>

int main() {
    using namespace cg;
    // A root and two branches of a tree.
    const std::vector<float> rows{0.05f, 0.0f, 0.5f, 0.0f, 0.0f, 0.5f, 0.8f, 0.1f}, query{0.7f, 0.05f};
    const Points points{rows.data(), 4, 2, 2}, one{query.data(), 1, 2, 2};

    std::vector<float> distances(3);
    std::vector<int64_t> ids(3);
    poincare::nearest(poincare::best_kernel(), {one, nullptr, 1.0, "query"}, {points, nullptr, 1.0, "points"}, 3, nullptr,
                      distances.data(), ids.data(), 1);
    for (int i = 0; i < 3; ++i) std::printf("point %lld %.4f\n", static_cast<long long>(ids[i]), distances[i]);

    std::vector<uint8_t> entailed(4);
    cones::ancestors(cones::best_kernel(), one, points, 0.5, entailed.data(), 1);
    for (int i = 0; i < 4; ++i) std::printf("%s", entailed[i] ? "1" : "0");
    std::printf("\n");

    try {
        const std::vector<float> outside{1.0f, 1.0f};
        const Points far{outside.data(), 1, 2, 2};
        poincare::distance(poincare::best_kernel(), {far, nullptr, 1.0, "x"}, {far, nullptr, 1.0, "y"}, distances.data(), 1);
    } catch (const std::exception& error) {
        std::printf("%s\n", error.what());
    }
}
