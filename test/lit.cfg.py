"""How lit runs the tests of passes, plugin and programs.

A test is a file test/<pass or room>/<behaviour>.{ll,cu,test}; its RUN lines use
the substitutions below. Without ptxas, tests that say `REQUIRES: ptxas` are
skipped, as those that say `REQUIRES: gpu` are without a GPU.
"""
import os
import shutil
import subprocess

import lit.formats

config.name = "GpuPrune"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll", ".cu", ".test"]
config.excludes = ["unit", "Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.gpuprune_binary_dir, "test", "lit")

# Compilers are found the way a user's shell finds them.
for name in ("PATH", "HOME", "CUDA_HOME", "GPUPRUNE_CLANG", "GPUPRUNE_PTXAS", "TMPDIR"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
config.environment["PATH"] = os.pathsep.join(
    [config.llvm_tools_dir, config.environment.get("PATH", ""), "/usr/local/cuda/bin"]
)


def find(name, variable):
    return os.environ.get(variable) or shutil.which(name, path=config.environment["PATH"])


bin_dir = os.path.join(config.gpuprune_binary_dir, "bin")
plugin = os.path.join(config.gpuprune_binary_dir, "lib", "libGpuPrune.so")
clang = find("clang++", "GPUPRUNE_CLANG")
ptxas = find("ptxas", "GPUPRUNE_PTXAS")

config.substitutions += [
    ("%clang_device", clang + " -x cuda --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -Wno-unknown-cuda-version"),
    ("%clang", clang + " -Wno-unknown-cuda-version"),
    ("%with_plugin", "-fpass-plugin=" + plugin),
    ("%opt", os.path.join(config.llvm_tools_dir, "opt") + " -load-pass-plugin=" + plugin),
    ("%llc", os.path.join(config.llvm_tools_dir, "llc") + " -O3 -mcpu=sm_90 -mattr=+ptx88"),
    ("%gpuprune-runner", os.path.join(bin_dir, "gpuprune-runner")),
    ("%gpuprune", os.path.join(bin_dir, "gpuprune")),
    ("%kernels", os.path.join(config.gpuprune_source_dir, "kernels")),
    ("%ptxas", (ptxas or "false") + " -arch=sm_90"),
]

if ptxas:
    config.available_features.add("ptxas")


def has_gpu():
    try:
        return subprocess.run(["nvidia-smi", "-L"], capture_output=True).returncode == 0
    except OSError:
        return False


if has_gpu():
    config.available_features.add("gpu")
else:
    lit_config.note("no GPU here: tests that require one are skipped")
