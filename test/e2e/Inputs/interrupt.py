"""interrupt.py TMPDIR COMMAND...: stops the command at several moments; it must end by that signal,
without children and without anything left in TMPDIR."""
import os
import signal
import subprocess
import sys
import time

folder, command = sys.argv[1], sys.argv[2:]


def children(pid):
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], stdout=subprocess.PIPE, text=True).stdout
    return [int(child) for child in found.split()]


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


for number, delay in ((signal.SIGINT, 0.1), (signal.SIGINT, 1.5), (signal.SIGTERM, 0.3), (signal.SIGHUP, 0.7)):
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    time.sleep(delay)
    started = children(process.pid)
    process.send_signal(number)
    code = process.wait(timeout=20)
    assert code == -number, f"after {delay} s: ended with {code}, expected signal {number}"
    left = os.listdir(folder)
    assert not left, f"after {delay} s: left {left}"
    give_up = time.monotonic() + 10  # They have been killed, and end when the machine finds the time.
    while any(alive(pid) for pid in started):
        assert time.monotonic() < give_up, f"after {delay} s: a child lives on"
        time.sleep(0.05)
