"""The blocks in Python that the README shows, run in the project's folder. Those with Spark are for tests/spark."""

import os
import re
import unittest

import pyarrow.parquet as pq

import winnow
from support import ORDERS, ROOT, WEBLOG, shown


class Readmes(unittest.TestCase):
    def test_exceptions(self):
        """The table of exceptions has each class, what it is derived from, and what its docstring says first."""
        with open(os.path.join(ROOT, "adapters", "python", "README.md"), encoding="utf-8") as f:
            rows = re.findall(r"^\| `(\w+Error)` \| (?:`(\w+)`)? *\| (.+) \|$", f.read(), re.M)
        classes = [c for c in vars(winnow).values() if isinstance(c, type) and issubclass(c, winnow.Error) and c is not winnow.Error]
        want = {c.__name__: ("" if c.__bases__ == (winnow.Error,) else c.__bases__[-1].__name__, c.__doc__.split(".")[0].lower()) for c in classes}
        self.assertEqual({name: (base, text.lower()) for name, base, text in rows}, want)

    def run_blocks(self, readme):
        names = {}
        before = os.getcwd()
        os.chdir(ROOT)
        try:
            for block in shown(readme):
                if "spark." not in block:
                    exec(compile(block, readme, "exec"), names)
        finally:
            os.chdir(before)
        return names

    def test_what_they_show(self):
        orders = pq.read_table(ORDERS, columns=["order_id", "customer", "items"]).to_pylist()
        dear = [o for o in orders if any((i or {}).get("price") is not None and i["price"] > 499 for i in o["items"] or [])]
        log = pq.read_table(WEBLOG, columns=["url", "status", "latency_ms"]).to_pylist()
        slow = [(r["url"], r["status"]) for r in log if r["latency_ms"] > 1000]
        self.assertTrue(dear and slow)
        by_name = {}
        for o in dear:
            name = o["customer"] and o["customer"]["name"]
            by_name[name] = by_name.get(name, 0) + 1
        names = self.run_blocks(os.path.join("adapters", "python", "README.md"))
        table = names["table"].to_pylist()
        self.assertEqual([r["order_id"] for r in table], [o["order_id"] for o in dear])
        self.assertEqual([r["customer"] for r in table], [o["customer"] and {"name": o["customer"]["name"]} for o in dear])
        self.assertEqual(dict(names["counts"]), by_name)
        self.assertEqual(names["slow"].rows(), slow)
        self.assertEqual(names["most"], max(o["order_id"] for o in dear))


if __name__ == "__main__":
    unittest.main()
