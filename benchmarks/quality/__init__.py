"""How well memories are found: recall of evidence, against baselines from the same harness."""

from context_graph.settings import calm_blas

calm_blas()  # as the server and the command do
