#!/usr/bin/env python3
# Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the words of 32 bits that a PTX file's loads of shared memory read, and fails where two loads read one.

  shared_loads.py FILE WORDS ARRAYS

Addresses are followed through additions of constants to the register that they come from. There have to be WORDS words,
all different, from ARRAYS such registers. The file has one kernel without stores between loads of a loop's iteration.
"""
import collections
import re
import sys

LOAD = re.compile(r"ld\.shared(?:\.v(\d))?\.[bfus]32\s+.*\[(%\w+)(?:\+(-?\d+))?\];")
ADD = re.compile(r"add\.s(?:32|64)\s+(%\w+), (%\w+), (-?\d+);")


def main():
    path, words, arrays = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    text = open(path, encoding="utf-8").read()
    sums = {result: (base, int(offset)) for result, base, offset in ADD.findall(text)}

    def follow(register, offset):
        seen = set()
        while register in sums and register not in seen:
            seen.add(register)
            register, more = sums[register]
            offset += more
        return register, offset

    if re.search(r"ld\.shared(?!(?:\.v\d)?\.[bfus]32)", text):
        return "a load of another width"
    read = collections.Counter()
    for width, register, offset in LOAD.findall(text):
        base, first = follow(register, int(offset or 0))
        read.update((base, first + 4 * i) for i in range(int(width or 1)))
    twice = sorted(word for word, times in read.items() if times > 1)
    bases = {base for base, _ in read}
    if twice:
        return f"{len(twice)} of {len(read)} words are read more than once, such as {twice[0][0]}+{twice[0][1]}"
    if len(read) != words or len(bases) != arrays:
        return f"{len(read)} words from {len(bases)} arrays, not {words} from {arrays}"
    print(f"{words} words from {arrays} arrays, each once")
    return None


sys.exit(main())
