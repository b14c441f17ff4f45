#!/usr/bin/env python3
# Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks what the compiler does not: that rooms depend downwards only, and that
every row of a registry has its page and its tests.

  * A file of lib/ROOM, include/gpuprune/ROOM or tools/ includes headers of its
    own room and of lower ones. The order is the list in lib/CMakeLists.txt;
    tools/ lies above all rooms.
  * A file of lib/ROOM/FOLDER includes headers of its own folder and of lower ones, where lib/ROOM/CMakeLists.txt
    lists the folders; a public header belongs to the folder of the source of the same name.
  * What a room may include of LLVM is limited for the rooms in LIMITS, whether
    directly or through another room's header.
  * Every pass in GpuPrunePasses.def has docs/passes/NAME.md and tests in
    test/NAME; print<NAME> counts as NAME. The rooms of KNOW_NO_PASS name none of them in a
    string.
  * Every row of the tables in NAMED stands where the list says.
  * The code makes every refusal of Refusals.def; docs/refusals.md says of each the same, and of no
    other; the pages of the passes that it names list it; a test in test/ names it.
  * Every folder in kernels/ and kernels/sequences/ has its workload, its reference and its row in
    docs/kernels.md.
  * Every file of C++ in lib/, include/, tools/ and test/unit/ carries the licence,
    and, but for tables, is no longer than LONGEST lines.
  * No two headers define a type of one name in one namespace: a program would take one's destructor for the
    other's, without a word of compiler or linker.

Prints every violation as FILE:LINE: what is wrong, and ends with 1 if there are
any, with 2 if the tree cannot be read.
"""
import argparse
import pathlib
import re
import sys

SOURCES = {".h", ".cpp", ".def", ".inc", ".c", ".cu"}
LONGEST = 500
LICENSED = {".h", ".cpp", ".def", ".inc"}
TESTS = {".ll", ".cu", ".test"}
INCLUDE = re.compile(r'^\s*#\s*include\s+[<"]([^>"]+)[>"]')
FOLDER_LIST = re.compile(r"foreach\(folder IN ITEMS([^)]*)\)")
ROOM_LIST = re.compile(r"foreach\(room IN ITEMS([^)]*)\)")
PASS_ROW = re.compile(r'^GPUPRUNE_PASS\(\w+, "([^"]+)"\)', re.MULTILINE)
# What these say of a pass they have from its descriptor.
KNOW_NO_PASS = [root + room for room in ("Search", "Report", "Variant", "Check", "Driver")
                for root in ("lib/", "include/gpuprune/")]
# Places that may use only some of LLVM: the parts allowed, or those forbidden.
LIMITS = {
    "lib/Runtime": ("only", ("llvm/Support/", "llvm/ADT/")),
    "include/gpuprune/Runtime": ("only", ("llvm/Support/", "llvm/ADT/")),
    "lib/Database": ("only", ("llvm/Support/", "llvm/ADT/")),
    "include/gpuprune/Database": ("only", ("llvm/Support/", "llvm/ADT/")),
    "lib/Record": ("only", ("llvm/Support/", "llvm/ADT/", "llvm/Demangle/")),
    "include/gpuprune/Record": ("only", ("llvm/Support/", "llvm/ADT/")),
    "tools/gpuprune-runner": ("only", ("llvm/Support/", "llvm/ADT/")),
    "lib/Launch": ("only", ("llvm/Support/", "llvm/ADT/")),
    "include/gpuprune/Launch": ("only", ("llvm/Support/", "llvm/ADT/")),
    "lib/Search": ("no", ("llvm/IR/",)),
    "include/gpuprune/Search": ("no", ("llvm/IR/",)),
    "lib/Workload": ("no", ("llvm/IR/",)),
    "include/gpuprune/Workload": ("no", ("llvm/IR/",)),
}

# Tables whose rows have names: the row, the files or folders that must name it, and
# how they write the name.
NAMED = [
    ("include/gpuprune/Search/VariantStatus.def", r'^GPUPRUNE_VARIANT_STATUS\(\w+, "([^"]+)"', ["docs/architecture.md"], "`{}`"),
    ("include/gpuprune/Runtime/ResultStatus.def", r'^GPUPRUNE_RESULT_STATUS\(\w+, "([^"]+)"', ["docs/runner-protocol.md"], "`{}`"),
    ("include/gpuprune/Support/ElementTypes.def", r'^GPUPRUNE_ELEMENT_TYPE\(\w+, "([^"]+)"', ["docs/workload.md"], "{}"),
    ("include/gpuprune/Device/Devices.def", r'^DEVICE\(\.Arch = "([^"]+)"', ["test/unit/Device"], '"{}"'),
    ("include/gpuprune/Transforms/ShapeObstacles.def", r'^GPUPRUNE_SHAPE_OBSTACLE\((\w+),', ["docs/block-shapes.md"], "| `{}`"),
    ("include/gpuprune/Transforms/ShapeObstacles.def", r'^GPUPRUNE_SHAPE_OBSTACLE\((\w+),', ["test/gpu-block-shape"], "{}"),
]
REFUSAL_ROW = re.compile(r'^GPUPRUNE_REFUSAL\((\w+), "([^"]+)"\)', re.MULTILINE)
REFUSAL_MADE = re.compile(r"\bRefusalKind::(\w+)")
NAMESPACE = re.compile(r"^namespace ([\w:]+) \{")
TYPE = re.compile(r"^(?:class|struct|union|enum class) (?:\[\[\w+\]\] )?(\w+)\b(?!::)(?![^{]*;)")
LICENCE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"


def includes(path):
    """Yields (line number, what is included) for each #include of a file."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if match := INCLUDE.match(line):
            yield number, match[1]


