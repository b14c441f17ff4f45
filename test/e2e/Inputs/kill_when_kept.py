"""kill_when_kept.py FOLDER COUNT COMMAND...: kills the command, without mercy, once FOLDER has COUNT files."""
import os
import signal
import subprocess
import sys
import time

folder, count, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
process = subprocess.Popen(command, start_new_session=True)
while process.poll() is None and (not os.path.isdir(folder) or len(os.listdir(folder)) < count):
    time.sleep(0.01)
assert process.poll() is None, "the command ended before it could be killed"
os.killpg(process.pid, signal.SIGKILL)
process.wait()
