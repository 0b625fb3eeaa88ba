"""The kernels without the memory: arrays in, arrays out, the fastest backend of this machine."""

import numpy as np

from context_graph.kernels import backends, dense, hdc, poincare

usable = [name for name, state in backends().items() if state["usable"]]
print("usable here:", ", ".join(usable))

# The nearest rows by inner product; an index keeps them as 8-bit integers, or as they are.
rng = np.random.default_rng(1)
rows = rng.standard_normal((10_000, 384), dtype=np.float32)
index = dense.Index(384, dtype="float32")
index.append(rows)
scores, ids = index.search(rows[:2], 3)
print("each row is its own nearest:", ids[:, 0].tolist())

# The same bits on any number of threads, and the definition in NumPy float64 beside every backend.
again, _ = index.search(rows[:2], 3, threads=1)
assert again.tobytes() == scores.tobytes()
exact, _ = dense.topk(rows[:2], rows, 3, backend="reference")
print(f"largest relative error: {abs(scores / exact - 1).max():.0e}")

# Distances in the Poincaré ball: from the centre to the rim they grow without bound.
points = np.array([[0.0, 0.0], [0.9, 0.0], [0.999, 0.0]], np.float32)
print("from the centre:", *(f"{far:.2f}" for far in poincare.distances(points[:1], points)[0]))

# Vectors of 10,000 bits, one a text: alike texts have more bits in common than strange ones.
texts = ["the lamp flickers", "the lamp flickered", "rye bread and butter"]
letters = np.array([ord(letter) for text in texts for letter in text])
vectors = hdc.encode(letters, np.cumsum([0, *map(len, texts)]), ngram=3, seed=1)
print("differing bits:", *hdc.distances(vectors[:1], vectors)[0])
