# Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compare_disassembly.py LISTER NVDISASM FOLDER: the decoder against nvdisasm, for each FOLDER/sm_<N>-*.cubin.

Of every instruction the name up to the first dot, the guard and the target as `nvdisasm -c -hex` prints them, and the
registers read and written, which `nvdisasm -plr` prints in a table with a column for each register. That table has
nothing on code that is never reached, and of a call what the function does besides. Prints a line for each
architecture and for each difference; ends with 1 if there is one."""
import collections
import pathlib
import re
import subprocess
import sys

FILES = {"GPR": "R", "UGPR": "UR", "PRED": "P", "UPRED": "UP"}
SECTION = re.compile(r'\s*\.section\s+"?(\.text\.[^",]+)')
LABEL = re.compile(r"(\S+):$")
INSTRUCTION = re.compile(r"\s+/\*([0-9a-f]{4,})\*/\s+(?:(@!?U?P\w)\s+)?([\w.]+)(.*?)\s*;")
TARGET = re.compile(r"`\(([^)]*)\)")
HAVE_TARGETS = {"BRA", "BSSY", "CALL"}
Line = collections.namedtuple("Line", "guard name reads writes target")


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def decoded(lister, cubin):
    """The lines by section and offset, and which opcodes wait elsewhere."""
    lines, asynchronous = {}, set()
    for text in run(lister, "list", cubin):
        section, offset, guard, name, reads, writes, target = text.split("\t")
        if name.endswith("*"):
            asynchronous.add(name := name.rstrip("*"))
        lines[section, int(offset, 16)] = Line(guard, name, set(filter(None, reads.split(","))),
                                               set(filter(None, writes.split(","))), int(target, 16) if target else None)
    return lines, asynchronous


def printed(nvdisasm, cubin):
    """Guard, name and target of each instruction; the target as an offset in its section."""
    found, labels, waiting, section = {}, {}, [], None
    for text in run(nvdisasm, "-c", "-hex", cubin):
        if match := SECTION.match(text):
            section, waiting = match[1], []
        elif match := LABEL.match(text):
            waiting.append(match[1])
        elif match := INSTRUCTION.match(text):
            offset = int(match[1], 16)
            labels.update(((section, label), offset) for label in waiting)
            waiting = []
            target = TARGET.search(match[4])
            found[section, offset] = (match[2] or "", match[3].split(".")[0], target and (section, target[1]))
    return {place: (guard, name, labels.get(target)) for place, (guard, name, target) in found.items()}


def columns(names, numbers):
    """The register of each column, from the two lines at the head of a table."""
    bars = [index for index, letter in enumerate(numbers) if letter == "|"]
    groups = [name.strip() for name in names.strip("|").split("|")]
    return {begin + match.end() - 1: FILES[group] + match[0]
            for group, begin, end in zip(groups, bars, bars[1:]) for match in re.finditer(r"\d+", numbers[begin:end])}


def registers(nvdisasm, cubin):
    """Registers read and written of each instruction that is reached."""
    found, section, head, table = {}, None, [], {}
    for text in run(nvdisasm, "-c", "-plr", cubin):
        if match := SECTION.match(text):
            section, head, table = match[1], [], {}
            continue
        begin = text.find("// |")
        if begin < 0:
            continue
        row = text[begin + len("// "):]
        if len(head) < 2:
            head.append(row)
            table = columns(*head) if len(head) == 2 else {}
        elif match := INSTRUCTION.match(text):
            marks = {register: row[column] for column, register in table.items()}
            found[section, int(match[1], 16)] = ({r for r, mark in marks.items() if mark in "vx"},
                                                 {r for r, mark in marks.items() if mark in "^x"})
    return found


def differences(ours, asynchronous, theirs, used):
    for place in ours.keys() ^ theirs.keys():
        yield place, "listed by one of both"
    for place in ours.keys() & theirs.keys():
        line, (guard, name, target) = ours[place], theirs[place]
        if line.name == "Unknown":
            continue
        if (line.guard, line.name) != (guard, name):
            yield place, f"'{line.guard} {line.name}' instead of '{guard} {name}'"
        if name in HAVE_TARGETS and target is not None and line.target != target:
            yield place, f"{name}: target {line.target} instead of {target}"
        if place not in used or name in asynchronous or name == "CALL":
            continue
        reads, writes = used[place]
        # What P2R reads of the predicates is not in the table.
        if (line.reads if name != "P2R" else set()) != reads or line.writes != writes:
            yield place, f"{name}: {line.reads} -> {line.writes} instead of {reads} -> {writes}"


def main():
    lister, nvdisasm, folder = sys.argv[1:]
    counts, problems = collections.defaultdict(collections.Counter), 0
    for cubin in sorted(pathlib.Path(folder).glob("sm_*.cubin")):
        ours, asynchronous = decoded(lister, str(cubin))
        theirs, used = printed(nvdisasm, str(cubin)), registers(nvdisasm, str(cubin))
        count = counts[cubin.stem.split("-")[0]]
        count["instructions"] += len(theirs)
        count["registers"] += len(used)
        for place, line in ours.items():
            if line.name == "Unknown":
                count["unknown"] += 1
                print(f"{cubin.stem}: unknown: {theirs[place][1]}")
        for place, what in differences(ours, asynchronous, theirs, used):
            problems += 1
            print(f"{cubin.stem}: {place[0]} {place[1]:#x}: {what}")
    for arch, count in sorted(counts.items()):
        print(f"{arch}: {count['instructions']} instructions, the registers of {count['registers']}, "
              f"{count['unknown']} unknown")
    return problems > 0


sys.exit(main())
