#!/usr/bin/env python3
# Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stands for ncu over gpuprune-runner: writes a table of two launches at each check size, the first with what saxpy has
at n=1000: the right requests of loads and ten times the sectors of stores."""
import json
import pathlib
import sys

KNOWN = {"l1tex__t_requests_pipe_lsu_mem_global_op_ld": "64", "l1tex__t_sectors_pipe_lsu_mem_global_op_st": "1,250"}
if sys.argv[1] == "--query-metrics":
    print("\n".join(f"{name}  Counter" for name in KNOWN))
    sys.exit()
metrics = sys.argv[sys.argv.index("--metrics") + 1].split(",")
assert metrics == [name + ".sum" for name in KNOWN], metrics
bundle = next(pathlib.Path(a) for a in sys.argv if (pathlib.Path(a) / "plan.jsonl").exists())
jobs = [json.loads(line) for line in (bundle / "plan.jsonl").read_text().splitlines()]
launches = [check["candidate"]["launches"][0] for job in jobs if "id" in job for check in job["checks"]]
columns = ["ID", "Kernel Name", "Block Size", "Grid Size", "Metric Name", "Metric Unit", "Metric Value"]
with open(sys.argv[sys.argv.index("--log-file") + 1], "w", encoding="utf-8") as table:
    print("==PROF== Connected to process", file=table)
    rows = [columns]
    for number, launch in enumerate(launches * 2):
        for name, value in KNOWN.items():
            rows.append([str(number), launch["symbol"], str(tuple(launch["block"])), str(tuple(launch["grid"])),
                         name + ".sum", "", value if number < len(launches) else "5"])
    for row in rows:
        print(",".join(f'"{cell}"' for cell in row), file=table)
