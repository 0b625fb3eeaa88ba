// Both vector backends, for a lane type `Lanes` included before. Nothing is fused: the bits are those of the scalar backend.

#include "context_graph/hebbian.hpp"
#include "fetch_edges.hpp"

namespace cg::hebbian {
namespace {

template <Kind KIND>
[[gnu::always_inline]] inline Lanes::Floats learned(Lanes::Floats weight, Lanes::Floats pre, Lanes::Floats post,
                                                    const Rule& rule) {
    const Lanes::Floats rate = Lanes::all(rule.rate);
    Lanes::Floats gain;
    if (KIND == Kind::oja) {
        gain = Lanes::mul(Lanes::mul(rate, post), Lanes::sub(pre, Lanes::mul(post, weight)));
    } else {
        gain = Lanes::mul(Lanes::mul(rate, pre), post);
        if (KIND == Kind::soft) gain = Lanes::mul(gain, Lanes::sub(Lanes::all(1), weight));
    }
    const Lanes::Floats next = Lanes::sub(Lanes::add(weight, gain), Lanes::mul(Lanes::all(rule.decay), weight));
    // The second argument is the answer where one is NaN, so NaN stays NaN.
    return Lanes::min(Lanes::all(rule.most), Lanes::max(Lanes::all(rule.least), next));
}

template <Kind KIND>
inline float learned_one(float weight, float pre, float post, const Rule& rule) {
    float gain;
    if (KIND == Kind::oja) {
        gain = (rule.rate * post) * (pre - post * weight);
    } else {
        gain = (rule.rate * pre) * post;
        if (KIND == Kind::soft) gain = gain * (1.0f - weight);
    }
    const float next = (weight + gain) - rule.decay * weight;
    const float raised = next < rule.least ? rule.least : next;
    return raised > rule.most ? rule.most : raised;
}

// Whether all numbers were finite: x - x is 0 for those and NaN for others, as is what it is added to.
class Finite {
   public:
    [[gnu::always_inline]] void see(Lanes::Floats values) { zeros_ = Lanes::add(zeros_, Lanes::sub(values, values)); }
    void see_one(float value) { zero_ += value - value; }
    bool all() const {
        const __m128 zeros = _mm_add_ps(Lanes::four(zeros_), _mm_set1_ps(zero_));
        return _mm_movemask_ps(_mm_cmpunord_ps(zeros, zeros)) == 0;
    }

   private:
    Lanes::Floats zeros_ = Lanes::all(0);
    float zero_ = 0;
};

// Rows are short, so the vectors run over the edges of many rows.
template <Kind KIND>
bool rows_of(float* weights, const Csr& edges, int64_t begin, int64_t end, const float* pre, const float* post,
             const Rule& rule) {
    constexpr int64_t CHUNK = 1024, AHEAD = 512;
    alignas(64) float pres[CHUNK + Lanes::floats];
    Finite finite;
    int64_t s = begin;
    const int64_t last = edges.offsets[end];
    for (int64_t first = edges.offsets[begin]; first < last; first += CHUNK) {
        const int64_t some = last - first < CHUNK ? last - first : CHUNK;
        for (int64_t j = 0; j < some;) {
            while (edges.offsets[s + 1] <= first + j) ++s;
            const int64_t stop = edges.offsets[s + 1] - first < some ? edges.offsets[s + 1] - first : some;
            // Whole vectors, whose end the next row writes over: how long a row is cannot be foretold.
            for (const Lanes::Floats value = Lanes::all(pre[s]); j < stop; j += Lanes::floats) Lanes::store(pres + j, value);
            j = stop;
        }
        int64_t j = 0;
        for (; j + Lanes::floats <= some; j += Lanes::floats) {
            float* at = weights + first + j;
            __builtin_prefetch(at + AHEAD, 1);
            __builtin_prefetch(edges.targets + first + j + AHEAD);
            const Lanes::Floats posts = Lanes::gather(post, edges.targets + first + j);
            const Lanes::Floats next = learned<KIND>(Lanes::load(at), Lanes::load(pres + j), posts, rule);
            Lanes::store(at, next);
            finite.see(next);
        }
        for (; j < some; ++j) {
            float& weight = weights[first + j];
            weight = learned_one<KIND>(weight, pres[j], post[edges.targets[first + j]], rule);
            finite.see_one(weight);
        }
    }
    return finite.all();
}

template <Kind KIND>
bool tile_of(const Tile& edges, const float* pre, const float* post, const Rule& rule) {
    Finite finite;
    int64_t e = 0;
    for (; e + Lanes::floats <= edges.m; e += Lanes::floats) {
        fetch_edges(edges, e);
        const Lanes::Floats pres = Lanes::gather(pre, edges.sources + e), posts = Lanes::gather_rising(post, edges.targets + e);
        const Lanes::Floats next = learned<KIND>(Lanes::load(edges.weights + e), pres, posts, rule);
        Lanes::store(edges.weights + e, next);
        finite.see(next);
    }
    for (; e < edges.m; ++e) {
        edges.weights[e] = learned_one<KIND>(edges.weights[e], pre[edges.sources[e]], post[edges.targets[e]], rule);
        finite.see_one(edges.weights[e]);
    }
    return finite.all();
}

bool rows(float* weights, const Csr& edges, int64_t begin, int64_t end, const float* pre, const float* post,
          const Rule& rule) {
    switch (rule.kind) {
        case Kind::plain: return rows_of<Kind::plain>(weights, edges, begin, end, pre, post, rule);
        case Kind::soft: return rows_of<Kind::soft>(weights, edges, begin, end, pre, post, rule);
        case Kind::oja: return rows_of<Kind::oja>(weights, edges, begin, end, pre, post, rule);
    }
    return false;
}

bool tile(const Tile& edges, const float* pre, const float* post, const Rule& rule) {
    switch (rule.kind) {
        case Kind::plain: return tile_of<Kind::plain>(edges, pre, post, rule);
        case Kind::soft: return tile_of<Kind::soft>(edges, pre, post, rule);
        case Kind::oja: return tile_of<Kind::oja>(edges, pre, post, rule);
    }
    return false;
}

}  // namespace
}  // namespace cg::hebbian
