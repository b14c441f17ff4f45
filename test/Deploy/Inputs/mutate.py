"""Writes records, and 207 mutations of them, into a folder: mutate.py FOLDER GOOD... The same ones each time."""

import copy
import json
import os
import random
import sys

from forge import forge, part_of

ROUNDS = {"bit": 50, "cut": 30, "swap": 20, "arch": 20, "edit": 87}
# A value of another field each, some of which the kernel can be launched with.
EDITS = [
    ("conditions", "block", [128, 1, 1]), ("conditions", "block", [64, 1, 1]), ("conditions", "block", [256, 2, 1]),
    ("conditions", "block", [7, 1, 1]), ("conditions", "block", [1, 1, 1]), ("conditions", "block", [0, 1, 1]),
    ("conditions", "block", [4096, 1, 1]), ("conditions", "least-blocks", 1), ("conditions", "least-blocks", 0), ("conditions", "least-blocks", 2),
    ("conditions", "least-blocks", 3),
    ("conditions", "least-blocks", 257), ("conditions", "least-blocks", -1), ("conditions", "most-blocks", 64),
    ("conditions", "most-blocks", 2**64 - 1), ("conditions", "most-blocks", 256), ("conditions", "only", True),
    ("contract", "grid-divisor", "2,1,1"), ("contract", "grid-divisor", "0,1,1"), ("contract", "grid-divisor", "1,2,1"),
    ("contract", "grid-divisor", "4294967296,1,1"), ("contract", "block-divisor", "2,1,1"),
    ("contract", "block-divisor", "3,1,1"), ("contract", "shared-copies", "8"), ("contract", "shared-arrays", "65536"),
    ("contract", "shared-copies", "4294967295"), ("contract", "pointer-alignment", "256"),
    ("contract", "hidden-parameters", "grid.y"), ("contract", "hidden-parameters", "grid.x"),
    ("contract", "hidden-parameters", "shared.bytes,grid.x"), ("contract", "constant-copies", "0:64:weights"),
    ("contract", "shared-carveout", "0"), ("contract", "unwritten-variables", "weights"),
    ("contract", "future", "1"), ("arguments", "count", 2),
    ("arguments", "count", 255), ("arguments", "pointers", []), ("arguments", "pointers", [[2, 4096]]),
    ("arguments", "pointers", [[0, 2**32 - 1], [1, 0]]), (None, "registers", 33), (None, "registers", 256),
    (None, "variant", "gpu-block-coarsen<x=2;grid=any>"), (None, "variant", ""), (None, "variant", "loop-unroll"),
    (None, "variant", "gpu-unroll<loop=9;factor=2>"), (None, "variant", "gpu-block-coarsen<x=4>"),
    (None, "variant", "gpu-block-coarsen<x=4;kernel=turn>"), (None, "variant", "gpu-block-coarsen<x=4294967295>"),
    (None, "block", [128, 2, 1]), (None, "block", [512, 1, 1]), (None, "block", [64, 2, 1]), (None, "block", [256, 1, 1]),
    (None, "block", [4096, 1, 1]), (None, "block", [128, 1, 1]), (None, "block", [96, 1, 1]), (None, "block", [0, 1, 1]),
    (None, "digest", "0" * 64), (None, "schema", 1), (None, "future", 1), (None, "kernel", "main"),
    (None, "compiled-with", {"clang": "", "gpuprune": "", "ptxas": ""}), (None, "checksum", "0" * 64),
    ("conditions", "loop-end", {"argument": 2, "bits": 32, "signed": True, "least": 1}),
    ("conditions", "loop-end", {"argument": 2, "bits": 64, "signed": True, "least": 1}),
    ("conditions", "loop-end", {"argument": 2, "bits": 32, "signed": False, "least": 2**64 - 1}),
    ("conditions", "loop-end", {"argument": 0, "bits": 64, "signed": False, "least": 0}),
    ("conditions", "loop-end", {"argument": 199, "bits": 32, "signed": True, "least": 0}),
    ("conditions", "loop-end", {"argument": 2, "bits": 32, "signed": True}),
    ("conditions", "loop-end", None),
]
CONDITIONS = [edit for edit in EDITS if edit[0] == "conditions"]


def mutate(kind, number, texts, rng):
    """The text of a mutation; every second one has the checksum that belongs to it."""
    text = texts[number % len(texts)]
    if kind == "bit":
        data = bytearray(text.encode())
        for _ in range(rng.choice((1, 1, 2, 8))):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        return bytes(data)
    if kind == "cut":
        return text[: rng.randrange(len(text))].encode()
    record, other = json.loads(text), json.loads(rng.choice(texts))
    if kind == "swap":
        for key in rng.choice((("kernel",), ("kernel", "digest"), ("variant",), ("contract",), ("contract", "variant"))):
            part_of(record, key)[key] = part_of(other, key)[key]
    elif kind == "arch":
        record["arch"] = rng.choice(("sm_80", "sm_100", "sm_90a", "sm_090", "gfx90a", ""))
    else:
        part, key, value = EDITS[number] if number < len(EDITS) else rng.choice(CONDITIONS)
        (part_of(record, part)[part] if part else part_of(record, key))[key] = copy.deepcopy(value)
    # Most edits alone, for what is edited without it is refused by the checksum, whatever it is.
    forged = forge(record) if number % 4 != 3 else record
    return json.dumps(forged, sort_keys=True, indent=2).encode()


def main(folder, paths):
    rng = random.Random(42)
    texts = []
    for path in paths:
        with open(path) as file:
            texts.append(file.read())
    written = {f"good-{number}": text.encode() for number, text in enumerate(texts)}
    for kind, count in ROUNDS.items():
        for number in range(count):
            written[f"{kind}-{number:02}"] = mutate(kind, number, texts, rng)
    os.makedirs(folder)
    for name, content in written.items():
        with open(os.path.join(folder, name + ".gpuprune.json"), "wb") as file:
            file.write(content)
    print(f"{len(written) - len(texts)} mutations")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
