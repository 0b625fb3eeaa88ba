"""What agents can say of a project's Python code by reading it: nothing of it is run, imported or changed."""
