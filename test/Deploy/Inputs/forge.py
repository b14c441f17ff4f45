"""Prints a tuning record with another value of a key and the checksum that belongs to it: forge.py FILE KEY JSON.

The key may be one of its first variant's.
"""

import hashlib
import json
import sys

FACTS = {"checksum", "demangled", "compiled-with"}
VARIANT_FACTS = {"times", "difference"}
OPTIONAL = {"block"}  # Of a variant.


def canonical(record):
    """The text that the checksum is of."""
    deployed = {key: value for key, value in record.items() if key not in FACTS}
    if isinstance(record.get("variants"), list):
        deployed["variants"] = [
            {key: value for key, value in variant.items() if key not in VARIANT_FACTS} if isinstance(variant, dict) else variant
            for variant in record["variants"]
        ]
    return json.dumps(deployed, sort_keys=True, separators=(",", ":"))


def part_of(record, key):
    """Where a key is: in the first variant, or in the file."""
    return record["variants"][0] if key in record["variants"][0] or key in OPTIONAL else record


def forge(record):
    return {**record, "checksum": hashlib.sha256(canonical(record).encode()).hexdigest()}


if __name__ == "__main__":
    path, key, value = sys.argv[1:]
    with open(path) as file:
        record = json.load(file)
    part_of(record, key)[key] = json.loads(value)
    print(json.dumps(forge(record), sort_keys=True, indent=2))
