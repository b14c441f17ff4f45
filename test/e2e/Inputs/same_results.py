"""same_results.py A.json B.json: do two reports of gpuprune tune say the same of every variant, wherever
they have it from?"""
import json
import sys

# The first job that a runner has a baseline in samples it fully, later ones once.
OF_THE_RUN = {"from_database", "baseline_samples_ms"}


def rows(path):
    with open(path) as file:
        report = json.load(file)
    return [{key: value for key, value in row.items() if key not in OF_THE_RUN}
            for row in [report["stock"], *report["variants"]]]


first, second = map(rows, sys.argv[1:])
assert len(first) == len(second), f"{len(first)} and {len(second)} rows"
for a, b in zip(first, second):
    assert a == b, f"{a['variant']}: {[(k, a[k], b[k]) for k in a if a[k] != b[k]]}"
