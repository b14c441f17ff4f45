#!/usr/bin/env python3
"""row_for_any_grid.py REPORT: a variant of the first launch class that takes any grid of the author's block.

Its number among the kernels that are assembled, where two others are before the variants (FAKE_CUDA_REAL=_vNUMBER=…). No twin."""
import json
import sys

with open(sys.argv[1]) as file:
    rows = json.load(file)["classes"][0]["report"]["variants"]
print(2 + next(index for index, row in enumerate(rows)
           if row["median_ms"] and row["duplicate_of"] is None and row["variant"] and "gpu-block-coarsen" not in row["variant"]
           and not row["variant"].startswith("block=") and "gpu-grid" not in row["variant"]))
