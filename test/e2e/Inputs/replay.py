"""replay.py REPORT.json LIBDIR GPUPRUNE WORKLOAD: runs the winner's replay lines as printed, in a
shell, and compares their PTX with each other and with that of `gpuprune emit`. What programs need
that load the plugin, in a sanitizer build, is in GPUPRUNE_PLUGIN_ENVIRONMENT."""
import json
import os
import subprocess
import sys

report, libdir, gpuprune, workload = sys.argv[1:]
with open(report) as file:
    report = json.load(file)
lines = report["replay"]
settings = os.environ.get("GPUPRUNE_PLUGIN_ENVIRONMENT", "").split()
environment = {**os.environ, "LD_LIBRARY_PATH": libdir, **dict(s.split("=", 1) for s in settings)}


def shell(*commands):
    if os.path.exists("kernel.s"):
        os.remove("kernel.s")
    for command in commands:
        subprocess.run(command, shell=True, check=True, env=environment, stderr=subprocess.DEVNULL)
    with open("kernel.s", "rb") as file:
        return file.read()


by_clang = shell(lines["clang"])
by_opt = shell(lines["opt"], lines["llc"])
command = [gpuprune, "emit", workload, "--to", "ptx", "--variant", report["winner"]]
emitted = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
assert b".entry" in emitted
assert by_clang == emitted, "clang++ made other PTX than emit"
assert by_opt == emitted, "opt and llc made other PTX than emit"
