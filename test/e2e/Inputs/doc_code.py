"""doc_code.py PAGE FOLDER NAME=LANGUAGE:NUMBER ...: writes code blocks of a page as files, the NUMBER-th of its language from 1."""
import os
import re
import sys

page, folder, *wanted = sys.argv[1:]
with open(page) as file:
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", file.read(), re.MULTILINE | re.DOTALL)
os.makedirs(folder, exist_ok=True)
for each in wanted:
    name, place = each.split("=")
    language, number = place.split(":")
    of_language = [code for kind, code in blocks if kind == language]
    with open(os.path.join(folder, name), "w") as file:
        file.write(of_language[int(number) - 1])
