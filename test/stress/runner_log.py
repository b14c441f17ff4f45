#!/usr/bin/env python3
# Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""runner_log.py LOG SECONDS RUNNER [ARGUMENT ...]: a runner that appends a line to LOG for each job that it begins,
"variant TEXT", "stock" or "reference DEFINES", as the database names them, and takes SECONDS longer for it."""
import json
import os
import re
import subprocess
import sys
import threading
import time


def name_of(job_id):
    head, _, text = job_id.partition(" ")
    return (re.split("[:@]", head)[0] + " " + text).strip()


def main():
    log = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    runner = subprocess.Popen(sys.argv[3:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def feed():
        for line in sys.stdin.buffer:
            runner.stdin.write(line)
            runner.stdin.flush()
        runner.stdin.close()

    threading.Thread(target=feed, daemon=True).start()
    for line in runner.stdout:
        message = json.loads(line)
        if "event" in message:
            os.write(log, (name_of(message["id"]) + "\n").encode())
            time.sleep(float(sys.argv[2]))
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
    return runner.wait()


if __name__ == "__main__":
    sys.exit(main())
