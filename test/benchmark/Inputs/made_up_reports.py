"""made_up_reports.py FOLDER: reports with figures that can be checked by hand.

In held.json the Pareto set holds the fastest variant; in missed.json, which looks as reports did before machine code was
compared, that one spills. default.json and tuned/missed.json are runs without --exhaustive; modelled/held.json has modelled times.
"""
import json
import os
import sys

NUMBERS = ("instr", "regions", "occupancy", "shared_bytes", "dynamic_shared_bytes", "local_bytes", "spill_store_bytes",
           "spill_load_bytes", "blocks_per_sm")


def row(variant, efficiency, utilization, ms, status="ok", **other):
    known = dict(dict.fromkeys(NUMBERS, 1), variant=variant, status=status, efficiency=efficiency, utilization=utilization,
                 duplicate_of=None, check="bitwise" if ms else "skipped", cpu_check="bitwise", instr_source="exact-static",
                 grid=[64, 2, 1], block=[32, 4, 1], registers=20, pareto=False, median_ms=ms, spread_ms=0.001,
                 samples_ms=[ms] * 7 if ms else [], baseline_median_ms=8, clock_min_mhz=1980)
    return dict(known, **other)


def write(folder, name, rows, exhaustive=True):
    stock = row("", 0.5, 0.5, 8)
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        json.dump(dict(exhaustive=exhaustive, workload=name, stock=stock, variants=rows), file)


def hashed(rows):
    """As reports are since machine code is compared."""
    return [dict({"refusal": None, "no_win": "", "machine_code": f"{index:064x}"[::-1], "duplicate_by": None}, **each)
            for index, each in enumerate(rows)]


def main(folder):
    held = hashed([
        row("", 1, 1, 10),
        row("gpu-unroll<loop=0;factor=2>", 2, 3, 4, pareto=True),
        row("gpu-unroll<loop=0;factor=4>", 3, 2, 2, pareto=True),
        row("gpu-unroll<loop=0;factor=8>", 3, 2, 2, pareto=True, duplicate_of="gpu-unroll<loop=0;factor=4>",
            duplicate_by="machine-code", machine_code=f"{2:064x}"[::-1]),
        row("gpu-unroll<loop=0;factor=16>", 3, 2, 2, pareto=True, duplicate_of="gpu-unroll<loop=0;factor=8>",
            duplicate_by="ptx", machine_code=f"{2:064x}"[::-1]),
        row("gpu-block-coarsen<x=2>", 4, 9, None, "wrong"),
        row("-DN=2", 5, 5, 1, no_win="its result is its own"),
        row("gpu-block-coarsen<x=4>", 2.5, 1.5, 50, "slow"),
        row("gpu-block-coarsen<x=8>", None, None, None, "refused", refusal="ShapeNotDivisible", registers=None)])
    missed = [
        row("", 1, 1, 3),
        row("gpu-unroll<loop=0;factor=2>", 4, 4, 2, pareto=True),
        row("gpu-registers<max=32>", 9, 9, 1.6, "spills"),
        row("gpu-unroll<loop=0;factor=4>", 4, 4, 2.5),
        row("gpu-unroll<loop=0;factor=8>", 0.5, 1, None),
        row("gpu-unroll<loop=0;factor=16>", 4.01, 3.999, 2.2, pareto=True),
        row("gpu-registers<max=64>", 4, 4, 2, pareto=True, duplicate_of="gpu-unroll<loop=0;factor=2>")]
    write(folder, "held.json", held)
    write(folder, "missed.json", missed)
    write(folder, "default.json", held, exhaustive=False)
    os.makedirs(os.path.join(folder, "tuned"))
    write(os.path.join(folder, "tuned"), "missed.json", [missed[0], missed[5], missed[6], missed[4]], exhaustive=False)
    os.makedirs(os.path.join(folder, "modelled"))
    modelled = [dict(each, modelled_ms=each["median_ms"] and 1.25 * each["median_ms"], modelled_queued_ms=13,
                     modelled_bound="dram") for each in held]
    write(os.path.join(folder, "modelled"), "held.json", modelled, exhaustive=False)


main(sys.argv[1])
