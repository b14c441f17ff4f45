"""completes.py GPUPRUNE: does each shell's script offer what --help prints?

Every command, every option of it and every value of an enumeration must be in the script; bash,
and other shells where they are found, must read it.
"""
import re
import shutil
import subprocess
import sys

gpuprune = sys.argv[1]


def run(*arguments, **more):
    return subprocess.run(arguments, capture_output=True, text=True, check=True, **more).stdout


def options(help_text):
    """Option (with dashes) -> its enumerated values."""
    found, last = {}, None
    for line in help_text.splitlines():
        if match := re.match(r"  (--?[a-z][a-z0-9-]*)", line):
            last = found.setdefault(match[1], [])
        elif (match := re.match(r"    =(\S+)", line)) and last is not None:
            last.append(match[1])
    return found


top = run(gpuprune, "--help")
commands = re.findall(r"^  (\w+) +- ", top.split("SUBCOMMANDS:")[1].split("OPTIONS:")[0], re.M)
assert {"tune", "metrics", "emit", "report", "devices", "db"} <= set(commands), commands
known = {command: options(run(gpuprune, command, "--help")) for command in commands}
known[""] = options(top)
assert "--bundle" in known["tune"] and known["emit"]["--to"] == ["ir", "ptx", "cubin", "header", "record"], known
for of in known.values():
    of.pop("--help-list", None)  # LLVM shows it only while it prints.


def bash(script, words):
    """What bash offers for the last of the words."""
    quoted = " ".join(f"'{word}'" for word in words)
    code = f"{script}\nCOMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _gpuprune\nprintf '%s\\n' \"${{COMPREPLY[@]}}\""
    return run("bash", "-c", code).split()


script = run(gpuprune, "--completion=bash")
assert set(commands) <= set(bash(script, ["gpuprune", ""])), "commands"
for command, of in known.items():
    before = ["gpuprune", command] if command else ["gpuprune"]
    offered = {word.rstrip("=") for dash in ("-", "--") for word in bash(script, [*before, dash])}
    assert offered == set(of), f"bash {command}: {offered ^ set(of)}"
    for option, values in of.items():
        if values:
            assert bash(script, [*before, option, "=", ""]) == values, f"{command} {option}"
            assert bash(script, [*before, option, "="]) == values
            if command:
                assert bash(script, [*before, option, ""]) == values
assert bash(script, ["gpuprune", "tune", "--stop-after", "=", "pru"]) == ["prune"]
assert bash(script, ["gpuprune", "tune", "--device", "=", "sm_1"]) == ["sm_100", "sm_103", "sm_120", "sm_121"]
assert bash(script, ["gpuprune", "db", "pr"]) == ["prune"]
assert "sm_10" in bash(script, ["gpuprune", "devices", ""])
assert bash(script, ["gpuprune", "tune", "x"]) == [], "files are bash's own part"

script = run(gpuprune, "--completion=zsh")
sections = dict(re.findall(r"^  ('{2}|\w+)\) _arguments(.*?);;$", script, re.M | re.S))
for command, of in known.items():
    section = sections[command or "''"]
    for option, values in of.items():
        assert re.search(rf"'{option}(=|\+)?\[", section), f"zsh {command} {option}"
        assert not values or f"({' '.join(values)})" in section, f"zsh {command} {option}"
if shutil.which("zsh"):
    run("zsh", "-n", "-c", script)

script = run(gpuprune, "--completion=fish")
for command, of in known.items():
    when = f"__fish_seen_subcommand_from {command}" if command else "__fish_use_subcommand"
    assert not command or f"-a {command} " in script, f"fish {command}"
    for option, values in of.items():
        flag = f"-l {option[2:]}" if option.startswith("--") else f"-s {option[1:]}"
        rows = [row for row in script.splitlines() if f"'{when}'" in row and f" {flag} " in row]
        assert len(rows) == 1, f"fish {command} {option}: {rows}"
        assert not values or f"-a '{' '.join(values)}'" in rows[0], f"fish {command} {option}"
if shutil.which("fish"):
    run("fish", "--no-execute", "/dev/stdin", input=script)
