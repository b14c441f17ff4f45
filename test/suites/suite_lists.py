# Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lists of programs: which programs there are, how they are run, and how their output is judged."""
import dataclasses
import json
import pathlib
import re

import suite_inputs

FORMATS = ("text", "f32", "bytes")
KEYS = {
    "program": {"name", "suite", "sources", "flags", "sizes", "recorded", "output", "truth"},
    "size": {"args", "inputs"},
    "output": {"files", "keep", "require", "forbid", "tolerance", "absolute"},
}


class ListError(Exception):
    """What is wrong with a list, for the user."""


@dataclasses.dataclass
class Output:
    """How the output of a run is judged. Each field is described in README.md."""

    files: dict
    keep: str | None
    require: str | None
    forbid: str | None
    tolerance: float
    absolute: float


@dataclasses.dataclass
class Program:
    name: str
    suite: str
    sources: list
    flags: list
    sizes: dict
    recorded: str
    output: Output
    truth: str


def known_keys(kind, where, value):
    if not isinstance(value, dict):
        raise ListError(f"{where}: expected an object")
    unknown = sorted(set(value) - KEYS[kind])
    if unknown:
        raise ListError(f"{where}: unknown key '{unknown[0]}'")


def read_output(where, value):
    known_keys("output", where, value)
    output = Output(value.get("files", {}), value.get("keep"), value.get("require"), value.get("forbid"),
                    value.get("tolerance", 0), value.get("absolute", 0))
    for file, form in output.files.items():
        if form not in FORMATS:
            raise ListError(f"{where}: '{file}': unknown format '{form}'; there are {', '.join(FORMATS)}")
    for pattern in (output.keep, output.require, output.forbid):
        try:
            re.compile(pattern or "")
        except re.error as problem:
            raise ListError(f"{where}: '{pattern}': {problem}") from None
    if not (output.files or output.keep or output.require):
        raise ListError(f"{where}: nothing says whether a result is right: needs files, keep or require")
    return output


def read_size(where, value):
    known_keys("size", where, value)
    if not isinstance(value.get("args"), list):
        raise ListError(f"{where}: needs args, a list")
    for file, (maker, *_) in value.get("inputs", {}).items():
        if maker not in suite_inputs.MAKERS:
            raise ListError(f"{where}: '{file}': nothing makes inputs of kind '{maker}'")
    return {"args": [str(a) for a in value["args"]], "inputs": value.get("inputs", {})}


def read_program(path, value):
    known_keys("program", path, value)
    name = value.get("name", "")
    where = f"{path}: {name}"
    if not re.fullmatch(r"[\w.-]+", name):
        raise ListError(f"{path}: '{name}' is not a name of letters, digits, '.', '_' and '-'")
    sizes = {size: read_size(f"{where}: {size}", v) for size, v in value.get("sizes", {}).items()}
    if value.get("recorded") not in sizes:
        raise ListError(f"{where}: recorded has to be one of its sizes: {', '.join(sizes) or 'none'}")
    return Program(name, value.get("suite", ""), value.get("sources", []), value.get("flags", []), sizes,
                   value["recorded"], read_output(f"{where}: output", value.get("output", {})),
                   value.get("truth", ""))


def read_list(path):
    """The programs of a list, by name, in the list's order."""
    try:
        value = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
        entries = value["programs"]
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise ListError(f"{path}: not a list of programs: {problem}") from None
    programs = {}
    for entry in entries:
        program = read_program(path, entry)
        if program.name in programs:
            raise ListError(f"{path}: {program.name} is listed twice")
        programs[program.name] = program
    return programs


def select(programs, names):
    """The programs that are named, in the list's order; without names all."""
    unknown = sorted(set(names) - set(programs))
    if unknown:
        raise ListError(f"there is no program '{unknown[0]}' in the list")
    return [p for p in programs.values() if not names or p.name in names]
