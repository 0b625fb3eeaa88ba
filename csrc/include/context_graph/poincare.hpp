#pragma once
// The Poincaré ball of curvature -c, radius 1/sqrt(c): room for a tree, parents near the centre, leaves near the rim.
//
// Everything is written with slack(x) = 1 - c|x|², taken in double and, where kept, rounded to float once: in float alone
// a point near the rim has no correct digit of it left. From slack on, no formula here subtracts numbers that are close:
//
//     d(x, y)    = 2/sqrt(c) asinh sqrt(c|x - y|² / (slack(x) slack(y)))
//     x (+) y    = (slack(x) (x + y) + cs x) / (cs + slack(x) slack(y)),  s = |x + y|²

#include <cstdint>

#include "batch.hpp"
#include "dispatch.hpp"
#include "gpu.hpp"
#include "points.hpp"

namespace cg::poincare {

// What exp_map and mobius_add return stays this far from the rim, as a share of the radius.
inline constexpr double RIM = 1e-6;

// Of c; it is at most 1 / MIN_CURVATURE. Beyond, c|x - y|² of points near each other leaves float.
inline constexpr double MIN_CURVATURE = 1e-20;

// The rows once more in half precision, each padded with zeros to `stride`, a multiple of 32: no row is farther than
// `rest` from its half.
struct Halves {
    const uint16_t* data;
    int64_t stride;
    double rest;
};

// Bit r of out[j * ld + b] is set unless <query j, row i> + gain[j] * slacks[i - begin] + shift[j] is below 0 for sure, for row
// i = begin + 16 b + r; the product is one of bfloat16, and `shift` holds what it may lack. room: 32 * padded numbers.
using RoundedMasks = void(const RoundedQueries& queries, const Points& rows, int64_t begin, int64_t end, const float* slacks,
                          const float* gain, const float* shift, uint16_t* room, uint16_t* out, int64_t ld);

// A backend. The order of a float sum depends on d alone, and all of it is symmetric in x and y.
struct Kernel {
    // |x|² in double.
    double (*square)(const float* x, int64_t d);
    // |x + t y|² in double.
    double (*square_of_sum)(const float* x, const float* y, double t, int64_t d);
    // out = a x + b y in double, rounded once; out may be x.
    void (*blend)(const float* x, double a, const float* y, double b, int64_t d, float* out);
    // out[j * ld + i - begin] = |query j - row i|² for begin <= i < end.
    void (*gaps)(const Points& queries, const Points& rows, int64_t begin, int64_t end, float* out, int64_t ld);
    // out[i - begin] = |query - half i|²; the query is padded as the halves are.
    void (*half_gaps)(const float* query, const Halves& halves, int64_t begin, int64_t end, float* out);
    // In place: gaps[i] becomes c gaps[i] / (slack * slacks[i]), the key that orders as the distance does.
    void (*keys)(float* gaps, const float* slacks, float slack, float c, int64_t n);
    // In place: keys[i] becomes 2/sqrt(c) asinh sqrt(keys[i]).
    void (*lengths)(float* keys, double c, int64_t n);
    RoundedMasks* rounded_masks = nullptr;  // used where bfloat16() says so
    RoundedMasks* tile_masks = nullptr;     // instead, where amx() says so
};
extern const Kernel kernel_scalar, kernel_avx2, kernel_avx512;
// The table of one of them, and of the one that best_isa() names; BackendUnavailable where it is not usable here.
const Kernel& kernel_of(Isa isa);
const Kernel& best_kernel();

// The ball's rows; slacks may be null and are then taken on the way. `name` is what errors call them.
struct Ball {
    Points points;
    const float* slacks;
    double c;
    const char* name;
};

// slack of each row; a row that is not finite or not inside the ball is a std::domain_error.
void slacks(const Kernel& kernel, const Ball& ball, float* out, int threads);

void distance(const Kernel& kernel, const Ball& x, const Ball& y, float* out, int threads);
// (q, n); entry (j, i) has the bits of distance.
void distances(const Kernel& kernel, const Ball& queries, const Ball& rows, float* out, int threads);
// The k nearest rows of each query: distances (q, k) and ids (q, k), ties of the key to the lowest id, padded with +inf
// and -1. The scan orders by key and knows no transcendental function; only the k winners become distances.
void nearest(const Kernel& kernel, const Ball& queries, const Ball& rows, int64_t k, const uint8_t* mask,
             float* distances, int64_t* ids, int threads);

// As nearest, for a batch: products of bfloat16 first, then the rows that can still be among the nearest. The answer is that of
// nearest, bit by bit; the rows need their slacks. Returns how many rows were scored in full.
int64_t nearest_rounded(const Kernel& kernel, RoundedMasks* rounded_masks, const Ball& queries, const Ball& rows, int64_t k,
                        const uint8_t* mask, float* distances, int64_t* ids, int threads);
// What it takes where it is worth it; null where it is not.
RoundedMasks* worth_rounding(const Kernel& kernel, int64_t q, const Ball& rows, int64_t k);

// As nearest, reading halves first and only the rows that can still be among the nearest. The answer is that of nearest,
// bit by bit; the rows need their slacks. Returns how many rows were read in full.
int64_t nearest_screened(const Kernel& kernel, const Ball& queries, const Ball& rows, const Halves& halves, int64_t k,
                         const uint8_t* mask, float* distances, int64_t* ids, int threads);

// Where the geodesic from x with velocity v is after one unit of time, row by row.
void exp_map(const Kernel& kernel, const Ball& x, const Points& v, float* out, int threads);
// The velocity that leads from x to y.
void log_map(const Kernel& kernel, const Ball& x, const Ball& y, float* out, int threads);
void mobius_add(const Kernel& kernel, const Ball& x, const Ball& y, float* out, int threads);
// Rows beyond (1 - eps) of the radius come back to it; others keep their bits.
void project(const Kernel& kernel, const Points& x, double c, double eps, float* out, int threads);

// The same on the current CUDA device; every pointer may lie on the host or on the device. For `context` a cudaStream_t does.
// d <= 12288 for distances and nearest. Hidden rows are not looked at.
void slacks_cuda(const Ball& ball, float* out, const gpu::Context& context = {});
void distance_cuda(const Ball& x, const Ball& y, float* out, const gpu::Context& context = {});
void distances_cuda(const Ball& queries, const Ball& rows, float* out, const gpu::Context& context = {});
void nearest_cuda(const Ball& queries, const Ball& rows, int64_t k, const uint8_t* mask, float* distances, int64_t* ids,
                  const gpu::Context& context = {});
void exp_map_cuda(const Ball& x, const Points& v, float* out, const gpu::Context& context = {});
void log_map_cuda(const Ball& x, const Ball& y, float* out, const gpu::Context& context = {});
void mobius_add_cuda(const Ball& x, const Ball& y, float* out, const gpu::Context& context = {});
void project_cuda(const Points& x, double c, double eps, float* out, const gpu::Context& context = {});

}  // namespace cg::poincare
