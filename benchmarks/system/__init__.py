"""How fast and how large the whole system is: start, store, search, embed, open."""

from context_graph.settings import calm_blas

calm_blas()  # as the server and the command do
