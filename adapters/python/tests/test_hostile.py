"""Damaged files: each is read, or raises a winnow.Error. None ends the process."""

import os
import random
import tempfile
import unittest

import pyarrow as pa

import winnow
from support import sound_files

MUTATIONS = int(os.environ.get("WINNOW_MUTATIONS", 5000))


def damage(data, random):
    """Some bytes of a file changed, or its end cut off."""
    data = bytearray(data)
    how = random.randrange(4)
    if how == 0:
        del data[random.randrange(len(data)) :]
    elif how == 1:  # in the footer, which all else depends on
        footer = max(0, len(data) - 8 - int.from_bytes(data[-8:-4], "little"))
        for _ in range(random.randint(1, 4)):
            data[random.randrange(footer, len(data))] = random.randrange(256)
    else:
        for _ in range(random.randint(1, 8)):
            data[random.randrange(len(data))] = random.randrange(256)
    return data


def validate(batch):
    """Checks each offset, bit and string of a batch."""
    try:
        pa.record_batch(batch).validate(full=True)
    except pa.ArrowInvalid as e:
        # Digits that the file's own precision denies, and nesting that pyarrow does not take.
        if not any(known in str(e) for known in ("does not fit in precision", "Recursion level")):
            raise


class Damaged(unittest.TestCase):
    def test_mutations(self):
        files = [f for f in sound_files() if os.path.getsize(f) < 60_000]
        self.assertGreater(len(files), 50)
        contents = {}
        for path in files:
            with open(path, "rb") as f:
                contents[path] = f.read()
        rng = random.Random(20261126)
        read = refused = 0
        with tempfile.TemporaryDirectory() as folder:
            for i in range(MUTATIONS):
                path = os.path.join(folder, f"{i}.parquet")
                source = files[i % len(files)]
                with open(path, "wb") as f:
                    f.write(damage(contents[source], rng))
                scan = winnow.scan(path, check=bool(i % 3), strings=("string", "view", "large")[i % 3])
                try:
                    for batch in scan.batches():
                        validate(batch)
                    read += 1
                except winnow.InternalError:
                    raise
                except winnow.Error as e:
                    self.assertIn(str(i), e.file or str(e), source)
                    refused += 1
                os.remove(path)
        print(f"{read} read, {refused} refused", end=" ", flush=True)
        self.assertEqual(read + refused, MUTATIONS)
        self.assertGreater(refused, MUTATIONS // 10)


if __name__ == "__main__":
    unittest.main()
