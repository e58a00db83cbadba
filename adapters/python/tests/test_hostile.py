"""Damaged files: each is read, or raises an exception of who reads it. None ends the process, which is another's
than the test's, so that the test sees it.

usage: test_hostile.py FIRST END      the rounds from FIRST up to END, here, each with its number
"""

import collections
import json
import os
import random
import subprocess
import sys
import tempfile
import unittest

import duckdb
import polars as pl
import pyarrow as pa

import winnow
from support import sound_files

MUTATIONS = int(os.environ.get("WINNOW_MUTATIONS", 5000))
PACKAGES = os.path.dirname(os.path.dirname(winnow.__file__))


def damage(data, rng):
    """Some bytes of a file changed, or its end cut off."""
    data = bytearray(data)
    how = rng.randrange(8)
    if how == 0:
        del data[rng.randrange(len(data)) :]
        return data
    footer = max(0, len(data) - 8 - int.from_bytes(data[-8:-4], "little"))
    start = footer if how < 4 else 0
    for _ in range(rng.choice((1, 1, 1, 2, 8))):
        at = rng.randrange(start, len(data))
        data[at] = rng.choice((rng.randrange(256), data[at] ^ 1 << rng.randrange(8)))
    return data


def validate(kind, stream):
    """Checks each offset, bit and string of what pyarrow takes."""
    try:
        kind(stream).validate(full=True)
    except pa.ArrowInvalid as e:
        # Digits that the file's own precision denies, and nesting that pyarrow does not take.
        if not any(known in str(e) for known in ("does not fit in precision", "Recursion level")):
            raise


def batches(path, **options):
    for batch in winnow.scan(path, **options).batches():
        validate(pa.record_batch, batch)


def pyarrow(path, **options):
    validate(pa.table, winnow.scan(path, **options))


def polars(path, **options):
    try:
        pl.DataFrame(winnow.scan(path, **options))
    except pl.exceptions.PanicException as e:  # Polars has no decimals of more than 38 digits
        if "Int256" not in str(e):
            raise
        raise pl.exceptions.ComputeError(str(e)) from None


def duck(path, **options):
    rows = winnow.scan(path, **options)
    assert duckdb.sql("SELECT * FROM rows").fetchall() is not None


# Who reads, and its exceptions.
READERS = [
    (batches, (winnow.Error,)),
    (pyarrow, (pa.ArrowException, OSError, winnow.Error)),
    (polars, (pl.exceptions.PolarsError, winnow.Error)),
    (duck, (duckdb.Error, winnow.Error)),
]


def rounds(first, end):
    """Reads a damaged file in each round. Prints its number before, for who looks if this ends, and at last what happened."""
    contents = {}
    for path in sound_files():
        if os.path.getsize(path) < 60_000:
            with open(path, "rb") as f:
                contents[path] = f.read()
    files, told = sorted(contents), collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for i in range(first, end):
            print(i, flush=True)
            rng = random.Random(i)
            source = files[i % len(files)]
            path = os.path.join(folder, f"{i}.parquet")
            with open(path, "wb") as f:
                f.write(damage(contents[source], rng))
            reader, errors = READERS[i % len(READERS)]
            try:
                reader(path, check=rng.random() < 0.5, strings=rng.choice(("string", "view", "large")))
                told[reader.__name__ + " read"] += 1
            except winnow.InternalError:
                raise
            except errors as e:
                if reader is batches and str(i) not in (e.file or str(e)):
                    raise AssertionError(f"{source}: the error does not say which file") from e
                told[reader.__name__ + " refused"] += 1
            os.remove(path)
    print(json.dumps(told))


class Damaged(unittest.TestCase):
    def test_mutations(self):
        told = collections.Counter()
        for first in range(0, MUTATIONS, 1000):
            command = [sys.executable, os.path.abspath(__file__), str(first), str(min(first + 1000, MUTATIONS))]
            run = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": PACKAGES})
            *_, last = run.stdout.split("\n")[:-1]
            self.assertEqual(run.returncode, 0, f"round {last} ended the process:\n{run.stderr[-5000:]}")
            told.update(json.loads(last))
        print(dict(sorted(told.items())), end=" ", flush=True)
        self.assertEqual(told.total(), MUTATIONS)
        for reader, _ in READERS:
            for what in ("read", "refused"):
                self.assertGreater(told[f"{reader.__name__} {what}"], MUTATIONS // 50)


if __name__ == "__main__":
    rounds(*map(int, sys.argv[1:]))
