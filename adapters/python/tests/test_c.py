"""The C interface, from a program in C."""

import os
import shutil
import subprocess
import tempfile
import unittest

import winnow
from support import HERE, LINES

PACKAGE = os.path.dirname(winnow.__file__)


@unittest.skipUnless(os.name == "posix" and shutil.which("cc"), "there is no C compiler")
class C(unittest.TestCase):
    def test_program(self):
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "use")
            header = PACKAGE if os.path.exists(os.path.join(PACKAGE, "winnow.h")) else os.path.dirname(HERE)
            command = ["cc", "-Wall", "-Werror", "-I", header, os.path.join(HERE, "use.c"), "-o", program]
            subprocess.run([*command, "-L", PACKAGE, "-lwinnow", f"-Wl,-rpath,{PACKAGE}"], check=True)
            run = lambda where: subprocess.run([program, LINES, where], capture_output=True, text=True).stdout  # noqa: E731
            scan = winnow.scan(LINES, where="quantity > 40")
            rows, columns = scan.to_arrow().shape
            self.assertEqual(run("quantity > 40"), f"{rows} rows of {columns} columns, {rows} counted\n")
            self.assertIn('"kind":"where"', run("quantity >"))


if __name__ == "__main__":
    unittest.main()
