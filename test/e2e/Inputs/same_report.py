"""same_report.py A.json B.json: do two reports say the same but for times?

Times are those of the host (cpu_ms_per_variant) and, as they come from a clock, all *_ms. What a time
decides stays compared: the winner, the check, the statuses. Where the workload is (emit_arguments, and header, the
command line with it) is no part of what was found.
"""
import json
import sys


def without_times(value):
    if isinstance(value, dict):
        return {key: without_times(v) for key, v in value.items()
                if "_ms" not in key and "speedup" not in key and key not in ("emit_arguments", "header")}
    return [without_times(v) for v in value] if isinstance(value, list) else value


a, b = (without_times(json.load(open(path))) for path in sys.argv[1:3])
for key in sorted(a.keys() | b.keys()):
    assert a.get(key) == b.get(key), f"{key}:\n  {a.get(key)}\n  {b.get(key)}"
assert a["variants"], "nothing to compare"
