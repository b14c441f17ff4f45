#!/usr/bin/env python3
# Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the documents: all Markdown files of the tree but those below build/.

  * A relative link names a file or folder that exists, and its #anchor a heading
    of that file. Addresses on the web are not looked at.
  * Every page is reached from README.md by links (a link to a folder reaches
    what lies in it).
  * A page in docs/decisions states the decision in its heading and has paragraphs
    that begin with **Decision.** and **Reason.**
  * CONTRIBUTING.md describes the parts of tools/check, each in a row of a table.

Prints every problem as FILE:LINE: what is wrong, and ends with 1 if there are any.
"""
import argparse
import pathlib
import re
import sys

LINK = re.compile(r"(?<!`)!?\[(?:[^\]\[]|\[[^\]]*\])*\]\(([^)\s]+)\)")
HEADING = re.compile(r"#{1,6}\s+(.*?)\s*#*$")
PARTS_OF_A_DECISION = ("**Decision.** ", "**Reason.** ")

PARTS_OF_CHECK = re.compile(r"^parts=\(([^)]*)\)", re.MULTILINE)
ROW_OF_A_PART = re.compile(r"\| `([a-z]+)` \|")


def prose(path):
    """Yields (line number, text) of what is not in a code block."""
    fenced = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield number, line


def anchors(path):
    """The anchors of a page's headings, as the usual renderers make them."""
    found = set()
    for _, line in prose(path):
        if match := HEADING.match(line):
            text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", match[1]).lower()
            slug = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
            count = sum(1 for a in found if a == slug or re.fullmatch(re.escape(slug) + r"-\d+", a))
            found.add(f"{slug}-{count}" if count else slug)
    return found


class Checker:
    def __init__(self, root):
        self.root = root
        self.problems = []
        self.pages = sorted(p for p in root.rglob("*.md") if not self.is_left_out(p))
        self.links = {page: set() for page in self.pages}

    def is_left_out(self, path):
        parts = path.relative_to(self.root).parts
        return parts[0] == "build" or any(part.startswith(".") for part in parts)

    def problem(self, path, line, text):
        self.problems.append(f"{path.relative_to(self.root)}:{line}: {text}")

    def check_links(self):
        for page in self.pages:
            for line, text in prose(page):
                for match in LINK.finditer(re.sub(r"`[^`]*`", "", text)):
                    self.check_link(page, line, match[1])

    def check_link(self, page, line, link):
        if re.match(r"[a-z]+:", link):
            return
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        if not target.exists():
            self.problem(page, line, f"{link}: there is no such file")
            return
        if anchor and target.suffix == ".md" and anchor not in anchors(target):
            self.problem(page, line, f"{link}: {target.name} has no heading of that name")
        self.links[page].add(target)

    def check_reached(self):
        start = self.root / "README.md"
        reached, pending = {start}, [start]
        while pending:
            for target in self.links.get(pending.pop(), ()):
                inside = target.glob("*.md") if target.is_dir() else [target]
                for page in inside:
                    if page not in reached:
                        reached.add(page)
                        pending.append(page)
        for page in self.pages:
            if page not in reached:
                self.problem(page, 1, "no link leads here from README.md")

    def check_decisions(self):
        for page in sorted((self.root / "docs/decisions").glob("*.md")):
            lines = page.read_text(encoding="utf-8").splitlines()
            if not lines or not lines[0].startswith("# "):
                self.problem(page, 1, "a decision begins with a heading that states it")
            for part in PARTS_OF_A_DECISION:
                if not any(line.startswith(part) for line in lines):
                    self.problem(page, 1, f"no paragraph begins with {part.strip()}")

    def check_parts(self):
        script, page = self.root / "tools/check", self.root / "CONTRIBUTING.md"
        match = PARTS_OF_CHECK.search(script.read_text(encoding="utf-8")) if script.exists() else None
        if not match:
            return
        rows = {row[1]: line for line, text in prose(page) if (row := ROW_OF_A_PART.match(text))} if page.exists() else {}
        for part in match[1].split():
            if part not in rows:
                self.problem(page, 1, f"no row of a table describes the part {part} of tools/check")
        for part in sorted(set(rows) - set(match[1].split())):
            self.problem(page, rows[part], f"tools/check has no part {part}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).parent.parent,
                        help="the tree to check (default: the one this script is in)")
    checker = Checker(parser.parse_args().root.resolve())
    if not checker.pages:
        print("check-docs: no Markdown file here", file=sys.stderr)
        return 2
    checker.check_links()
    checker.check_reached()
    checker.check_decisions()
    checker.check_parts()
    print("\n".join(checker.problems) or f"check-docs: {len(checker.pages)} pages in order")
    return 1 if checker.problems else 0


if __name__ == "__main__":
    sys.exit(main())
