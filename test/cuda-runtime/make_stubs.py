# Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the CUDA runtime for the CPU takes from the headers of the CUDA toolkit.

usage: make_stubs.py INCLUDE-FOLDER OUTPUT.cpp

Writes a weak function for each function of the runtime's API, which says that it is missing; those that the runtime
has replace it at link time. So a program links, and says at run time what it lacks. Also writes the names of errors.
"""
import os
import re
import sys

HEAD = """// Made by make_stubs.py.
#include "Stubs.h"
using gpuprune::missing;

extern "C" {
"""


def read(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as header:
        return header.read()


def main(folder, output):
    api = read(folder, "cuda_runtime_api.h")
    names = set(re.findall(r"CUDARTAPI(?:_CDECL)?\s+(cuda\w+)\s*\(", api))
    names |= {name + "_ptsz" for name in re.findall(r"__CUDART_API_PTSZ\((cuda\w+)\)", api)}
    names |= {name + "_ptds" for name in re.findall(r"__CUDART_API_PTDS\((cuda\w+)\)", api)}
    errors = re.findall(r"^\s+(cudaSuccess|cudaError\w+)\s*=\s*(\d+)", read(folder, "driver_types.h"), re.M)
    with open(output, "w", encoding="utf-8") as file:
        file.write(HEAD)
        for name in sorted(names):
            file.write(f'__attribute__((weak)) int {name}() {{ return missing("{name}"); }}\n')
        file.write('} // extern "C"\n\nconst char *gpuprune::errorName(int Error) {\n  switch (Error) {\n')
        for name, number in dict((number, (name, number)) for name, number in errors).values():
            file.write(f'  case {number}:\n    return "{name}";\n')
        file.write("  default:\n    return nullptr;\n  }\n}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
