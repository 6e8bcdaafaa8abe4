"""What each architecture needs to be built for, by Debian's names of them."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Architecture:
    """One that Debian calls `name`."""
    name: str
    # Its tuple in Debian's folders, and for clang.
    gnu: str
    # What Swift compiles for: Embedded Swift's library has tables for these alone.
    triple: str
    # The release whose libraries its programs are linked with, and run on from then on.
    suite: str
    gcc: str
    # For clang, and for what Swift imports from C.
    c: tuple = ()
    # For clang alone, and for Swift alone, which makes its code as what it imports from C is told.
    code: tuple = ()
    swift_code: tuple = ()
    # For the linker, which makes machine code of all that Swift has left as bitcode.
    machine: tuple = ()
    # What the headers of Swift's tables lack.
    elf_flags: int = 0


ALL = {architecture.name: architecture for architecture in (
    Architecture("amd64", "x86_64-linux-gnu", "x86_64-unknown-linux-gnu", "bookworm", "libgcc-12-dev"),
    Architecture("arm64", "aarch64-linux-gnu", "aarch64-none-none-elf", "bookworm", "libgcc-12-dev"),
    Architecture("armhf", "arm-linux-gnueabihf", "armv7-none-none-eabi", "bookworm", "libgcc-12-dev",
                 c=("-march=armv7-a", "-mfloat-abi=hard", "-mfpu=vfpv3-d16", "-D_TIME_BITS=64",
                    "-D_FILE_OFFSET_BITS=64"),
                 # Thumb: a third less code. -mthumb would name another target than Swift's library has.
                 code=("-mthumb",), swift_code=("-Xclang", "-target-feature", "-Xclang", "+thumb-mode"),
                 # The pass that joins loads may add to the register of `self`, which nobody has saved (LLVM 21):
                 # the caller goes on with another object.
                 machine=("-float-abi=hard", "-arm-load-store-opt=false")),
    # Debian has it from its release 13 on.
    Architecture("riscv64", "riscv64-linux-gnu", "riscv64-none-none-eabi", "trixie", "libgcc-14-dev",
                 c=("-march=rv64gc", "-mabi=lp64d"), machine=("-target-abi=lp64d", "-mattr=+m,+a,+f,+d,+c"),
                 # EF_RISCV_FLOAT_ABI_DOUBLE: Swift's tables, which have no number of that kind, lack it.
                 elf_flags=4),
)}
