#!/usr/bin/env python3
# Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""made_up_table.py FILE: a table as collect-exhaustive writes it, in the columns that model-accuracy reads. Nine kernels, of which one is not
held out."""
import csv
import sys

COLUMNS = ["kernel", "variant", "status", "check", "twin", "no_win", "efficiency", "utilization", "median_ms", "spread_ms", "program"]


def row(kernel, variant, ms, status="ok", check="bitwise", twin="", no_win="0", spread=0.001, program=""):
    return dict(zip(COLUMNS, [kernel, variant, status, check, twin, no_win, 1 / ms, 1, ms, spread, program]))


rows = []
# The SHA-256 of "shown" is larger than that of any other.
for kernel in ["shown", *(f"hidden{number}" for number in (1, 6, 9, 12, 16, 17, 18, 20))]:
    rows.append(row(kernel, "stock", 10.0))
    rows += [row(kernel, "-DN=1", 2.0), row(kernel, "-DN=3", 1.0), row(kernel, "-DN=4", 1.5), row(kernel, "-DN=5", 1.501)]
    rows += [row(kernel, "-DN=0", 3.0), row(kernel, "-DN=2", 0.5, twin="-DN=3"), row(kernel, "-DN=6", 0.5, check="skipped"),
             row(kernel, "-DN=7", 0.5, no_win="1"), row(kernel, "-DN=8", 2.5, program="0123456789abcdef")]
with open(sys.argv[1], "w", encoding="utf-8", newline="") as file:
    writer = csv.DictWriter(file, COLUMNS)
    writer.writeheader()
    writer.writerows(rows)
