"""Tuning records of the kernels of an example, from recordings that the CUDA runtime for the CPU has written.

usage: records.py GPUPRUNE FOLDER EXAMPLE

FOLDER has the program's device code and recordings; the records of variants.json are written there. Of a kernel that was
launched in several ways, the recording counts for which the most threads were launched. Prints each record's
kernel and variant.
"""

import json
import os
import subprocess
import sys

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "variants.json")) as file:
    TABLE = json.load(file)


def source_name(folder_name):
    """'smooth' of 'smooth-0123456789abcdef'."""
    return folder_name.rsplit("-", 1)[0]


def threads(launch):
    product = launch["launches"]
    for extent in launch["grid"] + launch["block"]:
        product *= extent
    return product


def chosen(folder):
    """The recording of each kernel, by its symbol."""
    found = {}
    for name in sorted(os.listdir(os.path.join(folder, "recordings"))):
        home = os.path.join(folder, "recordings", name)
        with open(os.path.join(home, "launch.json")) as file:
            launch = json.load(file)
        found.setdefault(launch["kernel"], []).append((threads(launch), home, source_name(name)))
    return {symbol: max(all_)[1:] for symbol, all_ in found.items()}


def make_records(gpuprune, folder, variants):
    """Symbols and variants; VARIANTS is by the names of kernels in the source."""
    made, unused = [], set(variants)
    for symbol, (home, name) in sorted(chosen(folder).items()):
        if name not in variants:
            continue
        unused.discard(name)
        path = os.path.join(folder, symbol + ".gpuprune.json")
        subprocess.run([gpuprune, "emit", home, "--to", "record", "--variant", variants[name], "-o", path], check=True,
                       stderr=subprocess.DEVNULL)
        made.append((symbol, variants[name]))
    if unused:
        sys.exit("records.py: no recordings of " + ", ".join(sorted(unused)))
    return made


if __name__ == "__main__":
    for symbol_, variant in make_records(sys.argv[1], sys.argv[2], TABLE[sys.argv[3]]["variants"]):
        print(symbol_, variant)
