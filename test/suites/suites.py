#!/usr/bin/env python3
# Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tunes whole programs and compares them with and without their tuning records; see README.md.

  list      the programs of a list, their arguments and how their output is judged
  inputs    make the input files, and print their sizes
  build     build the programs whose list names sources in this repository
  pack      copy programs, stripped, and the device code and records of their folders
  record    `gpuprune record` of each program
  tune      `gpuprune tune` of what was recorded
  compare   interleaved runs of the author's kernels and the tuned ones
  show      the results as a table

record, tune and compare need Python, `gpuprune` and a GPU. They write the results after each program,
skip what has a result already, and end in time.
"""
import argparse
import concurrent.futures
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE))
import suite_lists  # noqa: E402
import suite_runs  # noqa: E402

ROOT = HERE.parent.parent


class Results:
    """What is known so far, in a file that is whole at any time."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.table = json.loads(self.path.read_text(encoding="utf-8")) if self.path.exists() else {}

    def has(self, step, key):
        return key in self.table.get(step, {})

    def add(self, step, key, result):
        self.table.setdefault(step, {})[key] = result
        unfinished = self.path.with_name(self.path.name + ".unfinished")
        unfinished.write_text(json.dumps(self.table, indent=1) + "\n", encoding="utf-8")
        unfinished.rename(self.path)


def command_list(options, programs):
    for program in programs:
        print(f"{program.name}: {program.suite}: {program.truth}")
        for size, run in program.sizes.items():
            recorded = ", recorded" if size == program.recorded else ""
            print(f"    {size}{recorded}: {' '.join(run['args'])}")
    return 0


def command_inputs(options, programs):
    place = suite_runs.Place(options, suite_runs.Clock(options.time_limit))
    for program in programs:
        for size in program.sizes:
            folder = place.make_inputs(program, size)
            for file in program.sizes[size]["inputs"]:
                print(f"{program.name} {size}: {file}, {(folder / file).stat().st_size} bytes")
    return 0


def compile_program(options, program):
    """The whole program by one call of the compiler; standard error of what failed, else nothing."""
    out = pathlib.Path(options.out).resolve()
    environment = {k: v for k, v in os.environ.items() if k != "GPUPRUNE_DIR"}
    command = [options.clang, "-O3", f"--offload-arch={options.arch}", f"--cuda-path={options.cuda}"]
    command += [f.replace("{cuda}", options.cuda) for f in program.flags]
    if options.plugin:
        command.append(f"-fpass-plugin={pathlib.Path(options.plugin).resolve()}")
        environment["GPUPRUNE_DIR"] = str(out / f"{program.name}.gpuprune")
    command += [str(ROOT / source) for source in program.sources] + ["-o", str(out / program.name)]
    command += [f"-L{options.cuda}/lib64", "-lcudart_static", "-ldl", "-lrt", "-lpthread", "-static-libstdc++", "-static-libgcc"]
    status, _, errors = suite_runs.run_command(command, out, environment, options.run_limit)
    return errors if status else ""


def command_build(options, programs):
    without = [p.name for p in programs if not p.sources]
    if without:
        raise suite_lists.ListError(f"{without[0]} has no sources here: build it as its suite says, with the compiler's options of README.md")
    pathlib.Path(options.out).mkdir(parents=True, exist_ok=True)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for program, errors in zip(programs, pool.map(lambda p: compile_program(options, p), programs)):
            print(f"{program.name}: {'failed' if errors else 'ok'}", flush=True)
            if errors:
                print(errors, file=sys.stderr)
                failed += 1
    return 1 if failed else 0


def copy_folder(source, target):
    """Device code and records, but no recordings."""
    shutil.rmtree(target, ignore_errors=True)
    if (source / "code").is_dir():
        shutil.copytree(source / "code", target / "code")
    for record in source.glob("*.gpuprune.json"):
        target.mkdir(parents=True, exist_ok=True)
        shutil.copy2(record, target)


def command_pack(options, programs):
    source, out = pathlib.Path(options.bin), pathlib.Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    missing = 0
    for program in programs:
        if not (source / program.name).is_file():
            print(f"{program.name}: missing")
            missing += 1
            continue
        subprocess.run(["strip", "-o", str(out / program.name), str(source / program.name)], check=True)
        folder = out / f"{program.name}.gpuprune"
        copy_folder(source / f"{program.name}.gpuprune", folder)
        code = sum(f.stat().st_size for f in folder.rglob("*") if f.is_file())
        print(f"{program.name}: {(out / program.name).stat().st_size} bytes, device code and records {code} bytes")
    return 1 if missing else 0


def each(options, programs, step, keys, do):
    """Runs DO for each program and key without a result, until the time is over; whether all went well."""
    results = Results(options.results)
    place = suite_runs.Place(options, suite_runs.Clock(options.time_limit))
    good = True
    for program in programs:
        for key, name in keys(program):
            if results.has(step, name) and not options.again:
                continue
            begin = time.monotonic()
            try:
                result = do(place, program, key)
            except suite_runs.OutOfTime:
                print(f"{step} {name}: no time left", flush=True)
                return 3
            results.add(step, name, result)
            good = good and result["ok"]
            print(f"{step} {name}: {'ok' if result['ok'] else 'FAILED'} ({time.monotonic() - begin:.1f} s)"
                  f"{summary(step, result)}", flush=True)
        place.clean(program)
    return 0 if good else 1


