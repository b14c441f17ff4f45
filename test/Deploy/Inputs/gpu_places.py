"""Runs gpu-places for pairs of processes: gpu_places.py PROGRAM COUNT. Prints how many were given what they asked for."""

import subprocess
import sys

program, count = sys.argv[1], int(sys.argv[2])
given = 0
for number in range(count):
    addresses = subprocess.run([program, "print"], capture_output=True, text=True, check=True).stdout
    said = subprocess.run([program, "take"], input=addresses, capture_output=True, text=True)
    given += "given" in said.stdout
    if number == 0 or "given" not in said.stdout:
        print(addresses + said.stdout + said.stderr)
print("given: %d of %d" % (given, count))
sys.exit(0 if given == count else 1)
