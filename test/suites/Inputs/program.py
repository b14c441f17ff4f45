# Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program whose name says what it does wrong, or does not, when its kernels are tuned."""
import array
import os
import pathlib
import sys
import time

name = pathlib.Path(sys.argv[0]).name
tuned = os.environ.get("GPUPRUNE_DISPATCH") != "original"
if name == "ends":
    sys.exit(3)
if name == "late":
    time.sleep(60)
if name == "reads":
    print(pathlib.Path(sys.argv[1]).read_text(), end="")
value = {"close": 1.0001, "wrong": 1.1}.get(name, 1.0) if tuned else 1.0
print(f"took {time.time()} s\nvalue {value}")
if name != "no-file":
    with open("floats", "wb") as out:
        array.array("f", [value, float("nan")] if name != "became-nan" or not tuned else [float("nan")] * 2).tofile(out)
print("FAIL" if name == "says-so" and tuned else "PASS")
sys.exit(name == "exits" and tuned)
