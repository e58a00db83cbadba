"""Encrypted files, which pyarrow wrote."""

import os
import pickle
import tempfile
import unittest

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pyarrow.parquet.encryption as pe

import winnow
import winnow.polars

KEY = b"0123456789abcdef"


class Encrypted(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.table = pa.table({"k": pa.array(range(1000), pa.int64()), "s": [f"text {i}" for i in range(1000)]})
        self.sealed, self.signed, self.plain = (os.path.join(folder.name, n + ".parquet") for n in ("sealed", "signed", "plain"))
        pq.write_table(self.table, self.plain)
        for path, plain_footer in ((self.sealed, False), (self.signed, True)):
            properties = pe.create_encryption_properties(KEY, aad_prefix=b"table of May", plaintext_footer=plain_footer)
            pq.write_table(self.table, path, encryption_properties=properties)

    def test_with_keys(self):
        want = self.table.slice(990)
        for path in (self.sealed, self.signed):
            for more in ({}, {"aad_prefix": "table of May"}, {"aad_prefix": b"table of May"}):
                scan = winnow.scan(path, where="k >= 990", keys={"footer": KEY}, **more)
                self.assertTrue(scan.to_arrow().equals(want))
                self.assertTrue(pa.table(pickle.loads(pickle.dumps(scan))).equals(want))
                self.assertEqual((scan.count(), scan.max("s")), (10, "text 999"))
                frame = winnow.polars.scan(path, keys={"footer": KEY}, **more).filter(pl.col("k") >= 990)
                self.assertTrue(frame.collect().equals(pl.DataFrame(want)))

    def test_without_the_right_ones(self):
        for path in (self.sealed, self.signed):
            for options, error in (
                ({}, winnow.EncryptedError),
                ({"keys": {}}, winnow.EncryptedError),
                ({"keys": {"k": KEY}}, winnow.EncryptedError),
                ({"keys": {"footer": b"short"}}, winnow.EncryptedError),
                ({"keys": {"footer": KEY[::-1]}}, winnow.CorruptError),
                ({"keys": {"footer": KEY}, "aad_prefix": "table of June"}, winnow.CorruptError),
            ):
                with self.assertRaises(error, msg=f"{path}, {options}"):
                    winnow.scan(path, **options).to_arrow()

    def test_plain_files_are_refused(self):
        for paths in (self.plain, [self.sealed, self.plain]):
            with self.assertRaisesRegex(winnow.CorruptError, "the file is not encrypted, and it must be"):
                winnow.scan(paths, keys={"footer": KEY}).to_arrow()
        with self.assertRaises(winnow.OptionsError):
            winnow.scan(self.plain, aad_prefix="table of May")

    def test_keys_are_not_shown(self):
        scan = winnow.scan(self.sealed, keys={"footer": KEY})
        self.assertIn("keys=…", repr(scan))
        for text in (repr(scan), scan._repr_html_(), str(scan.explain()), winnow.polars.scan(self.sealed, keys={"footer": KEY}).explain()):
            self.assertNotIn(KEY.decode(), text)
            self.assertNotIn(scan._query["keys"]["footer"], text)


if __name__ == "__main__":
    unittest.main()
