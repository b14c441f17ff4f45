"""at_terminal.py [--interrupt-at TEXT] COMMAND...: runs the command with a terminal for its output, and prints
that. Where it shows TEXT, it gets SIGINT. Ends with the command's exit code, 128 and more for a signal."""
import os
import pty
import signal
import subprocess
import sys

arguments, text = sys.argv[1:], None
if arguments[0] == "--interrupt-at":
    text, arguments = arguments[1].encode(), arguments[2:]
terminal, inside = pty.openpty()
process = subprocess.Popen(arguments, stdout=inside, stderr=inside, start_new_session=True,
                           preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
os.close(inside)
shown = b""
while True:
    try:
        part = os.read(terminal, 4096)
    except OSError:  # Nobody has it open any more.
        break
    if not part:
        break
    shown += part
    if text and text in shown:
        text = None
        process.send_signal(signal.SIGINT)
code = process.wait(timeout=60)
sys.stdout.write(shown.decode(errors="replace").replace("\r\n", "\n"))
sys.exit(code if code >= 0 else 128 - code)
