#!/usr/bin/env python3
# Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""clang++ for CUDA programs that run on the CPU.

usage: compile.py --runtime=FOLDER [--clang=COMMAND] [--ccache=PROGRAM] [--cubin] ARGUMENTS

ARGUMENTS are those of clang++: sources (.cu, .cpp, .cc, .c) are compiled, and, without -c, linked with all else
that is named. For each CUDA source clang++ runs twice with these arguments: for the device as far as bitcode, and for the
host, where the bitcode takes the place of the fat binary (CpuImage.h). It is left beside the output, in a file .image. Passes of -fpass-plugin run both times, as
they do when clang++ compiles for a GPU.

  --runtime=FOLDER   where libcudart.so of this folder is built; the program finds it there
  --clang=COMMAND    clang++-22 unless given; may have arguments
  --ccache=PROGRAM   compile through ccache if no argument loads a plugin
  --cubin            also compile for the GPU, with ptxas, and take registers and local memory from there
"""
import argparse
import hashlib
import os
import shlex
import struct
import subprocess
import sys
import tempfile

# Options whose value is the next argument.
WITH_VALUE = {"-I", "-D", "-U", "-L", "-l", "-x", "-include", "-isystem", "-mllvm", "-Xclang", "-Xlinker",
              "-Xcuda-ptxas", "-Xarch_device", "-Xarch_host", "-MF", "-MT", "-T"}
FOR_LINKING = ("-l", "-L", "-Wl,", "-rdynamic", "-shared", "-static-", "-fuse-ld=")
ARCH = ("--offload-arch=", "--cuda-gpu-arch=")


class Arguments:
    """What clang++ is asked to do, in parts."""

    def __init__(self, arguments):
        self.sources, self.objects, self.compile, self.link, self.archs = [], [], [], [], []
        self.output, self.only_compile = None, False
        rest = iter(arguments)
        for argument in rest:
            if argument == "-o":
                self.output = next(rest)
            elif argument == "-c":
                self.only_compile = True
            elif argument.startswith(ARCH):
                self.archs += argument.split("=", 1)[1].split(",")
            elif argument in WITH_VALUE:
                self.place(argument, next(rest))
            elif argument.startswith("-"):
                self.place(argument)
            elif argument.endswith((".cu", ".cpp", ".cc", ".c")):
                self.sources.append(argument)
            else:
                self.objects.append(argument)
        if not self.archs:
            self.archs = ["sm_90"]

    def place(self, *option):
        if option[0].startswith(FOR_LINKING) or option[0] == "-Xlinker":
            self.link += ["-lcudart" if part == "-lcudart_static" else part for part in option]
        else:
            self.compile += option


class Compiler:
    def __init__(self, options, arguments):
        self.options, self.arguments = options, arguments
        plugin = any("plugin" in argument for argument in arguments.compile)
        self.prefix = [options.ccache] if options.ccache and not plugin else []
        self.clang = shlex.split(options.clang)

    def run(self, *arguments, depends=None):
        environment = dict(os.environ)
        if depends:  # ccache does not know that the object depends on it.
            environment["CCACHE_EXTRAFILES"] = depends
        quiet = ["-Wno-unknown-cuda-version", "-Wno-unused-command-line-argument"]
        command = [*self.prefix, *self.clang, *quiet, *self.arguments.compile, *arguments]
        if subprocess.run(command, env=environment).returncode != 0:
            sys.exit("compile.py: failed: " + shlex.join(command))

    def device(self, source, arch, *what):
        with tempfile.TemporaryDirectory() as folder:
            output = os.path.join(folder, "device")
            self.run(f"--offload-arch={arch}", "--cuda-device-only", *what, "-c", source, "-o", output)
            with open(output, "rb") as made:
                return made.read()

    def image(self, source, id_):
        """The bytes that take the place of the fat binary."""
        codes = [(self.device(source, arch, "-emit-llvm", id_),
                  self.device(source, arch, id_) if self.options.cubin else b"") for arch in self.arguments.archs]
        image = b"GPUP-CPU" + struct.pack("<II", 1, len(codes))
        for arch, (bitcode, cubin) in zip(self.arguments.archs, codes):
            number = int("".join(c for c in arch if c.isdigit()))
            image += struct.pack("<IIQQ", number, 0, len(bitcode), len(cubin))
        return image + b"".join(bitcode + cubin for bitcode, cubin in codes)

    def compile(self, source, output, image):
        if not source.endswith(".cu"):
            self.run("-c", source, "-o", output)
            return
        # Names of static variables hold it, and it would differ between the device and the host.
        id_ = "-cuid=" + hashlib.md5(os.path.abspath(source).encode()).hexdigest()[:16]
        with open(image, "wb") as file:
            file.write(self.image(source, id_))
        self.run(*[f"--offload-arch={arch}" for arch in self.arguments.archs], "--cuda-host-only", id_, "-Xclang",
                 "-fcuda-include-gpubinary", "-Xclang", image, "-c", source, "-o", output, depends=image)

    def link(self, objects):
        runtime = os.path.abspath(self.options.runtime)
        command = [*self.clang, "-L" + runtime, "-Wl,-rpath," + runtime, *objects, *self.arguments.objects,
                   *self.arguments.link, "-lcudart", "-o", self.arguments.output or "a.out"]
        return subprocess.run(command).returncode


def main():
    parser = argparse.ArgumentParser(usage=__doc__, allow_abbrev=False)
    parser.add_argument("--runtime", required=True)
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--ccache")
    parser.add_argument("--cubin", action="store_true")
    options, rest = parser.parse_known_args()
    arguments = Arguments(rest)
    if not arguments.only_compile and not os.path.exists(os.path.join(options.runtime, "libcudart.so")):
        sys.exit(f"compile.py: --runtime={options.runtime}: there is no libcudart.so; expected build/release/test/cuda-runtime")
    if "-fgpu-rdc" in arguments.compile:
        sys.exit("compile.py: separate compilation (-fgpu-rdc) is not supported")
    compiler = Compiler(options, arguments)
    if arguments.only_compile:
        for source in arguments.sources:
            stem = os.path.splitext(os.path.basename(source))[0]
            output = arguments.output or stem + ".o"
            compiler.compile(source, output, output + ".image")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        objects = [os.path.join(folder, f"{index}.o") for index in range(len(arguments.sources))]
        for index, (source, output) in enumerate(zip(arguments.sources, objects)):
            # Its name is an argument of the compiler, which ccache compares.
            compiler.compile(source, output, f"{arguments.output or 'a.out'}.{index}.image")
        return compiler.link(objects)


if __name__ == "__main__":
    sys.exit(main())
