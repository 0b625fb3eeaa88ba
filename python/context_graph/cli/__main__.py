"""`python -m context_graph.cli`."""

import sys

from context_graph.cli import main

sys.exit(main())
