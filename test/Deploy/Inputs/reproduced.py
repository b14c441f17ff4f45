"""reproduced.py REPORT KERNEL...: whether the report says of the kernels that their recorded results are reproduced."""

import json
import sys

with open(sys.argv[1]) as file:
    classes = json.load(file)["classes"]
for name in sys.argv[2:]:
    (kernel,) = [each for each in classes if each["kernel"] == name]
    if kernel.get("reproduced") is not True:
        sys.exit("%s: reproduced: %s; %s" % (name, kernel.get("reproduced"), kernel["problem"]))
