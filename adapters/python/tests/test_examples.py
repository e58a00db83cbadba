"""The examples run, and Polars and DuckDB have the same answer there."""

import os
import re
import subprocess
import sys
import unittest

import pyarrow.compute as pc
import pyarrow.parquet as pq

import winnow
from support import HERE, WEBLOG

PACKAGES = os.path.dirname(os.path.dirname(winnow.__file__))


class Examples(unittest.TestCase):
    def test_weblog(self):
        program = os.path.join(os.path.dirname(HERE), "examples", "weblog.py")
        env = {**os.environ, "PYTHONPATH": PACKAGES}
        out = subprocess.run([sys.executable, program, WEBLOG], capture_output=True, text=True, check=True, env=env).stdout
        table = pq.read_table(WEBLOG)
        table = table.filter(pc.and_(pc.greater_equal(table["status"], 500), pc.greater(table["latency_ms"], 1000)))
        want = sorted((str(v["values"]), str(v["counts"])) for v in pc.value_counts(table["status"]).to_pylist())
        self.assertTrue(want)
        self.assertEqual(re.findall(r"(5\d\d) +[┆│] +(\d+)", out), want * 2)
        self.assertIn("rows may pass: status >= 500", out)


if __name__ == "__main__":
    unittest.main()
