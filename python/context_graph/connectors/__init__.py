"""Where memories come from besides a call, and where they go: hooks of an agent, files, folders."""
