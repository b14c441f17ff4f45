# Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""build_cubins.py FOLDER CLANG SOURCE...: cubins FOLDER/sm_80-1.cubin and so on, for sm_80, 90, 100 and 120, with all
kernels of the sources: .cu, by CLANG, which may be several words, or .ptx. Several sources share a cubin, because
nvdisasm takes half a second to start; as many as have room in constant memory."""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

ARCHITECTURES = (80, 90, 100, 120)
HEADER = ".version 8.8\n.target sm_80\n.address_size 64\n"
DIRECTIVES = re.compile(r"^\.(version|target|address_size)\b.*$", re.MULTILINE)
FUNCTION = re.compile(r"\.(?:entry|func)\s+(?:\([^)]*\)\s*)?([\w$]+)\s*\(")
CONSTANT = re.compile(r"\.const .*\[(\d+)\]")
CONSTANT_BYTES = 60000


def ptx(source, clang, output):
    if source.suffix == ".ptx":
        return source.read_text()
    # To a file, as ccache wants it.
    subprocess.run([*clang, "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_80", "-O3", "-S", str(source),
                    "-o", str(output)], check=True)
    return output.read_text()


def unique(text, number):
    """With another name for each function: some sources have a kernel of the same name."""
    for name in set(FUNCTION.findall(text)):
        text = re.sub(rf"(?<![\w$.]){re.escape(name)}(?![\w$])", f"{name}_{number}", text)
        # What is in its body has a name with that of the function inside.
        text = re.sub(rf"(?<![\w$.])(_ZZ\d*{re.escape(name[2:])}\w*)", rf"\1_{number}", text)
    return DIRECTIVES.sub("", text)


def parts(texts):
    """The texts in as few modules as have room for their constants."""
    modules = []
    for number, text in enumerate(texts):
        size = sum(map(int, CONSTANT.findall(text)))
        for module in modules:
            if module[0] + size <= CONSTANT_BYTES:
                break
        else:
            modules.append(module := [0, ""])
        module[0] += size
        module[1] += unique(text, number)
    return [HEADER + text for _, text in modules]


def assemble(arch, module):
    cubin = module.with_name(f"sm_{arch}-{module.stem}.cubin")
    subprocess.run([os.environ.get("GPUPRUNE_PTXAS", "ptxas"), f"-arch=sm_{arch}", str(module), "-o", str(cubin)], check=True)


def main():
    folder, clang, sources = pathlib.Path(sys.argv[1]), sys.argv[2].split(), [*map(pathlib.Path, sys.argv[3:])]
    folder.mkdir(parents=True, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        outputs = [folder / f"source-{number}.ptx" for number in range(len(sources))]
        texts = list(pool.map(lambda pair: ptx(pair[0], clang, pair[1]), zip(sources, outputs)))
        modules = []
        for number, text in enumerate(parts(texts), 1):
            modules.append(folder / f"{number}.ptx")
            modules[-1].write_text(text)
        for job in [pool.submit(assemble, arch, module) for arch in ARCHITECTURES for module in modules]:
            job.result()


main()
