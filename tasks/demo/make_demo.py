#!/usr/bin/env python3
"""Makes the demo suite: the data in every task's context folder, and every gold answer. Python's standard library only.

    python3 tasks/demo/make_demo.py                write what differs
    python3 tasks/demo/make_demo.py --check        make everything again in a temporary folder and compare; exit 1 if it differs
    python3 tasks/demo/make_demo.py --raw PACKAGE  first take raw/ anew out of an unpacked vega-datasets 3.2.1

Written by hand, and not touched here: task.json, knowledge.md and doc/ of every task, and ATTRIBUTION.md.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True

from recipe.context import build_contexts  # noqa: E402
from recipe.files import csv_text, dump, write_bytes  # noqa: E402
from recipe.golds import GOLDS, Rows  # noqa: E402
from recipe.raw import take_raw  # noqa: E402

DEMO = Path(__file__).resolve().parent
#: What is made: data by its folder inside context/, and golds. Everything else under input/ and output/ is written by hand.
MADE = ("input/*/context/csv/*", "input/*/context/json/*", "input/*/context/db/*", "output/*/*")


def make(folder: Path) -> list[str]:
    """Builds contexts and golds below `folder`. Returns a line for each tempting answer that is not wrong."""
    build_contexts(DEMO / "raw", folder / "input")
    complaints = []
    for task, gold in GOLDS.items():
        answer = gold(folder / "input" / task / "context")
        write_bytes(folder / "output" / task / "gold.csv", csv_text(answer.columns, answer.rows))
        complaints += [
            f"{task}: the tempting answer '{mistake}' equals the gold, so the task cannot show that mistake"
            for mistake, rows in answer.tempting.items()
            if signature(rows) == signature(answer.rows)
        ]
    return complaints


def signature(rows: Rows) -> Counter:
    """What a scorer that ignores the order of rows and of columns sees: the multiset of columns, each a multiset of cells."""
    return Counter(tuple(sorted(str(cell) for cell in column)) for column in zip(*rows))


def made_files(folder: Path) -> set[str]:
    files = (file for pattern in MADE for file in folder.glob(pattern))
    return {file.relative_to(folder).as_posix() for file in files}


def same_content(one: Path, other: Path) -> bool:
    if one.read_bytes() == other.read_bytes():
        return True
    return one.suffix == ".db" and dump(one) == dump(other)


def differences(fresh: Path) -> list[str]:
    """One line for each file of the suite that is not what the script makes, in the order of their names."""
    made, found = made_files(fresh), made_files(DEMO)
    lines = [f"{name}: is missing" for name in made - found]
    lines += [f"{name}: is not made by this script" for name in found - made]
    lines += [f"{name}: is not what the script makes" for name in made & found if not same_content(fresh / name, DEMO / name)]
    return sorted(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description="Make or check the demo suite.")
    parser.add_argument("--check", action="store_true", help="compare with what is there and write nothing")
    parser.add_argument("--raw", metavar="PACKAGE", type=Path, help="take raw/ anew from an unpacked vega-datasets 3.2.1")
    arguments = parser.parse_args()
    if arguments.raw:
        take_raw(arguments.raw, DEMO / "raw")
    with tempfile.TemporaryDirectory() as temporary:
        fresh = Path(temporary)
        problems = make(fresh)
        different = differences(fresh)
        if arguments.check:
            problems += different
        else:
            for line in different:
                name = line.split(": ")[0]
                print(line)
                if (fresh / name).exists():
                    (DEMO / name).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(fresh / name, DEMO / name)
                else:
                    (DEMO / name).unlink()
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        return 1
    print(f"{len(GOLDS)} tasks: data and golds are what the script makes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
