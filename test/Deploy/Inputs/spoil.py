"""Writes what is no tuning record, one kind a file: spoil.py GOOD FOLDER."""

import json
import os
import sys

from forge import forge, part_of

path, folder = sys.argv[1:]
with open(path) as file:
    text = file.read()
for name in os.listdir(folder):
    if os.path.isfile(os.path.join(folder, name)):
        os.remove(os.path.join(folder, name))


def write(name, content):
    with open(os.path.join(folder, name + ".gpuprune.json"), "w") as file:
        file.write(content)


def changed(key, value):
    record = json.loads(text)
    part_of(record, key)[key] = value
    return record


write("again", text)
write("once", text)
write("empty", "")
write("truncated", text[: len(text) // 2])
write("big", " " * (1 << 21))
write("contract", json.dumps(changed("contract", {"grid-divisor": "8,1,1"})))
write("schema", json.dumps(forge(changed("schema", 1))))
write("key", json.dumps(forge(changed("plugin", "other.so"))))
write("arch", json.dumps(forge(changed("arch", "gfx90a"))))
write("foreign", json.dumps(forge(changed("variant", "loop-unroll"))))
write("pass", json.dumps(forge(changed("variant", "gpu-unroll"))))
write("copies", json.dumps(forge(changed("contract", {"constant-copies": "0:64:weights"}))))
os.mkdir(os.path.join(folder, "folder.gpuprune.json"))
