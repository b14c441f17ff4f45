"""check_report.py REPORT.json [FACT ...]: is this what `gpuprune tune --format json` promises?

Checks that every field is there with its type and that the fields agree with each other. FACTs
are Python expressions over `report`, `rows` (variant text -> row) and `status` (status -> rows).
"""
import collections
import json
import statistics
import sys

NUMBER, TEXT, LIST = (int, float), str, list
REPORT = {
    "kernel": TEXT, "device": TEXT, "space": int, "distinct": int, "pareto": int,
    "compiled": int, "cpu_ms_per_variant": NUMBER, "skipped_sizes": LIST, "check_cpu_ms": NUMBER, "measuring": (dict, None), "winner": (str, None), "regret": (*NUMBER, None), "variants": LIST,
    "author_winner": (str, None), "random_regret": (*NUMBER, None), "stock": dict, "size": TEXT, "source": TEXT,
    "gpu": TEXT, "not_measured": TEXT, "runner_failed": bool, "fingerprint": TEXT, "exhaustive": bool,
    "strategy": TEXT, "search_note": TEXT, "model_choice": (dict, None), "budget_note": TEXT, "final": dict, "clock": (dict, None), "stopped_after": TEXT, "combinations": int, "removed_by_constraints": LIST, "loops": LIST, "flags": LIST,
}
ROW = {
    "variant": TEXT, "status": TEXT, "message": TEXT, "duplicate_of": (str, None), "duplicate_by": (str, None), "machine_code": TEXT, "registers": (int, None),
    "shared_bytes": (int, None), "local_bytes": (int, None), "blocks_per_sm": (int, None),
    "occupancy": (*NUMBER, None), "instr": (*NUMBER, None), "instr_source": (str, None), "instr_note": TEXT,
    "regions": (*NUMBER, None), "efficiency": (*NUMBER, None), "utilization": (*NUMBER, None), "pareto": bool,
    "modelled_ms": (*NUMBER, None), "modelled_queued_ms": (*NUMBER, None), "modelled_bound": (str, None), "modelled_is_estimate": bool, "modelled_note": TEXT,
    "cpu_check": TEXT, "cpu_check_sizes": LIST, "cpu_check_note": TEXT, "check": TEXT, "median_ms": (*NUMBER, None), "samples_ms": LIST, "spread_ms": (*NUMBER, None), "launches_per_sample": int,
    "warmup_stable": (bool, None), "clock_min_mhz": (int, None), "clock_max_mhz": (int, None), "grid": LIST, "block": LIST,
}
STATUS = {"ok", "spills", "resources", "refused", "frontend", "codegen", "ptxas", "launch", "fault", "timeout",
          "wrong", "slow", "runner", "skipped"}
# What the GPU says: all that a twin with the same machine code has of the other.
OF_GPU = ["check", "check_tolerance", "median_ms", "samples_ms", "spread_ms", "launches_per_sample", "warmup_stable",
          "clock_min_mhz", "clock_max_mhz", "baseline_median_ms", "baseline_samples_ms", "driver_blocks_per_sm",
          "from_database", "pareto", "modelled_ms", "modelled_queued_ms", "modelled_bound", "modelled_is_estimate", "modelled_note", "machine_code", "registers", "grid", "block", "dynamic_shared_bytes"]
SOURCES = {None, "exact-static", "exact-run", "sampled", "estimated"}
CHECKS = {"bitwise", "tolerance", "wrong", "skipped"}


def check_fields(where, value, fields):
    for name, types in fields.items():
        types = types if isinstance(types, tuple) else (types,)
        assert name in value, f"{where}: no field {name}"
        found = value[name]
        ok = found is None if None in types and found is None else type(found) in types
        assert ok, f"{where}: {name} is {found!r}"


def measured(row):
    return row["status"] in ("ok", "spills") and row["check"] in ("bitwise", "tolerance") and row["median_ms"]


def check_final(report, finalists):
    final = report["final"]
    assert report["winner"] in [row["variant"] for row in finalists] and all(measured(row) for row in finalists)
    assert min(row["median_ms"] for row in report["variants"] if measured(row)) == finalists[0]["median_ms"]
    samples = [entry["samples_ms"] for entry in final["entries"]]
    samples += [final["control_samples_ms"], final["stock_samples_ms"]]
    assert all(len(each) == final["rounds"] for each in samples)
    medians = {row["variant"]: statistics.median(each) for row, each in zip(finalists, samples)}
    assert report["winner_median_ms"] == medians[report["winner"]]
    if final["against"]:
        against = {row["variant"]: row for row in final["against"]["finalists"]}
        fastest = min(medians, key=medians.get)
        assert set(against) == set(medians) and (fastest == report["winner"] or against[fastest]["same"])


def check_twin(rows, text, row):
    twin, by = row["duplicate_of"], row["duplicate_by"]
    assert (twin is None) == (by is None) and by in (None, "ptx", "machine-code"), text
    if by == "ptx":
        assert rows[twin]["duplicate_by"] != "ptx" and list(rows).index(twin) < list(rows).index(text)
        same = [key for key in row if key not in ("variant", "duplicate_of", "duplicate_by")]
    elif by == "machine-code":
        assert rows[twin]["duplicate_of"] is None and row["machine_code"] != ""
        assert row["cpu_check"] == "skipped", f"{text} was not run on the CPU"
        assert (row["status"] == "ok") <= (rows[twin]["status"] == "ok"), text
        same = OF_GPU
    else:
        return
    assert all(row[key] == rows[twin][key] for key in same), f"{text} differs from its twin {twin}"


def check(report):
    check_fields("report", report, REPORT)
    rows = {row["variant"]: row for row in report["variants"]}
    assert len(rows) == len(report["variants"]) == report["space"], "a variant is listed twice or not counted"
    for text, row in [*rows.items(), ("stock", report["stock"])]:
        check_fields(text or "as written", row, ROW)
        assert row["status"] in STATUS and row["check"] in CHECKS and row["instr_source"] in SOURCES, text
        assert (row["status"] == "ok") == (row["message"] == ""), f"{text}: {row['status']}: {row['message']}"
        check_twin(rows, text, row)
    originals = [row for row in rows.values() if row["duplicate_of"] is None]
    assert report["distinct"] == sum(row["registers"] is not None for row in originals)
    assert report["pareto"] == sum(row["pareto"] for row in originals)
    times = [row["median_ms"] for row in originals if measured(row)]
    if times:
        finalists = [report["variants"][entry["row"]] for entry in report["final"]["entries"]]
        if finalists:
            check_final(report, finalists)
        else:
            assert report["winner"] is not None and rows[report["winner"]]["median_ms"] == min(times)
            assert report["winner_median_ms"] == min(times)
        assert set(report["replay"]) == {"clang", "opt", "llc", "header"}
    else:
        assert report["winner"] is None and report["not_measured"] != ""
    assert (report["regret"] is not None) == bool(report["exhaustive"] and times)
    return rows


with open(sys.argv[1]) as file:
    report = json.load(file)
rows = check(report)
status = collections.defaultdict(list)
for row in report["variants"]:
    status[row["status"]].append(row)
for fact in sys.argv[2:]:
    assert eval(fact), f"not so: {fact}"
