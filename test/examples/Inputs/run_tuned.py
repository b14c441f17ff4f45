"""Runs a program that was built with tuning records on the CUDA runtime for the CPU: run_tuned.py FOLDER PROGRAM ARGUMENT...

No ptxas has made its code: its tuned kernels get the registers that the records in FOLDER say. GPUPRUNE_TRACE shows what
was launched.
"""

import glob
import json
import os
import sys

registers = []
for path in glob.glob(os.path.join(sys.argv[1], "*.gpuprune.json")):
    with open(path) as file:
        record = json.load(file)
    registers.append(f"{record['kernel']}$gpuprune${record['checksum'][:16]}={record['variants'][0]['registers']}")
os.environ.update(GPUPRUNE_CPU_REGISTERS=",".join(registers), GPUPRUNE_TRACE="1")
os.execv(sys.argv[2], sys.argv[2:])
