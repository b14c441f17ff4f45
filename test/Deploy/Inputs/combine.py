"""Prints one tuning record with the variants of several: combine.py (FILE CHANGES)...

CHANGES is a JSON object of what is different in the variant of FILE. All variants get the registers of the first, which
is what fake-runtime.c says of each kernel.
"""

import json
import sys

from forge import forge

record = None
for path, changes in zip(sys.argv[1::2], sys.argv[2::2]):
    with open(path) as file:
        its = json.load(file)
    variant = {**its["variants"][0], **json.loads(changes)}
    if record is None:
        record = {**its, "variants": []}
        registers = variant["registers"]
    record["variants"].append({**variant, "registers": registers})
print(json.dumps(forge(record), sort_keys=True, indent=2))
