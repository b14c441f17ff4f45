#!/usr/bin/env python3
"""Draws a space in the plane of its two metrics, as Ryoo et al. do in figure 6.

    plot.py REPORT.json OUT.svg      # REPORT.json from gpuprune report --format json

A dot is a measured variant, the darker the faster; rings are the Pareto set, the cross
is the fastest of all. Both axes are relative to their largest value.
"""
import json
import math
import sys

report = json.load(open(sys.argv[1]))
rows = [v for v in report["variants"] if v["median_ms"] and not v["duplicate_of"] and v["status"] in ("ok", "spills")]
kept = [v for v in rows if v["status"] == "ok"]
left, top, width, height = 70, 40, 640, 440
most = {m: max(v[m] for v in kept) for m in ("efficiency", "utilization")}
fastest = min(v["median_ms"] for v in rows)
slowest = max(v["median_ms"] for v in kept)


def place(v):
    return (
        left + width * v["utilization"] / most["utilization"],
        top + height * (1 - v["efficiency"] / most["efficiency"]),
    )


def shade(v):
    """From black for the fastest to light grey, by the logarithm of the time."""
    level = math.log(v["median_ms"] / fastest) / math.log(slowest / fastest)
    return "#%02x%02x%02x" % ((int(20 + 200 * min(1, level)),) * 3)


out = [
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + width + 30} {top + height + 70}" '
    'font-family="sans-serif" font-size="13">',
    '<rect width="100%" height="100%" fill="white"/>',
    f'<text x="{left}" y="22">{report["kernel"]} on {report["gpu"].split(" (")[0]}, {report["size"]}: '
    f"{len(rows)} measured, {report['pareto']} on the Pareto set, {len(rows) - len(kept)} that spill not drawn</text>",
]
for step in range(0, 11, 2):
    x, y = left + width * step / 10, top + height * (1 - step / 10)
    out.append(f'<path d="M{left} {y}H{left + width}M{x} {top}V{top + height}" stroke="#e4e4e4"/>')
    out.append(f'<text x="{left - 8}" y="{y + 4}" text-anchor="end">{step / 10:.1f}</text>')
    out.append(f'<text x="{x}" y="{top + height + 20}" text-anchor="middle">{step / 10:.1f}</text>')
for v in sorted(kept, key=lambda v: -v["median_ms"]):
    x, y = place(v)
    out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{shade(v)}"/>')
front = sorted({place(v) for v in kept if v["pareto"]})
out.append('<path d="M' + "L".join(f"{x:.1f} {y:.1f}" for x, y in front) + '" fill="none" stroke="#c33" stroke-width="1"/>')
for x, y in front:
    out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="6" fill="none" stroke="#c33" stroke-width="1.5"/>')
best = min(kept, key=lambda v: v["median_ms"])
x, y = place(best)
out.append(f'<path d="M{x - 10} {y}H{x + 10}M{x} {y - 10}V{y + 10}" stroke="#06c" stroke-width="2"/>')
out.append(f'<text x="{x + 12}" y="{y - 8}" fill="#06c">fastest, {best["median_ms"]:.2f} ms</text>')
out.append(f'<text x="{left + width / 2}" y="{top + height + 45}" text-anchor="middle">Utilization, relative</text>')
out.append(f'<text transform="translate(22 {top + height / 2}) rotate(-90)" text-anchor="middle">Efficiency, relative</text>')
out.append("</svg>")
with open(sys.argv[2], "w") as file:
    file.write("\n".join(out) + "\n")
