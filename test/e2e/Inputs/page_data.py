# Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints what a page of --report holds, read as a browser reads it: its script of data, up to the first "</script".

With --same-as FILE, ends with 1 unless that is the JSON of FILE.
"""
import argparse
import html.parser
import json


class Data(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.inside = False
        self.text = ""

    def handle_starttag(self, tag, attributes):
        self.inside = tag == "script" and ("id", "reports") in attributes

    def handle_endtag(self, tag):
        self.inside = False

    def handle_data(self, text):
        if self.inside:
            self.text += text


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("page")
    parser.add_argument("--same-as")
    arguments = parser.parse_args()
    page = Data()
    with open(arguments.page, encoding="utf-8") as file:
        page.feed(file.read())
    reports = json.loads(page.text)["reports"]
    if arguments.same_as:
        with open(arguments.same_as, encoding="utf-8") as file:
            return 0 if reports == [json.load(file)] else 1
    said = [f"{r['kernel']}, {len(r['variants'])} variants, winner {r['winner']}" for r in reports]
    print(f"{len(reports)} report{'' if len(reports) == 1 else 's'}: {'; '.join(said)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
