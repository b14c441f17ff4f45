"""Prints a tuning record with another value of a key and the checksum that belongs to it: forge.py FILE KEY JSON."""

import hashlib
import json
import sys

FACTS = {"checksum", "demangled", "compiled-with", "times"}


def canonical(record):
    """The text that the checksum is of."""
    deployed = {key: value for key, value in record.items() if key not in FACTS}
    return json.dumps(deployed, sort_keys=True, separators=(",", ":"))


def forge(record):
    return {**record, "checksum": hashlib.sha256(canonical(record).encode()).hexdigest()}


if __name__ == "__main__":
    path, key, value = sys.argv[1:]
    with open(path) as file:
        record = json.load(file)
    record[key] = json.loads(value)
    print(json.dumps(forge(record), sort_keys=True, indent=2))
