"""What follows from what memories state: paths, kinds, causes, and what to ask next."""
