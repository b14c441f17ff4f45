"""Whether the second file is the first with lines added: only_adds.py STOCK TUNED."""

import difflib
import sys

stock, tuned = (open(path).read().splitlines() for path in sys.argv[1:3])
if stock == tuned:
    sys.exit("nothing was added")
gone = [line for line in difflib.ndiff(stock, tuned) if line.startswith("- ")]
if gone:
    sys.exit("changed or gone:\n" + "\n".join(gone))