def summary(step, result):
    if "problem" in result:
        return f": {result['problem']}"
    if step == "record":
        return f": {result['counted']['ms']} ms, {result['counted']['recorded']} recorded"
    if step == "tune":
        return f": {len(result['records'])} records"
    problems = f": {result['problems'][0]}" if result["problems"] else ""
    return f": {result.get('gain_ms', '-')} times as fast{problems}"


def one(program):
    return [(program.recorded, program.name)]


def command_record(options, programs):
    return each(options, programs, "record", one, lambda place, p, _: suite_runs.record_program(place, p, options))


def command_tune(options, programs):
    status = each(options, programs, "tune", one, lambda place, p, _: suite_runs.tune_program(place, p, options))
    if options.archive:
        with tarfile.open(options.archive, "w:gz") as archive:
            for program in programs:
                for record in sorted(pathlib.Path(options.bin, f"{program.name}.gpuprune").glob("*.gpuprune.json")):
                    archive.add(record, f"{program.name}.gpuprune/{record.name}")
    return status


def command_compare(options, programs):
    def sizes(program):
        return [(s, f"{program.name} {s}") for s in program.sizes if s == program.recorded or not options.recorded_only]

    return each(options, programs, "compare", sizes,
                lambda place, p, size: suite_runs.compare_program(place, p, size, options))


def command_show(options, programs):
    table = Results(options.results).table.get("compare", {})
    gains, wrong = [], 0
    print(f"{'program':40} {'original ms':>12} {'tuned ms':>12} {'gain':>7} {'wall':>7}  result")
    for program in programs:
        for size in program.sizes:
            row = table.get(f"{program.name} {size}")
            if row is None:
                continue
            middle = [sorted(row[s]["ms"])[len(row[s]["ms"]) // 2] if row[s]["ms"] else math.nan for s in ("original", "tuned")]
            gain = row.get("gain_ms", math.nan)
            wrong += not row["ok"]
            if row["ok"] and size == program.recorded:
                gains.append(gain)
            print(f"{program.name + ' ' + size:40} {middle[0]:12.3f} {middle[1]:12.3f} {gain:7.3f} "
                  f"{row.get('gain_wall', math.nan):7.3f}  {'ok' if row['ok'] else row['problems'][0]}")
    if gains:
        mean = math.exp(sum(map(math.log, gains)) / len(gains))
        print(f"geometric mean at the recorded sizes: {mean:.3f} of {len(gains)} programs, least {min(gains):.3f}")
    if wrong:
        print(f"{wrong} wrong, which are not in the mean")
    return 1 if wrong else 0


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    actions = {name.removeprefix("command_"): f for name, f in globals().items() if name.startswith("command_")}
    parser.add_argument("action", choices=list(actions))
    parser.add_argument("programs", nargs="*", help="only these programs; default all")
    parser.add_argument("--list", default=str(HERE / "programs.json"), help="programs.json (default) or examples.json")
    parser.add_argument("--bin", default="bin", help="folder of the programs and their .gpuprune folders")
    parser.add_argument("--work", default="work", help="folder for inputs and runs, which are removed at the end")
    parser.add_argument("--results", default="results.json")
    parser.add_argument("--gpuprune", default=shutil.which("gpuprune") or str(ROOT / "build/release/bin/gpuprune"))
    parser.add_argument("--time-limit", type=float, default=3600, help="seconds for all programs together")
    parser.add_argument("--run-limit", type=float, default=120, help="seconds for one run, or for building a program")
    parser.add_argument("--again", action="store_true", help="also what has a result already")
    parser.add_argument("--budget", type=float, default=60, help="tune: seconds for each program")
    parser.add_argument("--record-option", action="append", default=[], help="record: a further option of gpuprune record")
    parser.add_argument("--tune-option", action="append", default=[], help="tune: a further option of gpuprune tune")
    parser.add_argument("--archive", help="tune: write all records into this .tar.gz")
    parser.add_argument("--rounds", type=int, default=7, help="compare: counted runs of each side")
    parser.add_argument("--wall-rounds", type=int, default=3, help="compare: rounds that also run without counting, for wall time")
    parser.add_argument("--recorded-only", action="store_true", help="compare: only the recorded size")
    parser.add_argument("--out", default="bin", help="build, pack: folder to write")
    parser.add_argument("--plugin", help="build: libGpuPrune.so")
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--cuda", default="/usr/local/cuda")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--jobs", type=int, default=2, help="build: programs at a time")
    options = parser.parse_intermixed_args()
    options.do = actions[options.action]
    if os.sep in options.gpuprune:
        options.gpuprune = os.path.abspath(options.gpuprune)
    return options


def main():
    options = parse_arguments()
    try:
        return options.do(options, suite_lists.select(suite_lists.read_list(options.list), options.programs))
    except suite_lists.ListError as problem:
        print(f"suites: {problem}", file=sys.stderr)
        return 2


sys.exit(main())
