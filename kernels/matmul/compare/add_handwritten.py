#!/usr/bin/env python3
"""Adds the hand-written kernels to a bundle of `gpuprune tune kernels/matmul --bundle DIR`.

    add_handwritten.py DIR handwritten.cubin

Each becomes a job like those of the tool's variants: checked bit by bit against the
prepared kernel and timed in turn with the same baseline. `gpuprune report` leaves
them out; summarize.py reads them from the results.
"""
import copy
import json
import re
import shutil
import subprocess
import sys

bundle, cubin = sys.argv[1:]
plan = bundle + "/plan.jsonl"
with open(plan) as file:
    header, *jobs = file.read().splitlines()
jobs = [json.loads(job) for job in jobs]
shutil.copy(cubin, bundle + "/handwritten.cubin")
symbols = subprocess.run(["readelf", "-sW", cubin], capture_output=True, text=True, check=True).stdout
names = sorted(set(re.findall(r"\bhand_\d+_\d+_\d+_\d+$", symbols, re.M)))
assert names, "no hand-written kernel in " + cubin

# A job of a variant with each tile size lends its problems, reference and baseline.
template = {}
for job in jobs:
    if job["id"].startswith("variant:") and "reference" in job["checks"][-1]:
        template.setdefault(job["checks"][-1]["reference"]["launches"][0]["block"][0], job)

added = 0
with open(plan, "a") as file:
    for name in names:
        tile, x, y, _ = map(int, name.split("_")[1:])
        if tile not in template:
            continue
        added += 1
        job = copy.deepcopy(template[tile])
        job["id"] = "handwritten:" + name
        checks = []
        for check in job["checks"]:
            launch = copy.deepcopy(check["reference"]["launches"][0])
            if launch["grid"][0] % x or launch["grid"][1] % y:
                continue
            launch.update(cubin="handwritten.cubin", symbol=name, grid=[launch["grid"][0] // x, launch["grid"][1] // y, 1])
            check["candidate"] = {"launches": [launch]}
            checks.append(check)
        job["checks"] = checks
        file.write(json.dumps(job) + "\n")
print(f"{added} hand-written kernels added to {bundle}")
