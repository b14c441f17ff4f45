"""exits.py CODE COMMAND...: runs the command and expects that very exit code."""
import subprocess
import sys

expected, command = int(sys.argv[1]), sys.argv[2:]
code = subprocess.run(command).returncode
if code != expected:
    sys.exit(f"expected exit code {expected}, got {code} from: {' '.join(command)}")
