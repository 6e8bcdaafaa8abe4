"""What each architecture needs to be built for, by Debian's names of them."""
from dataclasses import dataclass, replace

# What the programs are compiled and linked with; apt adds what these need.
GLIBC = ("libc6-dev", "libsqlite3-dev", "libasound2-dev", "libicu-dev")
# These alone: what they name besides is a compiler. SQLite and ALSA are made from sources.
MUSL = ("musl-dev", "musl", "linux-libc-dev")


@dataclass(frozen=True)
class Architecture:
    """One that Debian calls `name`."""
    name: str
    # What clang calls it, and Debian its folders of libraries.
    target: str
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
    libraries: tuple = GLIBC
    # Where Linux's own headers for it lie, if its library is not the one that they lie beside.
    headers: str = ""

    @property
    def is_musl(self):
        return self.libraries == MUSL

    @property
    def machine_name(self):
        """The architecture of its packages of libraries."""
        return self.name.removeprefix("musl-linux-")


def musl(architecture):
    """The same for systems whose C library is musl, in Debian's words for those."""
    return replace(
        architecture, name=f"musl-linux-{architecture.name}", target=architecture.target.replace("-gnu", "-musl"),
        libraries=MUSL, headers=architecture.target)


BOARDS = (
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
)
ALL = {architecture.name: architecture for architecture in (*BOARDS, *map(musl, BOARDS))}
