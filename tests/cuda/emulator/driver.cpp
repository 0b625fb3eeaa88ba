// One launch from a file: lines of text, an empty line, then the arrays one after another. The answer is the arrays.

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>

#include "driver.hpp"

int main(int, char** names) {
    using namespace emulator;
    std::ifstream request(names[1], std::ios::binary);
    std::string line, kernel;
    dim3 grid, block;
    size_t shared = 0, allowed = 0;
    std::vector<Given> given;
    std::vector<std::pair<char*, size_t>> arrays;
    while (std::getline(request, line) && !line.empty()) {
        std::istringstream words(line);
        std::string word;
        words >> word;
        if (word == "kernel") words >> kernel;
        if (word == "grid") words >> grid.x >> grid.y >> grid.z;
        if (word == "block") words >> block.x >> block.y >> block.z;
        if (word == "shared") words >> shared;
        if (word == "allow") words >> allowed;
        if (word == "seed") words >> settings().seed;
        if (word == "null") given.push_back({true, 0, 8});
        if (word == "value") {
            Given value;
            words >> value.size >> value.bits;
            given.push_back(value);
        }
        if (word == "array") {
            size_t bytes;
            words >> bytes;
            auto* data = static_cast<char*>(allocate(bytes));
            arrays.push_back({data, bytes});
            given.push_back({true, reinterpret_cast<uint64_t>(data), 8});
        }
    }
    for (auto& [data, bytes] : arrays) request.read(data, static_cast<long>(bytes));
    const auto found = entries().find(kernel);
    if (found == entries().end()) fail("no kernel '%s' here", kernel.c_str());
    if (found->second.parameters != given.size()) {
        fail("%s takes %zu arguments, got %zu", kernel.c_str(), found->second.parameters, given.size());
    }
    if (allowed && ::cudaFuncSetAttribute(found->second.address, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                          static_cast<int>(allowed)) != cudaSuccess) {
        fail("%zu bytes of shared memory are more than a block can have", allowed);
    }
    if (!found->second.run({grid, block, shared}, given)) fail("launch refused: %s", cudaGetErrorName(cudaGetLastError()));
    std::ofstream answer(names[2], std::ios::binary);
    for (auto& [data, bytes] : arrays) {
        answer.write(data, static_cast<long>(bytes));
        release(data);
    }
    const Traffic& moved = traffic();
    std::printf("%llu %llu %llu %llu\n", static_cast<unsigned long long>(moved.loaded),
                static_cast<unsigned long long>(moved.stored), static_cast<unsigned long long>(32 * moved.load_sectors),
                static_cast<unsigned long long>(32 * moved.store_sectors));
}
