"""Whether gpuprune is right about recordings, whatever is in them: check_recordings.py GPUPRUNE FOLDER.

FOLDER has a program a mutation. Tuning, without a GPU, one variant of the kernel that is recorded has to end soon, either
with a reason or with a result that the CPU has compared bit by bit; a tuning record is of the kernel and the grid that the
recording has.
"""

import collections
import concurrent.futures
import json
import math
import os
import shutil
import subprocess
import sys

VARIANT = "gpu-thread-coarsen<dim=x;factor=2>"
SECONDS = 60
LARGEST_CODE = 5  # Larger ones say that something failed that is not the user's.


def run(gpuprune, *arguments):
    """The exit code. Signals, internal errors and too much time are failures."""
    done = subprocess.run([gpuprune, *arguments], capture_output=True, timeout=SECONDS)
    said = done.stderr.decode(errors="replace")
    assert 0 <= done.returncode <= LARGEST_CODE, (arguments, done.returncode, said)
    assert done.returncode == 0 or "error: " in said, (arguments, done.returncode, said)
    return done.returncode


def check_record(path, launch):
    with open(path) as file:
        record = json.load(file)
    blocks = int(float(math.prod(launch["grid"])))
    assert record["kernel"] == launch["kernel"] and record["arch"] == launch["arch"], path
    assert record["variants"][0]["conditions"] == {"block": launch["block"], "least-blocks": blocks}, path


def check(gpuprune, program):
    """"refused", or the row's status and what its check on the CPU has found."""
    recording = os.path.join(program, "recordings", "launch")
    report, record = os.path.join(program, "report.json"), os.path.join(program, "tuned.json")
    code = run(gpuprune, "tune", recording, "--stop-after=check", "--db=none", "--quiet", "--jobs=1", "--variant", VARIANT,
               "--json", report, "-o", os.path.join(program, "table"))
    if code != 0:
        return "refused"
    if run(gpuprune, "emit", recording, "--variant", VARIANT, "--to", "record", "-o", record) == 0:
        with open(os.path.join(recording, "launch.json")) as file:
            check_record(record, json.load(file))
    with open(report) as file:
        row = json.load(file)["variants"][0]
    return row["status"] + " " + row["cpu_check"]


def check_together(gpuprune, programs, folder):
    """All recordings in one folder: those that cannot be read do not hide the others."""
    os.makedirs(os.path.join(folder, "recordings"))
    shutil.copytree(os.path.join(programs[0], "code"), os.path.join(folder, "code"))
    for program in programs:
        shutil.copytree(os.path.join(program, "recordings", "launch"),
                        os.path.join(folder, "recordings", os.path.basename(program)))
    assert run(gpuprune, "record", "check", folder) == 1, "nothing is wrong with any of them"
    run(gpuprune, "record", "show", folder)


def main(gpuprune, folder):
    programs = [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
    check_together(gpuprune, programs, folder + "-together")
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        results = list(pool.map(lambda program: check(gpuprune, program), programs))
    for result, count in sorted(collections.Counter(results).items()):
        print(f"{count} {result}")


if __name__ == "__main__":
    main(*sys.argv[1:])
