#pragma once
// Kernels by name, launched with arguments that come as bytes.

#include <cstring>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "device.hpp"

namespace emulator {

struct Given {
    bool pointer = false;
    uint64_t bits = 0;  // the address, or the value
    size_t size = 8;
};

struct Entry {
    const void* address;
    size_t parameters;
    bool (*run)(const Configuration& at, const std::vector<Given>& given);
};
inline std::map<std::string, Entry>& entries() {
    static std::map<std::string, Entry> all;
    return all;
}

template <class T>
T taken(const Given& given) {
    if constexpr (std::is_pointer_v<T>) {
        if (!given.pointer) fail("a value was given for a pointer");
        return reinterpret_cast<T>(given.bits);
    } else {
        if (given.pointer || given.size != sizeof(T)) fail("an argument of %zu bytes was given for one of %zu", given.size, sizeof(T));
        return from_bits<T>(given.bits);
    }
}

template <auto kernel>
struct Register;
template <class... P, void (*kernel)(P...)>
struct Register<kernel> {
    explicit Register(const char* name) {
        entries()[name] = {reinterpret_cast<const void*>(kernel), sizeof...(P),
                           [](const Configuration& at, const std::vector<Given>& given) {
                               return run(at, given, std::index_sequence_for<P...>{});
                           }};
    }
    template <size_t... I>
    static bool run(const Configuration& at, const std::vector<Given>& given, std::index_sequence<I...>) {
        std::tuple<P...> arguments(taken<P>(given[I])...);
        return Launch<P...>(kernel, at).call(arguments);
    }
};

}  // namespace emulator
