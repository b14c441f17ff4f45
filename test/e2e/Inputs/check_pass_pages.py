"""check_pass_pages.py PASSES.json FOLDER: does the page of each pass say what the pass says of itself?

PASSES.json is what `gpuprune passes --format json` prints. A page has the text NAME<OPTIONS>
and a table of options, whose first column names each option and, where it has them, its values.
"""
import json
import pathlib
import re
import sys

ROW = re.compile(r"^\| (`.*?`) \|", re.MULTILINE)
OPTION = re.compile(r"`([a-z-]+)(?:=(.*?))?`")


def text_of(option):
    return option["key"] if option["values"] is None else f"{option['key']}={option['values']}"


def options_of(page):
    """The options in the first column of the table of options: key -> texts of its values."""
    table = re.search(r"^\| option \|.*?\n\n", page, re.MULTILINE | re.DOTALL)
    found = {}
    for cell in ROW.findall(table[0].replace("\\|", "|") if table else ""):
        for key, values in OPTION.findall(cell):
            found.setdefault(key, []).append(values)
    return found


def problems_of(described, page):
    if not described["options"]:
        return
    usage = f"{described['name']}<{';'.join(map(text_of, described['options']))}>"
    if f"`{usage}`" not in page:
        yield f"does not say `{usage}`"
    # A printer takes what its pass takes.
    if described["name"].startswith("print<"):
        return
    found = options_of(page)
    for option in described["options"]:
        if option["key"] not in found:
            yield f"no row for {text_of(option)}"
    for key in found.keys() - {option["key"] for option in described["options"]}:
        yield f"{key}= is no option"


def main():
    passes, folder = json.load(open(sys.argv[1], encoding="utf-8")), pathlib.Path(sys.argv[2])
    found = []
    for described in passes:
        path = folder / (re.sub(r"^print<(.*)>$", r"\1", described["name"]) + ".md")
        found += [f"{path.name}: {problem}" for problem in problems_of(described, path.read_text(encoding="utf-8"))]
    print("\n".join(found))
    return 1 if found else 0


sys.exit(main())
