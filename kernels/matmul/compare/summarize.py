#!/usr/bin/env python3
"""Sets the best variant of the tool beside the hand-written kernels and cuBLAS of one run.

    summarize.py RESULTS        # the folder that run.sh wrote
"""
import json
import sys

folder = sys.argv[1]
rows = [json.loads(line) for line in open(folder + "/results.jsonl")]
cublas = [json.loads(line)["median_ms"] for line in open(folder + "/cublas.jsonl")]


def best(prefix):
    right = [r for r in rows if r.get("id", "").startswith(prefix) and r["status"] == "ok" and r.get("median_ms")]
    return min(right, key=lambda r: r["median_ms"])


tool, hand, stock = best("variant:"), best("handwritten:"), best("stock")
for row in sorted((r for r in rows if r.get("id", "").startswith("handwritten:")), key=lambda r: r["median_ms"]):
    print(f"{row['median_ms']:8.3f} ms  {row['check']:8}  {row['id'].split(':')[1]}")
print(f"as written, stock clang -O3   {stock['median_ms']:.3f} ms")
print(f"best hand-written             {hand['median_ms']:.3f} ms")
print(f"best of the tool              {tool['median_ms']:.3f} ms")
print(f"cuBLAS SGEMM, before, after   {', '.join(f'{ms:.3f}' for ms in cublas)} ms")
print(f"tool over stock               {tool['baseline_median_ms'] / tool['median_ms']:.2f} times as fast")
print(f"tool over hand-written        {100 * hand['median_ms'] / tool['median_ms']:.1f} % of its speed")
print(f"tool over cuBLAS              {100 * min(cublas) / tool['median_ms']:.1f} % of its speed")
