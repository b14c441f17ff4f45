#!/usr/bin/env python3
# Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws docs/drawings/architecture.svg: the data flow and the order of the rooms.

  architecture.py           writes the file
  architecture.py --check   ends with 1 where the file is not what would be written

The rooms are read from lib/CMakeLists.txt. Colours follow the reader's scheme; the
drawing has a ground of its own, so that it can be read where they do not.
"""
import argparse
import pathlib
import re
import sys
from html import escape

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WIDTH, HEIGHT = 1000, 846

STYLE = """
  .ground { fill: #ffffff; } .box { fill: #f6f8fa; stroke: #8b949e; } .data { fill: none; stroke: none; }
  .panel { fill: #eef4fb; stroke: #54769c; } .plugin { fill: none; stroke: #a65e00; stroke-dasharray: 5 4; }
  .room { fill: #f6f8fa; stroke: #8b949e; }
  text { fill: #1f2328; font: 14px "DejaVu Sans", Verdana, sans-serif; }
  .head { font-weight: bold; font-size: 16px; } .small { font-size: 12px; } .of { fill: #0a5cad; font-size: 12px; }
  .note { fill: #8a4f00; font-size: 12px; } .file { font-family: "DejaVu Sans Mono", monospace; font-size: 13px; }
  .line { stroke: #57606a; fill: none; stroke-width: 1.5; } .tip { fill: #57606a; }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117; } .box, .room { fill: #161b22; stroke: #6e7681; } .panel { fill: #101d2e; stroke: #58789c; }
    .plugin { stroke: #d29922; } text { fill: #e6edf3; } .of { fill: #79b8ff; } .note { fill: #e3b341; }
    .line { stroke: #9198a1; } .tip { fill: #9198a1; }
  }
"""

drawn = []


def text(x, y, words, kind=""):
    shown = f' class="{kind}"' if kind else ""
    drawn.append(f'<text x="{x}" y="{y}" text-anchor="middle"{shown}>{escape(words)}</text>')


def rectangle(x, y, width, height, kind, radius=6):
    drawn.append(f'<rect class="{kind}" x="{x}" y="{y}" width="{width}" height="{height}" rx="{radius}"/>')


def box(x, y, width, lines, rooms, height=74):
    """A step: what it does, and in blue the rooms that do it."""
    rectangle(x, y, width, height, "box")
    middle, top = x + width / 2, y + height / 2 - 9 * len(lines) + 5
    for number, line in enumerate(lines):
        text(middle, top + 18 * number, line, "" if number == 0 else "small")
    text(middle, top + 18 * len(lines), rooms, "of")


def arrow(*points, label="", at=None):
    """Along the points; the label lies beside the point `at`."""
    path = " ".join(f"{x},{y}" for x, y in points)
    drawn.append(f'<polyline class="line" marker-end="url(#tip)" points="{path}"/>')
    if label:
        drawn.append(f'<text class="small" x="{at[0]}" y="{at[1]}">{escape(label)}</text>')


def flow():
    text(345, 34, "From a kernel to the fastest variant", "head")
    text(135, 66, "kernel.cu", "file")
    text(440, 66, "workload.yaml", "file")
    arrow((135, 74), (135, 96))
    box(30, 98, 210, ["front end: clang++", "once per set of defines"], "CodeGen")
    arrow((400, 74), (360, 96))
    arrow((480, 74), (555, 96))
    box(270, 98, 180, ["launches, buffers", "for each size"], "Workload")
    box(470, 98, 190, ["space of variants", "each one a line of text"], "Search")

    rectangle(20, 216, 650, 196, "panel", 10)
    text(345, 238, "one variant: in process, a context of its own, on all cores", "small")
    arrow((90, 172), (90, 266), label="device bitcode", at=(98, 196))
    arrow((360, 172), (360, 214), label="launch", at=(367, 196))
    arrow((565, 172), (565, 214), label="-DTILE=16 gpu-…", at=(572, 196))
    rectangle(30, 252, 377, 124, "plugin", 8)
    steps = [
        (["gpu-prepare"], "Transforms"),
        (["variant's passes"], "Passes, Transforms"),
        (["default<O3>"], "LLVM"),
        (["frequencies", "of each block"], "Analysis"),
        (["PTX generator", "with counts"], "LLVM, Analysis"),
    ]
    x = 38
    for number, (width, (lines, rooms)) in enumerate(zip((102, 130, 102, 102, 128), steps)):
        box(x, 268, width, lines, rooms)
        if number:
            arrow((x - 14, 305), (x - 2, 305))
        x += width + 14
    text(220, 364, "libGpuPrune.so does the same in clang++ and opt", "note")
    text(345, 398, "launch contract: how the grid and the block were changed", "small")

    arrow((595, 342), (595, 440), label="PTX, counts", at=(602, 432))
    box(470, 442, 190, ["ptxas", "up to 20 variants a run"], "CodeGen")
    arrow((470, 479), (452, 479))
    box(250, 442, 200, ["occupancy, metrics", "a row of the table"], "Device, Analysis")
    arrow((250, 479), (232, 479))
    box(30, 442, 200, ["spill screen, Pareto set", "what is worth measuring"], "Search")

    rectangle(20, 556, 650, 136, "panel", 10)
    text(405, 578, "gpuprune-runner: a process of its own, here or where the GPU is; no LLVM", "small")
    arrow((130, 516), (130, 596), label="jobs: cubins, launches, buffers", at=(138, 544))
    box(30, 598, 300, ["check bit by bit", "against the prepared kernel"], "Runtime")
    arrow((330, 635), (358, 635))
    box(360, 598, 300, ["time", "in turn with stock clang++ -O3"], "Runtime")

    arrow((555, 672), (555, 742), label="results", at=(563, 714))
    box(450, 744, 210, ["report", "table, JSON, replay lines"], "Driver, Report")
    arrow((450, 772), (432, 772))
    arrow((430, 790), (448, 790))
    box(240, 744, 190, ["results of all runs", "none measured twice"], "Database")
    box(30, 744, 190, ["device code on the CPU", "fibers for threads"], "Check, HostExecution")
    drawn.append('<polyline class="line" stroke-dasharray="3 4" points="250,412 250,426 10,426 10,781 28,781"/>')
    drawn.append('<text class="small" x="258" y="428">the device IR that goes to the generator</text>')


def rooms():
    listed = re.search(r"foreach\(room IN ITEMS([^)]*)\)", (ROOT / "lib/CMakeLists.txt").read_text())
    names = [name for name in listed[1].split() if (ROOT / "lib" / name).is_dir()]
    text(840, 34, "Rooms", "head")
    text(840, 58, "each depends only on those below it", "small")
    stack = ["tools/"] + names[::-1]
    step = (HEIGHT - 96) / len(stack)
    for number, name in enumerate(stack):
        y = 74 + step * number
        rectangle(740, round(y, 1), 200, round(step - 8, 1), "room")
        text(840, round(y + step / 2 + 1, 1), name)


def drawing():
    drawn.clear()
    flow()
    rooms()
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">',
            "<title>GpuPrune: data flow and rooms</title>",
            f"<style>{STYLE}</style>",
            '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
            '<path class="tip" d="M0,0 L8,4 L0,8 z"/></marker></defs>',
            f'<rect class="ground" width="{WIDTH}" height="{HEIGHT}" rx="12"/>',
            *drawn,
            "</svg>",
            "",
        ]
    )


def main():
    parser = argparse.ArgumentParser(description="Draws the architecture.")
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    target = HERE / "architecture.svg"
    if not parser.parse_args().check:
        target.write_text(drawing(), encoding="utf-8")
    elif not target.is_file() or target.read_text(encoding="utf-8") != drawing():
        print("docs/drawings/architecture.svg is not up to date; run docs/drawings/architecture.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
