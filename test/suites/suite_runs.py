# Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs programs under `gpuprune record`, tunes them, and compares them with and without their records."""
import dataclasses
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import time

import suite_inputs
import suite_outputs

# The first lines of what `gpuprune record` says at the end: totals, then a row for each kernel.
TOTALS = re.compile(r"^gpuprune: (\d+) kernels?, (\d+) launch(?:es)?, ([\d.]+) ms on the GPU; recorded (\d+) launch", re.MULTILINE)
ROW = re.compile(r"^gpuprune: +([\d.]+) +(\d+) +(\d+)  (.*)$", re.MULTILINE)
MOST_ROWS = 12
# Of a program whose output never is the same twice, further runs are judged by what they say themselves.
COMPARED_ROUNDS = 2


class OutOfTime(Exception):
    """No time is left for a further run."""


class Clock:
    """What is left of the time that the whole command has."""

    def __init__(self, seconds):
        self.end = time.monotonic() + seconds

    def left(self):
        return self.end - time.monotonic()

    def limit(self, seconds):
        """SECONDS, or less where less is left."""
        if self.left() < 1:
            raise OutOfTime()
        return min(seconds, self.left())


@dataclasses.dataclass
class Run:
    status: int
    wall: float
    stdout: str
    stderr: str
    folder: pathlib.Path

    def counted(self):
        """What `gpuprune record` has counted: GPU time, launches, and the rows of the kernels."""
        totals = TOTALS.search(self.stderr)
        if not totals:
            return None
        rows = [{"ms": float(ms), "launches": int(n), "classes": int(c), "kernel": kernel}
                for ms, n, c, kernel in ROW.findall(self.stderr)]
        return {"ms": float(totals[3]), "launches": int(totals[2]), "kernels": int(totals[1]),
                "recorded": int(totals[4]), "rows": rows[:MOST_ROWS]}


class Place:
    """Where programs, inputs and runs lie, and what runs them."""

    def __init__(self, options, clock):
        self.programs = pathlib.Path(options.bin).resolve()
        self.work = pathlib.Path(options.work).resolve()
        self.gpuprune = options.gpuprune
        self.run_limit = options.run_limit
        self.clock = clock

    def binary(self, program):
        return self.programs / program.name

    def folder(self, program):
        return self.programs / f"{program.name}.gpuprune"

    def make_inputs(self, program, size):
        inputs = self.work / "inputs" / program.name
        for file, (maker, *arguments) in program.sizes[size]["inputs"].items():
            suite_inputs.make_input(inputs / file, maker, arguments)
        return inputs

    def run(self, program, size, prefix=(), **variables):
        """One run in an empty folder."""
        inputs = self.make_inputs(program, size)
        folder = self.work / "run" / program.name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        command = [*prefix, str(self.binary(program))]
        command += [a.replace("{inputs}", str(inputs)) for a in program.sizes[size]["args"]]
        environment = {k: v for k, v in os.environ.items() if k not in ("GPUPRUNE_DISPATCH", "GPUPRUNE_DIR")}
        begin = time.monotonic()
        status, out, err = run_command(command, folder, environment | variables, self.clock.limit(self.run_limit))
        return Run(status, time.monotonic() - begin, out, err, folder)

    def record(self, program, size, folder, options=(), **variables):
        return self.run(program, size, [self.gpuprune, "record", f"--dir={folder}", *options, "--"], **variables)

    def count(self, program, size, **variables):
        """A run whose kernels are timed; without device code in the folder nothing is recorded."""
        nothing = self.work / "nothing"
        shutil.rmtree(nothing, ignore_errors=True)
        return self.record(program, size, nothing, **variables)

    def clean(self, program):
        shutil.rmtree(self.work / "run" / program.name, ignore_errors=True)
        shutil.rmtree(self.work / "inputs" / program.name, ignore_errors=True)


def run_command(command, folder, environment, limit):
    """Exit code (124 where the limit was reached), standard output and standard error."""
    try:
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=limit, check=False)
        return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
    except subprocess.TimeoutExpired as late:
        return 124, "", (late.stderr or b"").decode(errors="replace")
    except OSError as problem:
        return 127, "", str(problem)


def tail(text, lines=6):
    return "\n".join(text.splitlines()[-lines:])