def sources(root, folder):
    return sorted(p for p in (root / folder).rglob("*") if p.suffix in SOURCES)


def room_of(header, rooms):
    """The room of gpuprune/ROOM/X.h; none for another header."""
    parts = header.split("/")
    return parts[1] if parts[0] == "gpuprune" and len(parts) > 2 and parts[1] in rooms else None


class Checker:
    def __init__(self, root):
        self.root = root
        self.problems = []
        text = (root / "lib/CMakeLists.txt").read_text(encoding="utf-8")
        match = ROOM_LIST.search(text)
        if not match:
            raise ValueError("lib/CMakeLists.txt: no line 'foreach(room IN ITEMS ...)'")
        self.rooms = match[1].split()

    def problem(self, path, line, text):
        self.problems.append(f"{path.relative_to(self.root)}:{line}: {text}")

    def check_rooms_are_listed(self):
        for base in ("lib", "include/gpuprune"):
            for folder in sorted(p for p in (self.root / base).iterdir() if p.is_dir()):
                if folder.name not in self.rooms:
                    self.problem(folder, 0, "not in the list of rooms in lib/CMakeLists.txt; add it where it belongs")

    def check_directions(self):
        for index, room in enumerate(self.rooms):
            for folder in (f"lib/{room}", f"include/gpuprune/{room}"):
                self.check_folder(folder, room, self.rooms[: index + 1])
        self.check_folder("tools", "tools", self.rooms)

    def check_folder(self, folder, room, allowed):
        for path in sources(self.root, folder):
            for line, header in includes(path):
                if not header.startswith("gpuprune/"):
                    continue
                target = room_of(header, self.rooms)
                if target is None:
                    self.problem(path, line, f"{header} is in no room of lib/CMakeLists.txt")
                elif target not in allowed:
                    self.problem(path, line, f"{room} includes {header}, but {target} lies above {room}")

    def check_folders(self):
        for name in self.rooms:
            self.check_folders_of(name)

    def check_folders_of(self, name):
        room = self.root / "lib" / name
        order = room / "CMakeLists.txt"
        match = FOLDER_LIST.search(order.read_text(encoding="utf-8")) if order.is_file() else None
        if not match:
            return
        folders = match[1].split()
        home = {path.stem: path.parent.name for path in room.glob("*/*") if path.suffix in SOURCES}
        public = self.root / "include/gpuprune" / name
        for path in [*sorted(room.glob("*/*")), *sorted(public.glob("*.h"))]:
            own = home.get(path.stem)
            if path.suffix not in SOURCES or own is None:
                continue
            for line, header in includes(path):
                target = home.get(pathlib.Path(header).stem) if not header.startswith("llvm/") else None
                if header.startswith("gpuprune/") and not header.startswith(f"gpuprune/{name}/"):
                    continue
                if target and folders.index(target) > folders.index(own):
                    self.problem(path, line, f"{own} includes {header}, but {target} lies above {own}")

    def check_limits(self):
        for folder, (kind, parts) in LIMITS.items():
            for path in sources(self.root, folder):
                for line, chain in self.reach(path):
                    header = chain[-1]
                    if header.startswith(parts) == (kind == "no"):
                        rule = f"{folder} includes {kind} {' and '.join(parts)} of LLVM"
                        self.problem(path, line, f"{' -> '.join(chain)}: {rule}")

    def reach(self, path):
        """Yields (line, chain of headers) for each LLVM header that a file
        includes, through headers of the project or not; each header once."""
        seen = set()
        pending = [(line, (header,), path) for line, header in includes(path)]
        while pending:
            line, chain, includer = pending.pop(0)
            header = chain[-1]
            if header in seen:
                continue
            seen.add(header)
            if header.startswith("llvm/"):
                yield line, chain
            for inner in (self.root / "include" / header, includer.parent / header):
                if inner.is_file():
                    pending += [(line, chain + (h,), inner) for _, h in includes(inner)]
                    break

    def check_passes(self):
        table = self.root / "include/gpuprune/Transforms/GpuPrunePasses.def"
        text = table.read_text(encoding="utf-8")
        rows = list(PASS_ROW.finditer(text))
        if not rows:
            raise ValueError(f"{table.relative_to(self.root)}: no row of a pass found")
        for row in rows:
            line = text.count("\n", 0, row.start()) + 1
            name = re.sub(r"^print<(.*)>$", r"\1", row[1])
            if not (self.root / "docs/passes" / f"{name}.md").is_file():
                self.problem(table, line, f"{row[1]} has no page docs/passes/{name}.md")
            if not any(p.suffix in TESTS for p in (self.root / "test" / name).glob("*")):
                self.problem(table, line, f"{row[1]} has no test in test/{name}/")
        self.check_pass_names([row[1] for row in rows])

    def check_pass_names(self, names):
        for folder in KNOW_NO_PASS:
            for path in sources(self.root, folder):
                for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                    for name in names:
                        if f'"{name}' in line:
                            self.problem(path, number, f"{folder} names the pass {name}; ask its descriptor")

    def check_named(self):
        for name, pattern, places, form in NAMED:
            table = self.root / name
            rows = list(re.finditer(pattern, table.read_text(encoding="utf-8"), re.MULTILINE))
            if not rows:
                raise ValueError(f"{name}: no row found")
            for place in places:
                files = sorted(p for p in (self.root / place).rglob("*") if p.is_file()) or [self.root / place]
                text = "\n".join(p.read_text(encoding="utf-8") for p in files)
                for row in rows:
                    written = form.format(row[1])
                    if not re.search(r"(?<!\w)" + re.escape(written) + r"(?!\w)", text):
                        line = table.read_text(encoding="utf-8").count("\n", 0, row.start()) + 1
                        self.problem(table, line, f"{place} does not name {written}")

    def check_refusals(self):
        table = self.root / "include/gpuprune/Support/Refusals.def"
        text = table.read_text(encoding="utf-8")
        page = (self.root / "docs/refusals.md").read_text(encoding="utf-8")
        tests = "\n".join(p.read_text(encoding="utf-8") for p in sorted((self.root / "test").rglob("*"))
                          if p.suffix in TESTS | {".cpp"})
        made = {name for path in sources(self.root, "lib")
                for name in REFUSAL_MADE.findall(path.read_text(encoding="utf-8"))}
        listed = set()
        for row in REFUSAL_ROW.finditer(text):
            name, line = row[1], text.count("\n", 0, row.start()) + 1
            listed.add(name)
            if name not in made:
                self.problem(table, line, f"no code refuses for {name}")
            if f"| `{name}` | {row[2]} |" not in page:
                self.problem(table, line, f"docs/refusals.md does not say the same of {name}")
            by = re.search(rf"^\| `{name}` \|.*\| (.*) \|$", page, re.MULTILINE)
            for refusing in re.findall(r"passes/([\w-]+)\.md", by[1] if by else ""):
                rows = (self.root / f"docs/passes/{refusing}.md").read_text(encoding="utf-8")
                if not re.search(rf"^\| [^|]*\b{name}\b", rows, re.MULTILINE):
                    self.problem(self.root / "docs/refusals.md", 1, f"the page of {refusing} does not list {name}")
            if not re.search(rf"\b{name}\b", tests):
                self.problem(table, line, f"no test provokes {name}")
        for name in re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE):
            if name not in listed:
                self.problem(self.root / "docs/refusals.md", 1, f"{name} is not in {table.relative_to(self.root)}")

    def check_kernels(self):
        page = self.root / "docs/kernels.md"
        text = page.read_text(encoding="utf-8")
        kernels = self.root / "kernels"
        sequences = kernels / "sequences"
        for folder in sorted(p for p in [*kernels.glob("*"), *sequences.glob("*")] if p.is_dir() and p != sequences):
            for name in (f"{folder.name}.cu", "workload.yaml", "reference.cpp"):
                if not (folder / name).is_file():
                    self.problem(folder, 0, f"there is no {name}")
            if f"(../{folder.relative_to(self.root)})" not in text:
                self.problem(folder, 0, "docs/kernels.md has no row for it")

    def check_files(self):
        for base in ("lib", "include", "tools", "test/unit"):
            for path in sources(self.root, base):
                # Inputs of tests are as short as they can be.
                if path.suffix not in LICENSED or "Inputs" in path.parts:
                    continue
                text = path.read_text(encoding="utf-8")
                if LICENCE not in text[:600]:
                    self.problem(path, 1, f"no line '{LICENCE}' at its head")
                if path.suffix in {".h", ".cpp"} and text.count("\n") > LONGEST:
                    self.problem(path, LONGEST, f"the file has {text.count(chr(10))} lines; divide it below {LONGEST}")

    def check_types(self):
        places = {}
        for base in ("lib", "include", "tools"):
            for path in sources(self.root, base):
                if path.suffix == ".h":
                    self.check_types_of(path, places)

    def check_types_of(self, path, places):
        namespace = ""
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if match := NAMESPACE.match(line):
                namespace = match[1]
            elif match := TYPE.match(line):
                first = places.setdefault((namespace, match[1]), path)
                if first != path:
                    self.problem(path, number, f"{namespace}::{match[1]} is defined in {first.relative_to(self.root)} "
                                               "as well; give one of them another name")


def main():
    parser = argparse.ArgumentParser(description="Checks the order of the rooms and the pages and tests of registries.")
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).parent.parent,
                        help="the tree to check (default: the one this script is in)")
    root = parser.parse_args().root.resolve()
    try:
        checker = Checker(root)
        checker.check_rooms_are_listed()
        checker.check_directions()
        checker.check_folders()
        checker.check_limits()
        checker.check_passes()
        checker.check_named()
        checker.check_refusals()
        checker.check_kernels()
        checker.check_files()
        checker.check_types()
    except (OSError, ValueError) as error:
        print(f"check-layers: {error}", file=sys.stderr)
        return 2
    print("\n".join(checker.problems) or f"check-layers: {len(checker.rooms)} rooms and all registries in order")
    return 1 if checker.problems else 0


if __name__ == "__main__":
    sys.exit(main())
