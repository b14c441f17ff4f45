"""write_npy.py FILE COUNT [WORD]: so many floats that follow from WORD, as numpy.save writes them."""
import random
import struct
import sys

path, count = sys.argv[1], int(sys.argv[2])
source = random.Random(" ".join(sys.argv[3:]))
header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({count},), }}"
header = header.ljust(117) + "\n"
with open(path, "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
    file.write(struct.pack(f"<{count}f", *(source.uniform(-1, 1) for _ in range(count))))
