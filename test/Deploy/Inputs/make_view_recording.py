"""Writes the recording of a kernel of view.cu: make_view_recording.py FOLDER SYMBOL AFTER [NAME=VALUE of launch.json ...].

The arrays lie in one granule of 2 MiB, and so does the structure in memory. AFTER is the hash of what the
second array, which the program left as it was, holds after the launch.
"""

import json
import os
import struct
import sys

folder, symbol, after = sys.argv[1:4]
COUNT = 65537
BASE = 0x570000000000 + (1 << 20)
home = os.path.join(folder, "recordings", symbol)
os.makedirs(home, exist_ok=True)


def allocation(number, address, content, after):
    name = "allocation-%d.bin" % number
    with open(os.path.join(home, name), "wb") as file:
        file.write(content)
    return {"address": hex(address), "bytes": len(content), "file": name, "after": after}


inputs = struct.pack("<%df" % COUNT, *[i % 17 / 16 for i in range(COUNT)])
results_at, view_at = BASE + 4 * COUNT + 508, BASE - 512  # Multiples of 512, as the driver has them.
view = struct.pack("<QQi4x", BASE, results_at, COUNT)
launch = {
    "schema": 1,
    "kernel": symbol,
    "arch": "sm_90",
    "gpu": "a GPU",
    "grid": [257, 1, 1],
    "block": [256, 1, 1],
    "dynamic-shared": 0,
    "launches": 10,
    "gpu-ms": 1.5,
    "parameters": [{"bytes": view.hex() if "4View" in symbol and "PK" not in symbol else struct.pack("<Q", view_at).hex()}],
    "allocations": [
        # What the kernel leaves alone is after the launch what it was before.
        allocation(0, BASE, inputs, ""),
        allocation(1, results_at, bytes(len(inputs)), after),
        allocation(2, view_at, view, ""),
    ],
    "variables": [],
}
launch.update((key, json.loads(value)) for key, value in (item.split("=", 1) for item in sys.argv[4:]))
with open(os.path.join(home, "launch.json"), "w") as file:
    json.dump(launch, file)
