"""What the kernels mean, in NumPy and float64: the definition that tests, benchmarks and docs compare with."""
