"""What a host of bundles starts: the server over standard input and output."""

import sys

from context_graph.cli import main

if __name__ == "__main__":
    sys.exit(main(["serve", *sys.argv[1:]]))
