"""Whether builds and launches are right whatever records are there: check_mutations.py FOLDER OF_BUILD.

FOLDER has the records; OF_BUILD stock.ptx, tuned.ptx, what the host's compile says (host.txt), and the program that
is linked with fake-runtime.c. Launches must be those of the author, or what the contract of a record whose kernel is
in tuned.ptx makes of them.
"""

import glob
import hashlib
import json
import os
import re
import subprocess
import sys

from forge import canonical

LAUNCH = re.compile(r"launch (\S+) grid \((\d+), (\d+), (\d+)\) block \((\d+), (\d+), (\d+)\) shared (\d+)((?: hidden \d+)*)$")
HIDDEN = {"grid.x": 0, "grid.y": 1, "grid.z": 2}
ENTRY = re.compile(r"^\.(?:visible|weak) \.entry (\S+)\(", re.MULTILINE)


def without_tuned(ptx):
    """The PTX without functions and variables of tuned kernels, comments and empty lines."""
    lines, skips = [], False
    for line in ptx.splitlines():
        if skips:
            skips = line != "}"
        elif "$gpuprune$" in line:
            skips = not line.rstrip().endswith(";")
        elif line.strip() and not line.lstrip().startswith("//"):
            lines.append(line)
    return lines


def read(path):
    with open(path) as file:
        return file.read()


def symbol_of(record):
    return record["kernel"] + "$gpuprune$" + hashlib.sha256(canonical(record).encode()).hexdigest()[:16]


def read_records(folder):
    """Records by the symbol of their tuned kernel, and the names of files that have another checksum, or none."""
    found, refused = {}, []
    for path in sorted(glob.glob(os.path.join(folder, "*.json"))):
        try:
            with open(path, encoding="utf-8") as file:
                record = json.load(file)
            if hashlib.sha256(canonical(record).encode()).hexdigest() != record["checksum"]:
                raise ValueError("another checksum")
            found[symbol_of(record)] = (path, record)
        except (ValueError, KeyError, TypeError, AttributeError):
            refused.append(os.path.basename(path))
    return found, refused


def extents(text):
    return [int(part) for part in text.split(",")]


def in_blocks(own, grid, block):
    """The grid of as many threads in blocks of `own`; none where these do not divide them."""
    threads = [a * b for a, b in zip(grid, block)]
    return None if any(a % b for a, b in zip(threads, own)) else [a // b for a, b in zip(threads, own)]


def physical(record, grid, block, shared):
    """What the contract makes of a launch; none where the author's kernel is to be launched."""
    variant = record["variants"][0]
    conditions, contract = variant["conditions"], variant["contract"]
    blocks = grid[0] * grid[1] * grid[2]
    if block != conditions["block"] or blocks < conditions["least-blocks"]:
        return None
    if blocks > conditions.get("most-blocks", blocks):
        return None
    own = variant.get("block", block)
    grid = in_blocks(own, grid, block)
    if not grid:
        return None
    hidden = [name for name in contract.get("hidden-parameters", "").split(",") if name]
    launched = []
    for dimension, (extent, divisor) in enumerate(zip(grid, extents(contract.get("grid-divisor", "1,1,1")))):
        if extent % divisor and "grid." + "xyz"[dimension] not in hidden:
            return None
        launched.append(-(-extent // divisor))
    threads = [a // b for a, b in zip(own, extents(contract.get("block-divisor", "1,1,1")))]
    copies = int(contract.get("shared-copies", 1))
    bytes_ = (shared + 15) // 16 * 16 * copies if copies > 1 else shared
    bytes_ += int(contract.get("shared-arrays", 0))
    return launched, threads, bytes_, [shared if name == "shared.bytes" else grid[HIDDEN[name]] for name in hidden]


def launches(program, there, path=None, record=None):
    """What the program launches where only the tuned kernels in the file `there` exist."""
    environment = {**os.environ, "FAKE_ONLY": there}
    if record:
        hidden = [name for name in record["variants"][0]["contract"].get("hidden-parameters", "").split(",") if name]
        environment |= {"FAKE_RECORD": path, "FAKE_ARGUMENTS": str(record["arguments"]["count"]),
                        "FAKE_HIDDEN": str(len(hidden))}
    said = subprocess.run([program], env=environment, capture_output=True, text=True, check=True).stdout
    for line in said.splitlines():
        if match := LAUNCH.match(line):
            numbers = [int(number) for number in match.groups()[1:8]]
            yield match[1], numbers[:3], numbers[3:6], numbers[6], [int(number) for number in match[9].split()[1::2]]


def check_launches(program, folder, records, accepted):
    there = os.path.join(folder, "there.txt")
    with open(there, "w") as file:
        file.write("")
    authors = list(launches(program, there))
    tuned = 0
    for symbol in accepted:
        path, record = records[symbol]
        with open(there, "w") as file:
            file.write(symbol + "\n")
        seen = list(launches(program, there, path, record))
        assert len(seen) == len(authors), path
        for (kernel, *launched), (name, grid, block, shared, _) in zip(seen, authors):
            expected = physical(record, grid, block, shared) if name == record["kernel"] else None
            if expected:
                assert (kernel, tuple(launched)) == (symbol, expected), (path, kernel, launched, expected)
                tuned += 1
            else:
                assert (kernel, *launched) == (name, grid, block, shared, []), (path, kernel, launched)
    return len(authors), tuned


def main(records_folder, folder):
    stock, tuned = (read(os.path.join(folder, name)) for name in ("stock.ptx", "tuned.ptx"))
    assert without_tuned(stock) == without_tuned(tuned), "the author's PTX is another one"
    records, refused = read_records(records_folder)
    accepted = [name for name in ENTRY.findall(tuned) if "$gpuprune$" in name]
    for symbol in accepted:
        assert symbol in records and records[symbol][1]["arch"] == "sm_90", symbol
    said = read(os.path.join(folder, "host.txt"))
    for name in refused:
        assert f"tuning record '{name}' is not used" in said, name
    for path in glob.glob(os.path.join(records_folder, "good-*")):
        assert symbol_of(json.loads(read(path))) in accepted, path
    authors, launched = check_launches(os.path.join(folder, "program"), folder, records, accepted)
    print(f"{len(accepted)} tuned kernels, {launched} of {authors * len(accepted)} launches tuned")


if __name__ == "__main__":
    main(*sys.argv[1:])