def record_program(place, program, options):
    """Records a program's launches at the size that its list names."""
    run = place.record(program, program.recorded, place.folder(program), options.record_option, GPUPRUNE_DISPATCH="original")
    counted = run.counted()
    verdict = suite_outputs.judge_alone(program.output, run.status, run.stdout)
    result = {"ok": verdict.agrees and bool(counted and counted["launches"]), "wall": round(run.wall, 3), "counted": counted}
    if not result["ok"]:
        result["problem"] = verdict.problem or "gpuprune record has counted no launch"
        result["stderr"] = tail(run.stderr)
    return result


def tune_program(place, program, options):
    """Tunes what was recorded; the records are left in the program's folder."""
    folder = place.folder(program)
    if not (folder / "recordings").is_dir():
        return {"ok": False, "problem": "nothing was recorded"}
    command = [place.gpuprune, "tune", str(folder), f"--budget={options.budget:g}", *options.tune_option]
    place.work.mkdir(parents=True, exist_ok=True)
    begin = time.monotonic()
    # Half as much again for what the budget does not cover, such as checks that are under way at its end.
    limit = place.clock.limit(1.5 * options.budget + 30)
    status, out, err = run_command(command, place.work, dict(os.environ), limit)
    records = sorted(p.name for p in folder.glob("*.gpuprune.json"))
    result = {"ok": status == 0, "wall": round(time.monotonic() - begin, 3), "records": records, "report": tail(out, 40)}
    if status:
        result |= {"problem": f"exit code {status}", "stderr": tail(err)}
    return result


class Comparison:
    """The interleaved runs of one program at one size."""

    def __init__(self, place, program, size):
        self.place, self.program, self.size = place, program, size
        self.sides = {side: {"ms": [], "wall": [], "launches": 0, "rows": []} for side in ("original", "tuned")}
        self.reference = None
        self.problems = []
        self.largest = 0.0

    def judge(self, side, number, run):
        verdict = suite_outputs.judge_alone(self.program.output, run.status, run.stdout)
        if verdict.agrees and number < COMPARED_ROUNDS:
            parts, missing = suite_outputs.collect(self.program.output, run.stdout, run.folder)
            if missing:
                verdict = suite_outputs.Verdict(False, problem=missing)
            elif self.reference is None:
                self.reference = parts
            else:
                verdict = suite_outputs.compare_outputs(self.reference, parts, self.program.output)
        self.largest = max(self.largest, verdict.largest)
        if not verdict.agrees:
            self.problems.append(f"{side}, round {number}: {verdict.problem}")

    def round(self, number, timed_alone):
        """One run of each side, in turns which comes first; the first run of all is of the original, the reference."""
        order = ("original", "tuned") if number % 2 == 0 else ("tuned", "original")
        for side in order:
            variables = {"GPUPRUNE_DISPATCH": "original"} if side == "original" else {}
            run = self.place.count(self.program, self.size, **variables)
            self.judge(side, number, run)
            counted = run.counted()
            if counted is None or counted["launches"] == 0:
                self.problems.append(f"{side}, round {number}: no launch was counted: {tail(run.stderr, 2)}")
                continue
            self.sides[side]["ms"].append(counted["ms"])
            self.sides[side] |= {"launches": counted["launches"], "rows": counted["rows"]}
            if timed_alone:
                self.sides[side]["wall"].append(round(self.place.run(self.program, self.size, **variables).wall, 4))

    def result(self):
        result = {"ok": not self.problems, "largest_difference": self.largest, "problems": self.problems[:4],
                  "rounds": len(self.sides["tuned"]["ms"]), **self.sides}
        for kind in ("ms", "wall"):
            original, tuned = (self.sides[side][kind] for side in ("original", "tuned"))
            if original and tuned and statistics.median(tuned):
                result[f"gain_{kind}"] = round(statistics.median(original) / statistics.median(tuned), 4)
        return result


def compare_program(place, program, size, options):
    comparison = Comparison(place, program, size)
    for number in range(options.rounds):
        comparison.round(number, number < options.wall_rounds)
        if len(comparison.problems) > 2 and not comparison.sides["tuned"]["ms"]:
            break  # A program that does not run does not need all rounds.
    return comparison.result()
