"""same_rows.py A.json B.json: do two reports have the same rows, every field of them?"""
import json
import sys

# Which jobs have a sample of the baseline depends on the order in which they came.
OF_THE_RUN = "baseline_samples_ms"

a, b = (json.load(open(path)) for path in sys.argv[1:3])
assert a["variants"], "nothing to compare"
assert len(a["variants"]) == len(b["variants"])
for x, y in zip([a["stock"], *a["variants"]], [b["stock"], *b["variants"]]):
    x.pop(OF_THE_RUN), y.pop(OF_THE_RUN)
    assert x == y, {field: (x[field], y[field]) for field in x if x[field] != y[field]}
