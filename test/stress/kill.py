#!/usr/bin/env python3
# Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""kill.py --gpuprune PROGRAM --runner PROGRAM --fake-cuda LIBRARY [--kills N] [--seed S] [--variants V] FOLDER

Kills `gpuprune tune` with SIGKILL at random moments, alone or with all it started, and starts it again on the
same database until it ends by itself; then begins anew until N kills are done. The runner is started through
runner_log.py, which notes every job. After each kill it holds that

  * the database is whole, and holds what it held before;
  * no job was run whose result was in the database when the run began;
  * of the jobs run since, all but those in flight are in the database: the one that ran, and the one before it, whose
    answer was on its way while the runner went on with a job that it had been given ahead.

Each run that ends by itself must report the same results as a run that nobody disturbed. The driver is the
pretended one of the unit tests, so no GPU is needed. Prints what was seen; ends with 1 if any of it was not so.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
# So that most moments fall into measuring.
SECONDS_A_JOB = 0.05
WORKLOAD = """source: {source}
kernel: twice
sizes: {{ tune: {{ n: 4096 }}, check: [ {{ n: 512 }} ] }}
grid: [ n / 64 ]
block: [ 64 ]
buffers:
  in: {{ type: f32, count: n, fill: {{ uniform: [-1, 1], seed: 1 }}, role: in }}
  out: {{ type: f32, count: n, role: out }}
arguments: [ in, out, {{ i32: n }} ]
space:
  pipeline: "gpu-block-coarsen<x={{x}}>,gpu-registers<max={{r}}>"
  parameters: {{ x: [1, 2, 4, 8], r: {registers} }}
"""


class Stress:
    def __init__(self, options):
        self.options = options
        self.random = random.Random(options.seed)
        self.folder = pathlib.Path(options.folder).resolve()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.database = self.folder / "results.db"
        self.log = self.folder / "jobs.log"
        self.report = self.folder / "report.json"
        self.seen = collections.Counter()
        registers = list(range(32, 32 + max(options.variants // 4, 1)))
        source = HERE.parent / "e2e" / "Inputs" / "twice" / "twice.cu"
        (self.folder / "workload.yaml").write_text(WORKLOAD.format(source=source, registers=registers))

    def start(self, database):
        temporary = self.folder / "tmp"
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir()
        # Rules over a symbol's ending give the variants times of their own.
        environment = dict(os.environ, GPUPRUNE_CUDA_DRIVER=self.options.fake_cuda, TMPDIR=str(temporary),
                           FAKE_CUDA_REAL="_v5=fast,_v7=wrong,_v9=slow")
        runner = [sys.executable, str(HERE / "runner_log.py"), str(self.log), str(SECONDS_A_JOB),
                  self.options.runner]
        command = [self.options.gpuprune, "tune", str(self.folder / "workload.yaml"), "--quiet", "--exhaustive",
                   "--jobs", "1", "--db", str(database), "--runner", shlex.join(runner), "--format", "json",
                   "-o", str(self.report)]
        return subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, start_new_session=True)

    def rows(self):
        report = json.loads(self.report.read_text())
        keys = ("variant", "status", "check", "message", "samples_ms", "median_ms", "baseline_median_ms")
        return report, [{key: row[key] for key in keys} for row in [report["stock"], *report["variants"]]]

    def jobs_run(self):
        return self.log.read_text().splitlines() if self.log.exists() else []

    def stored(self):
        """Jobs in the database, read from a copy: recovering the original is gpuprune's part."""
        copy = self.folder / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        copy.mkdir()
        for name in (self.database.name, self.database.name + "-wal"):
            if (self.folder / name).exists():
                shutil.copy(self.folder / name, copy / name)
        if not (copy / self.database.name).exists():
            return set()
        with sqlite3.connect(copy / self.database.name) as db:
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",), "the database is damaged"
            if not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                return set()
            return {f"{kind} {variant}".strip() for kind, variant in db.execute("SELECT kind, variant FROM results")}

    def wait_for_children(self):
        """What the killed program had started ends by itself."""
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            listed = subprocess.run(["ps", "-eo", "args"], stdout=subprocess.PIPE, text=True).stdout
            if str(self.log) not in listed.replace(str(pathlib.Path(__file__)), ""):
                return
            time.sleep(0.05)
        raise AssertionError("a runner lives on")

    def undisturbed(self):
        began = time.monotonic()
        assert self.start(self.folder / "undisturbed.db").wait() == 0
        self.duration = time.monotonic() - began
        report, self.expected = self.rows()
        self.jobs = self.jobs_run()
        assert len(set(self.jobs)) == len(self.jobs) == report["database"]["stored"], "not each job once"

    def check(self, before):
        """After a kill or an end: the log of this run against the database before and now."""
        now, run = self.stored(), self.jobs_run()
        assert before <= now, f"lost: {before - now}"
        assert not before & set(run), f"run again although stored: {before & set(run)}"
        assert len(run) == len(set(run)), "a job was run twice by one run"
        missing = [job for job in run if job not in now]
        assert missing in ([], run[-1:], run[-2:]), f"run and not stored: {missing}"
        self.seen["jobs run"] += len(run)
        self.seen["in flight when killed"] += len(missing)
        return now

    def round(self):
        """From an empty database to a run that ends by itself."""
        for suffix in ("", "-wal", "-shm"):
            (self.folder / (self.database.name + suffix)).unlink(missing_ok=True)
        before = set()
        while True:
            self.log.unlink(missing_ok=True)
            process = self.start(self.database)
            kill = self.seen["kills"] < self.options.kills
            try:
                code = process.wait(self.random.uniform(0, self.duration) if kill else None)
            except subprocess.TimeoutExpired:
                code = None
                with_children = self.random.random() < 0.5
                (os.killpg if with_children else os.kill)(process.pid, signal.SIGKILL)
                process.wait()
                self.seen["kills"] += 1
                self.seen["kills with all children"] += with_children
            self.wait_for_children()
            during = bool(self.jobs_run())
            before = self.check(before)
            if code is None:
                self.seen["kills while measuring"] += during
                continue
            assert code == 0, f"ended with {code}"
            break
        assert before == set(self.jobs), f"never measured: {set(self.jobs) - before}"
        assert self.rows()[1] == self.expected, "the report differs from that of an undisturbed run"
        self.seen["rounds"] += 1
        self.seen["jobs of the rounds"] += len(self.jobs)

    def main(self):
        self.undisturbed()
        while self.seen["kills"] < self.options.kills:
            self.round()
        repeated = self.seen["jobs run"] - self.seen["jobs of the rounds"]
        print(f"{self.seen['kills']} kills ({self.seen['kills while measuring']} while measuring, "
              f"{self.seen['kills with all children']} with all children) in {self.seen['rounds']} rounds of "
              f"{len(self.jobs)} jobs: {self.seen['jobs run']} jobs run, {repeated} of them again; "
              f"{self.seen['in flight when killed']} were in flight; nothing lost, nothing finished repeated")
        assert repeated == self.seen["in flight when killed"], "more was repeated than was in flight"


def main():
    parser = argparse.ArgumentParser(description="Kills gpuprune tune at random moments and starts it again.")
    parser.add_argument("--gpuprune", required=True)
    parser.add_argument("--runner", required=True)
    parser.add_argument("--fake-cuda", required=True)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--variants", type=int, default=120)
    parser.add_argument("folder")
    try:
        Stress(parser.parse_args()).main()
    except AssertionError as wrong:
        print(f"kill.py: {wrong}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
