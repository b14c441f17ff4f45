"""Writes a recording as the recorder does: make_recording.py FOLDER SYMBOL N [NAME=VALUE of launch.json ...].

The kernel has the parameters (const float *, float *, int) and the variable weights, three floats.
"""

import json
import os
import struct
import sys

folder, symbol, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
home = os.path.join(folder, "recordings", "launch")
os.makedirs(home, exist_ok=True)


def write(name, values):
    with open(os.path.join(home, name), "wb") as file:
        file.write(struct.pack("<%df" % len(values), *values))


def parameter(code, value):
    return {"bytes": struct.pack(code, value).hex()}


def allocation(number, values):
    write("allocation-%d.bin" % number, values)
    address = 0x7F0000000000 + number * 0x10000000
    return {"address": hex(address), "bytes": 4 * len(values), "file": "allocation-%d.bin" % number, "after": ""}


write("variable-0.bin", [0.25, 0.5, 0.25])
allocations = [allocation(0, [i % 17 / 16 for i in range(count)]), allocation(1, [0.0] * count)]
launch = {
    "schema": 1,
    "kernel": symbol,
    "arch": "sm_90",
    "gpu": "a GPU",
    "grid": [-(-count // 256), 1, 1],
    "block": [256, 1, 1],
    "dynamic-shared": 0,
    "launches": 10,
    "gpu-ms": 1.5,
    "parameters": [parameter("<Q", int(a["address"], 16)) for a in allocations] + [parameter("<i", count)],
    "allocations": allocations,
    "variables": [{"symbol": "weights", "bytes": 12, "file": "variable-0.bin"}],
}
launch.update((key, json.loads(value)) for key, value in (item.split("=", 1) for item in sys.argv[4:]))
with open(os.path.join(home, "launch.json"), "w") as file:
    json.dump(launch, file)
