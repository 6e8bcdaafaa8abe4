"""Headers and libraries of an architecture, fetched by Debian's own apt into a folder of their own: the
packages of this machine stay as they are."""
import glob
import os
import shutil
import subprocess

from failure import Failure

KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
MIRROR = "http://deb.debian.org/debian"
# What the programs are compiled and linked with; apt adds what these need.
LIBRARIES = ("libc6-dev", "libsqlite3-dev", "libasound2-dev", "libicu-dev")


def fetch(architecture, folder):
    """The folder of the root, which is whole or not there at all."""
    root = os.path.join(folder, "root")
    wanted = f"{architecture.suite} {' '.join(LIBRARIES)} {architecture.gcc}\n"
    stamp = os.path.join(root, ".packages")
    if os.path.exists(stamp) and open(stamp, encoding="utf-8").read().startswith(wanted):
        return root
    for tool in ("apt-get", "dpkg-deb"):
        if shutil.which(tool) is None:
            raise Failure(f"{tool} is missing: packages are built on Debian, or what has its apt")
    if not os.path.exists(KEYRING):
        raise Failure(f"{KEYRING} is missing: install debian-archive-keyring")
    options = private_apt(architecture, folder)
    apt(options, "update")
    apt(options, "install", "--download-only", "--no-install-recommends", "--yes", *LIBRARIES,
        architecture.gcc)
    archives = sorted(glob.glob(os.path.join(folder, "apt/archives/*.deb")))
    fresh = root + ".new"
    shutil.rmtree(fresh, ignore_errors=True)
    for archive in archives:
        run("dpkg-deb", "--extract", archive, fresh)
    point_within(fresh)
    names = "".join(os.path.basename(archive) + "\n" for archive in archives)
    with open(os.path.join(fresh, ".packages"), "w", encoding="utf-8") as file:
        file.write(wanted + names)
    shutil.rmtree(root, ignore_errors=True)
    os.rename(fresh, root)
    return root


def private_apt(architecture, folder):
    """Options that keep apt from the lists, the cache and the state of this machine."""
    state = os.path.join(folder, "apt")
    shutil.rmtree(os.path.join(state, "archives"), ignore_errors=True)
    for name in ("lists/partial", "archives/partial"):
        os.makedirs(os.path.join(state, name), exist_ok=True)
    sources = os.path.join(state, "sources.list")
    mirror = os.environ.get("BELFRY_MIRROR", MIRROR)
    with open(sources, "w", encoding="utf-8") as file:
        file.write(f"deb [arch={architecture.name} signed-by={KEYRING}] {mirror} {architecture.suite} main\n")
    settings = {
        "Dir::State": state, "Dir::State::lists": state + "/lists", "Dir::State::status": "/dev/null",
        "Dir::Cache": state, "Dir::Cache::archives": state + "/archives",
        "Dir::Etc::sourcelist": sources, "Dir::Etc::sourceparts": "/dev/null",
        "Dir::Etc::preferencesparts": "/dev/null", "APT::Architecture": architecture.name,
        "APT::Architectures": architecture.name, "APT::Sandbox::User": "", "APT::Update::Error-Mode": "any",
        "Acquire::Languages": "none", "Acquire::Retries": "2", "Debug::NoLocking": "true",
    }
    return [word for name, value in settings.items() for word in ("-o", f"{name}={value}")]


def apt(options, *words):
    run("apt-get", "--quiet=2", *options, *words, what="fetching packages")


def run(*words, what=None):
    """Fails with the first line that the program has to say."""
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    if done.returncode:
        lines = [line for line in (done.stderr + done.stdout).splitlines() if line.strip()]
        errors = [line for line in lines if line.startswith("E:")] or lines or ["it said nothing"]
        raise Failure(f"{what or words[0]}: {errors[0].removeprefix('E: ').strip()}")


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
