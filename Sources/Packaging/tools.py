"""The programs of Swift's toolchain that look at what was built."""
import os

import crossbuild
from failure import run


class Tools:
    def __init__(self):
        self.folder = crossbuild.toolchain()

    @property
    def strip(self):
        return os.path.join(self.folder, "llvm-objcopy")

    def headers(self, path):
        """What an ELF file needs, and of which versions."""
        return run(os.path.join(self.folder, "llvm-objdump"), "--private-headers", path)
