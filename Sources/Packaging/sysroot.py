"""Headers and libraries of an architecture, fetched by Debian's own apt into a folder of their own: the
packages of this machine stay as they are."""
import glob
import os
import shutil

from failure import Failure, run

KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
MIRROR = "http://deb.debian.org/debian"


def fetch(architecture, folder):
    """The folder of the root, which is whole or not there at all."""
    root = os.path.join(folder, "root")
    wanted = f"2 {architecture.suite} {' '.join(architecture.libraries)} {architecture.gcc}\n"
    # Its first word: what is done with the packages.
    stamp = os.path.join(root, ".packages")
    if is_whole(root, stamp, wanted, architecture):
        return root
    for tool in ("apt-get", "dpkg-deb"):
        if shutil.which(tool) is None:
            raise Failure(f"{tool} is missing: packages are built on Debian, or what has its apt")
    if not os.path.exists(KEYRING):
        raise Failure(f"{KEYRING} is missing: install debian-archive-keyring")
    options = private_apt(architecture.machine_name, architecture.suite, folder)
    apt(options, "update")
    packages = (*architecture.libraries, architecture.gcc)
    place = os.path.join(folder, "apt/archives")
    if architecture.is_musl:
        # By themselves: what they name as needed is a compiler.
        apt(options, "download", *packages, folder=place)
    else:
        apt(options, "install", "--download-only", "--no-install-recommends", "--yes", *packages)
    archives = sorted(glob.glob(f"{place}/*.deb"))
    fresh = root + ".new"
    shutil.rmtree(fresh, ignore_errors=True)
    for archive in archives:
        run("dpkg-deb", "--extract", archive, fresh)
    merge(fresh)
    point_within(fresh)
    name_no_places(fresh)
    names = "".join(os.path.basename(archive) + "\n" for archive in archives)
    with open(os.path.join(fresh, ".packages"), "w", encoding="utf-8") as file:
        file.write(wanted + names)
    shutil.rmtree(root, ignore_errors=True)
    os.rename(fresh, root)
    return root


def is_whole(root, stamp, wanted, architecture):
    if not os.path.exists(stamp):
        return False
    with open(stamp, encoding="utf-8") as file:
        if not file.read().startswith(wanted):
            return False
    library = f"{root}/lib/{architecture.target}/"
    needed = [library + "libc.a", library + "libc.so"]
    if not architecture.is_musl:
        needed += [f"{root}/usr/include/stdio.h", library + "libsqlite3.a", library + "libasound.so",
                   f"{root}/usr/include/unicode/ucal.h"]
    return os.path.islink(f"{root}/lib") and all(map(os.path.exists, needed))


def private_apt(architecture, suite, folder, sources=False):
    """Options that keep apt from the lists, the cache and the state of this machine. `sources`: for packages
    of sources, too."""
    state = os.path.join(folder, "apt")
    shutil.rmtree(os.path.join(state, "archives"), ignore_errors=True)
    for name in ("lists/partial", "archives/partial"):
        os.makedirs(os.path.join(state, name), exist_ok=True)
    listed = os.path.join(state, "sources.list")
    mirror = os.environ.get("BELFRY_MIRROR", MIRROR)
    with open(listed, "w", encoding="utf-8") as file:
        file.write(f"deb [arch={architecture} signed-by={KEYRING}] {mirror} {suite} main\n")
        if sources:
            file.write(f"deb-src [signed-by={KEYRING}] {mirror} {suite} main\n")
    settings = {
        "Dir::State": state, "Dir::State::lists": state + "/lists", "Dir::State::status": "/dev/null",
        "Dir::Cache": state, "Dir::Cache::archives": state + "/archives",
        "Dir::Etc::sourcelist": listed, "Dir::Etc::sourceparts": "/dev/null",
        "Dir::Etc::preferencesparts": "/dev/null", "APT::Architecture": architecture,
        "APT::Architectures": architecture, "APT::Sandbox::User": "", "APT::Update::Error-Mode": "any",
        "Acquire::Languages": "none", "Acquire::Retries": "2", "Debug::NoLocking": "true",
    }
    return [word for name, value in settings.items() for word in ("-o", f"{name}={value}")]


def apt(options, *words, folder=None):
    run("apt-get", "--quiet=2", *options, *words, what="fetching packages", folder=folder)


def merge(root):
    """`/lib` is `/usr/lib`, as on a board, whose base-files makes it so."""
    old, new = os.path.join(root, "lib"), os.path.join(root, "usr/lib")
    for place, _, names in os.walk(old):
        for name in names:
            path = os.path.join(place, name)
            target = os.path.join(new, os.path.relpath(path, old))
            os.makedirs(os.path.dirname(target), exist_ok=True)
            os.rename(path, target)
    shutil.rmtree(old, ignore_errors=True)
    os.symlink("usr/lib", old)


def point_within(root):
    """Debian's links to libraries start at the top of the machine, which here is `root`."""
    for folder, _, files in os.walk(root):
        for name in files:
            path = os.path.join(folder, name)
            if os.path.islink(path) and os.readlink(path).startswith("/"):
                target = os.readlink(path)
                os.unlink(path)
                os.symlink(os.path.relpath(root + target, folder), path)
    # Linker scripts name libraries by where they are on a board; a linker that has a root looks there.


def name_no_places(root):
    """pkg-config's files say where a library lies on a board: on one of the same architecture this machine's
    own would be linked."""
    for path in glob.glob(f"{root}/usr/lib/*/pkgconfig/*.pc"):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace("-L${libdir}", ""))
