# Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Input files of programs whose suites do not bring any, always the same for the same numbers."""
import array
import math
import random
import struct


def make_lines(out, count, low, high):
    """COUNT random numbers, one a line."""
    rng = random.Random(1)
    for _ in range(count):
        out.write(f"{rng.uniform(low, high):.6f}\n".encode())


def make_bytes(out, count):
    """COUNT random bytes."""
    out.write(random.Random(2).randbytes(count))


def make_floats(out, count, low, high):
    """COUNT random numbers of 32 bits, which repeat after a prime number of them."""
    rng = random.Random(3)
    period = array.array("f", (rng.uniform(low, high) for _ in range(min(count, 1048573))))
    whole, rest = divmod(count, len(period))
    for _ in range(whole):
        period.tofile(out)
    period[:rest].tofile(out)


def make_string(out, text):
    out.write(text.encode())


def make_integers(out, count):
    """COUNT, and then the numbers below COUNT in random order, one a line."""
    numbers = list(range(count))
    random.Random(4).shuffle(numbers)
    out.write(f"{count}\n".encode() + "\n".join(map(str, numbers)).encode() + b"\n")


def make_matrix(out, rows, columns):
    """The extents and the elements of a matrix, as text."""
    rng = random.Random(rows * 7919 + columns)
    out.write(f"{rows} {columns} ".encode())
    out.write(" ".join(f"{rng.random():.5f}" for _ in range(rows * columns)).encode() + b"\n")


def make_graph(out, nodes, most):
    """A graph in the form of Rodinia's bfs: from each node 1 to MOST edges, the first so that all nodes are reached."""
    rng = random.Random(5)
    edges, rows = [], []
    for node in range(nodes):
        degree = rng.randint(1, most)
        rows.append(f"{len(edges)} {degree}\n")
        edges.append(f"{(2 * node + 1) % nodes} 1\n")
        edges += [f"{rng.randrange(nodes)} 1\n" for _ in range(degree - 1)]
    out.write(f"{nodes}\n{''.join(rows)}\n0\n\n{len(edges)}\n{''.join(edges)}".encode())


def make_mesh(out, side):
    """A flat mesh of SIDE x SIDE quadrilaterals in the form of Rodinia's cfd: a wall (0) below, with waves that
    disturb the flow a little, and far field (-2) elsewhere."""

    def neighbour(x, y):
        if y < 0:
            return 0
        return y * side + x + 1 if 0 <= x < side and y < side else -2

    out.write(f"{side * side}\n".encode())
    for y in range(side):
        for x in range(side):
            slope = 0.05 * math.sin(0.2 * x) if y == 0 else 0
            sides = ((x - 1, y, -1 - slope, 0), (x + 1, y, 1, 0), (x, y - 1, slope, -1), (x, y + 1, 0, 1))
            out.write(b"1.0 " + b" ".join(
                f"{neighbour(a, b)} {nx:.6f} {ny} 0".encode() for a, b, nx, ny in sides) + b"\n")


def make_atoms(out, count, extent):
    """COUNT random atoms with charges in a cube, in the form of PQR files."""
    rng = random.Random(6)
    for atom in range(count):
        x, y, z = (rng.uniform(0, extent) for _ in range(3))
        out.write(f"ATOM  {atom + 1} X RES {atom + 1} {x:.3f} {y:.3f} {z:.3f} {rng.uniform(-1, 1):.4f} 1.0\n".encode())


def make_obstacles(out, x, y, z, every):
    """A channel of X x Y x Z cells for Parboil's lbm: random obstacles in one cell of EVERY."""
    rng = random.Random(7)
    for _ in range(z):
        for _ in range(y):
            out.write(bytes(35 if rng.randrange(every) == 0 else 46 for _ in range(x)) + b"\n")
        out.write(b"\n")


def make_trajectory(out, samples, points):
    """SAMPLES of a trajectory and POINTS of an image for Parboil's mri-q."""
    rng = random.Random(8)
    out.write(struct.pack("<ii", samples, points))
    for count in (samples,) * 3 + (points,) * 3 + (samples,) * 2:
        array.array("f", (rng.uniform(-1, 1) for _ in range(count))).tofile(out)


MAKERS = {name.removeprefix("make_"): maker for name, maker in list(globals().items()) if name.startswith("make_")}


def make_input(path, maker, arguments):
    """Writes the file unless it is there. A file that was interrupted is not taken for one that is complete."""
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(path.name + ".unfinished")
    with open(unfinished, "wb") as out:
        MAKERS[maker](out, *arguments)
    unfinished.rename(path)
