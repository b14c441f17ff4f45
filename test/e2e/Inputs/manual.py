"""manual.py MANUAL.md PROGRAM...: each subcommand of each program, or the program itself where it has
none, has a section in the manual, which names every option that its --help lists, and no other."""
import os
import re
import subprocess
import sys

HELP_OF_LLVM = {"--help", "--help-list", "--version"}
OPTION = re.compile(r"^ {2}(--?[a-z][\w-]*)", re.MULTILINE)


def help_of(*command):
    return subprocess.run([*command, "--help"], check=True, stdout=subprocess.PIPE, text=True).stdout


def sections(path):
    """The manual's sections by the words of their headings that are no arguments."""
    with open(path, encoding="utf-8") as file:
        parts = re.split(r"^## (.*)\n", file.read(), flags=re.MULTILINE)[1:]
    names = [" ".join(re.findall(r"(?:^|(?<= ))[a-z][\w-]*(?= |$)", heading)) for heading in parts[::2]]
    # A heading may name a required option.
    return {n: re.sub(r"(--\w)", r"`\1", h) + "\n" + t for n, h, t in zip(names, parts[::2], parts[1::2])}


manual = sections(sys.argv[1])
problems = []
for program in sys.argv[2:]:
    listed = re.search(r"SUBCOMMANDS:\n\n((?:  .*\n)+)", help_of(program))
    commands = re.findall(r"^  (\S+)", listed[1], re.MULTILINE) if listed else []
    for command in [[c] for c in commands] or [[]]:
        name = " ".join([os.path.basename(program), *command])
        if name not in manual:
            problems.append(f"{name}: no section in the manual")
            continue
        options = set(OPTION.findall(help_of(program, *command))) - HELP_OF_LLVM
        assert options, f"{name}: --help lists no option"
        # What a command's table or text names; the first cell of a row may name several.
        named = set(re.findall(r"`(--?[a-z][\w-]*)", manual[name])) - HELP_OF_LLVM
        problems += [f"{name}: {option} is not in the manual" for option in sorted(options - named)]
        rows = set(re.findall(r"`(--?[a-z][\w-]*)", " ".join(re.findall(r"^\| (.*?) \|", manual[name], re.MULTILINE))))
        problems += [f"{name}: the manual has {option}, --help does not" for option in sorted(rows - options)]
print("\n".join(problems))
sys.exit(1 if problems else 0)
