"""200 mutations of a recorded program: mutate_recordings.py PROGRAM FOLDER. The same ones each time.

PROGRAM has code/ and recordings/launch. Each mutation is a copy of it in FOLDER.
"""

import json
import os
import random
import shutil
import sys

ROUNDS = {"bit-launch": 30, "cut-launch": 20, "bit-code": 15, "cut-code": 5, "bit-bitcode": 20, "cut-bitcode": 5,
          "contents": 20, "swap": 10, "arch": 10, "edit": 65}
# A value of another key each; a key of the first allocation or parameter behind a dot.
EDITS = [
    ("grid", [1, 1, 1]), ("grid", [0, 1, 1]), ("grid", [5]), ("grid", [5, 1, 1, 1]), ("grid", [4, 1, 1]),
    ("grid", [6, 1, 1]), ("grid", [5, 2, 1]), ("grid", [2147483647, 65535, 65535]), ("grid", [4294967295, 1, 1]),
    ("grid", [4294967296, 1, 1]), ("grid", [1, 65536, 1]), ("grid", "5"), ("grid", [5.5, 1, 1]), ("grid", [-5, 1, 1]),
    ("block", [1, 1, 1]), ("block", [255, 1, 1]), ("block", [1024, 1, 1]), ("block", [1025, 1, 1]),
    ("block", [256, 4, 1]), ("block", [256, 8, 1]), ("block", [1, 1, 256]), ("block", [0, 0, 0]), ("block", {}),
    ("dynamic-shared", 1024), ("dynamic-shared", 2**20), ("dynamic-shared", 2**64 - 1), ("dynamic-shared", -1),
    ("launches", 0), ("launches", 2**64 - 1), ("launches", -1), ("launches", 1.5), ("gpu-ms", -1), ("gpu-ms", 0),
    ("gpu-ms", 1e308), ("gpu-ms", "fast"), ("gpu", ""), ("gpu", "'\n  evil: 1"), ("kernel", ""), ("kernel", "average"),
    ("kernel", "_Z7averagePKfPfi\nkernel: other"), ("kernel", "../../other"), ("schema", 2), ("schema", None),
    ("parameters", []), ("parameters", None), ("parameters.bytes", ""), ("parameters.bytes", "00"),
    ("parameters.bytes", "0000000000000000"), ("parameters.bytes", "ffffffffffffffff"), ("parameters.bytes", "zz"),
    ("parameters.bytes", "00" * 70000), ("allocations", []), ("allocations", {}), ("allocations.bytes", 0),
    ("allocations.bytes", 2**64 - 1), ("allocations.bytes", 4101), ("allocations.address", "0x0"),
    ("allocations.address", "0xffffffffffffffff"), ("allocations.address", "7f0000000000"),
    ("allocations.file", "../../../code"), ("allocations.file", "launch.json"), ("allocations.file", "missing.bin"),
    ("allocations.file", "a\n- b"), ("allocations.after", "0" * 32), ("variables", [{"symbol": "weights"}]),
]


def flip(data, rng):
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8))):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(data)


def rewrite(path, change):
    with open(path, "rb") as file:
        data = file.read()
    with open(path, "wb") as file:
        file.write(change(data))


def edit_launch(path, change):
    def changed(data):
        launch = json.loads(data)
        change(launch)
        return json.dumps(launch).encode()

    rewrite(path, changed)


def edit(launch, key, value):
    outer, _, inner = key.partition(".")
    if inner:
        launch[outer][0][inner] = value
    else:
        launch[outer] = value


def change_contents(path, number, rng):
    if number % 4 == 0:
        rewrite(path, lambda data: flip(data, rng))
    elif number % 4 == 1:
        rewrite(path, lambda data: data[: rng.randrange(len(data))])
    elif number % 4 == 2:
        rewrite(path, lambda data: data + bytes(rng.randrange(1, 9)))
    else:
        os.remove(path)


def swap(program, number):
    """Another kernel's name, other contents, or the device code of another program."""
    launch = os.path.join(program, "recordings", "launch", "launch.json")
    if number % 3 == 0:
        edit_launch(launch, lambda it: edit(it, "kernel", ("_Z4oncePi", "_Z5twicePKfPfi")[number // 3 % 2]))
    elif number % 3 == 1:
        def exchange(it):
            first, second = it["allocations"]
            first["file"], second["file"] = second["file"], first["file"]

        edit_launch(launch, exchange)
    else:
        code = os.path.join(program, "code")
        first, second = sorted(name for name in os.listdir(code) if name.endswith(".bc"))[:2]
        os.rename(os.path.join(code, first), os.path.join(code, "other"))
        os.rename(os.path.join(code, second), os.path.join(code, first))
        os.rename(os.path.join(code, "other"), os.path.join(code, second))


def mutate(program, kind, number, rng):
    launch = os.path.join(program, "recordings", "launch", "launch.json")
    what, _, where = kind.partition("-")
    if where:
        suffix = {"launch": None, "code": ".json", "bitcode": ".bc"}[where]
        code = os.path.join(program, "code")
        paths = [launch] if not suffix else [os.path.join(code, name) for name in sorted(os.listdir(code))
                                             if name.endswith(suffix)]
        for path in paths:
            rewrite(path, lambda data: flip(data, rng) if what == "bit" else data[: rng.randrange(len(data))])
    elif kind == "contents":
        change_contents(os.path.join(program, "recordings", "launch", f"allocation-{number % 2}.bin"), number, rng)
    elif kind == "swap":
        swap(program, number)
    elif kind == "arch":
        edit_launch(launch, lambda it: edit(it, "arch", ("sm_80", "sm_100", "sm_90a", "sm_090", "gfx90a", "", "sm_9",
                                                          "compute_90", "sm_90 ", "SM_90")[number]))
    else:
        edit_launch(launch, lambda it: edit(it, *EDITS[number]))


def main(program, folder):
    rng = random.Random(42)
    os.makedirs(folder)
    names = [(kind, number) for kind, count in ROUNDS.items() for number in range(count)]
    for kind, number in names:
        copy = os.path.join(folder, f"{kind}-{number:02}")
        shutil.copytree(program, copy)
        mutate(copy, kind, number, rng)
    print(f"{len(names)} mutations")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
