"""What the CUDA and Triton kernels take on a real card: `python -m benchmarks.gpu`."""
