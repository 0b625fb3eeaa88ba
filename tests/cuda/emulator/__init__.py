"""CUDA kernels on the processor: `emulate` launches one by its name and launch.json alone."""

from .build import BUILDS, CUDA, LAUNCH, compile_all, include_folders
from .launch import EmulatorError, Launched, emulate, launch_shape

__all__ = [
    "BUILDS",
    "CUDA",
    "LAUNCH",
    "EmulatorError",
    "Launched",
    "compile_all",
    "emulate",
    "include_folders",
    "launch_shape",
]
