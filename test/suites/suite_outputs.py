# Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a run has put out, and whether two runs agree."""
import array
import dataclasses
import math
import pathlib
import re


@dataclasses.dataclass
class Verdict:
    """agrees: whether it is right; largest: the largest relative difference; problem: what is wrong first."""

    agrees: bool
    largest: float = 0.0
    problem: str = ""


def kept_lines(text, keep):
    """The lines that have a match of KEEP, one behind the other."""
    return "".join(line + "\n" for line in text.splitlines() if re.search(keep, line)).encode()


def collect(output, stdout, folder):
    """What is compared of a run: {name: contents}, and what is missing."""
    parts = {}
    for file in output.files:
        path = pathlib.Path(folder) / file
        if not path.is_file():
            return {}, f"the run has not written {file}"
        parts[file] = path.read_bytes()
    if output.keep:
        parts["stdout"] = kept_lines(stdout, output.keep)
        if not parts["stdout"]:
            return {}, f"no line of the output matches '{output.keep}'"
    return parts, ""


def judge_alone(output, status, stdout):
    """Whether a run says of itself that it is right."""
    if status:
        return Verdict(False, problem=f"exit code {status}")
    if output.require and not re.search(output.require, stdout, re.MULTILINE):
        return Verdict(False, problem=f"the output has no '{output.require}'")
    found = re.search(output.forbid, stdout, re.MULTILINE) if output.forbid else None
    return Verdict(False, problem=f"the output has '{found.group(0)}'") if found else Verdict(True)


def numbers_of(token):
    try:
        return float(token)
    except ValueError:
        return None


def difference(a, b, absolute):
    """The relative difference of two numbers; infinite if only one is a NaN, and 0 where both are less than ABSOLUTE apart."""
    if a == b or (math.isnan(a) and math.isnan(b)):
        return 0.0
    if not (math.isfinite(a) and math.isfinite(b)):
        return math.inf
    return 0.0 if abs(a - b) <= absolute else abs(a - b) / max(abs(a), abs(b))


def compare_numbers(name, pairs, output):
    largest = 0.0
    for position, (a, b) in enumerate(pairs):
        apart = difference(a, b, output.absolute)
        if apart > output.tolerance:
            return Verdict(False, apart, f"{name}: value {position}: {a:.9g} became {b:.9g}")
        largest = max(largest, apart)
    return Verdict(True, largest)


def compare_text(name, a, b, output):
    first, second = a.split(), b.split()
    if len(first) != len(second):
        return Verdict(False, math.inf, f"{name}: {len(first)} words became {len(second)}")
    pairs = []
    for x, y in zip(first, second):
        if x == y:
            continue
        both = numbers_of(x), numbers_of(y)
        if None in both:
            return Verdict(False, math.inf, f"{name}: '{x.decode(errors='replace')}' became '{y.decode(errors='replace')}'")
        pairs.append(both)
    return compare_numbers(name, pairs, output)


def compare_floats(name, a, b, output):
    if len(a) != len(b) or len(a) % 4:
        return Verdict(False, math.inf, f"{name}: {len(a)} bytes became {len(b)}")
    first, second = array.array("f", a), array.array("f", b)
    return compare_numbers(name, ((x, y) for x, y in zip(first, second) if x != y), output)


def compare_part(name, a, b, output):
    if a == b:
        return Verdict(True)
    form = output.files.get(name, "text")
    if form == "text":
        return compare_text(name, a, b, output)
    if form == "f32":
        return compare_floats(name, a, b, output)
    return Verdict(False, math.inf, f"{name}: contents differ")


def compare_outputs(reference, parts, output):
    """Whether what a run has put out agrees with REFERENCE, within the tolerance."""
    largest = 0.0
    for name, contents in reference.items():
        verdict = compare_part(name, contents, parts[name], output)
        if not verdict.agrees:
            return verdict
        largest = max(largest, verdict.largest)
    return Verdict(True, largest)
