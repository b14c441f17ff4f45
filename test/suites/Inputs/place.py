# Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts the fake program into a folder under each of the names."""
import pathlib
import sys

here = pathlib.Path(__file__).resolve().parent
folder = pathlib.Path(sys.argv[1])
for name in sys.argv[2:]:
    (folder / f"{name}.gpuprune" / "code").mkdir(parents=True)
    (folder / f"{name}.gpuprune" / "code" / "0.bc").write_bytes(b"code")
    (folder / name).write_text(f"#!{sys.executable}\n{(here / 'program.py').read_text()}")
    (folder / name).chmod(0o755)
