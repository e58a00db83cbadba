"""What a point lookup costs from Python and from Go, in turns. Not a test: timings are the machine's.

usage: cost.py      with the peers' data, and Go
"""

import os
import re
import statistics
import subprocess
import time

import pyarrow as pa

import winnow
from support import DATA, HERE

PATH = os.path.join(DATA, "li_snappy.parquet")


def python(rounds=200, **options):
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        assert pa.table(winnow.scan(PATH, where="l_orderkey = 3000001", **options)).num_rows == 1
        times.append(time.perf_counter() - begin)
    return statistics.median(times) * 1e3, min(times) * 1e3


def go():
    command = ["go", "test", "-run", "^$", "-bench", "PointLookup", "-benchtime", "200x", "."]
    out = subprocess.run(command, cwd=os.path.dirname(HERE), capture_output=True, text=True, check=True).stdout
    return [float(re.search(rf"([0-9.]+) {which}-ns", out)[1]) / 1e6 for which in ("median", "least")]


python(20)
go()
print("milliseconds    Go    Python    Python with one thread")
for _ in range(5):
    for which, *three in zip(("median", "least"), go(), python(), python(threads=1)):
        print(f"{which:8}", *(f"{t:9.3f}" for t in three), flush=True)
