"""What a board gets whose C library is musl: a tarball, and in it a script that installs it."""
import os
import shutil

import alsa
from staging import Staging, stage_documents, stage_programs
from tarball import pack

HERE = os.path.dirname(os.path.abspath(__file__))


def build(architecture, tools, built, root, teller, version, date, folder):
    """The path of the tarball. `root`: the libraries that the programs were linked with."""
    name = f"belfry-{version}-{architecture.name}"
    place = os.path.join(folder, name)
    shutil.rmtree(place, ignore_errors=True)
    files = Staging(os.path.join(place, "files"), strip=tools.strip)
    stage_programs(files, built)
    stage_documents(files, teller)
    configuration = root + alsa.CONFIGURATION
    for below, _, names in os.walk(configuration):
        for file in names:
            path = os.path.join(below, file)
            files.copy(path, alsa.CONFIGURATION + path.removeprefix(configuration))
    beside = Staging(place)
    names = sorted([*files.made, "/etc/init.d/belfry", "/usr/share/belfry/installed-files"])
    beside.write("/installed-files", "".join(f"{name}\n" for name in names))
    beside.write("/belfry.conf", teller.configuration())
    beside.write("/architecture", architecture.machine_name + "\n")
    for script in ("service/belfry.init", "service/belfry.openrc", "musl/install.sh"):
        beside.copy(os.path.join(HERE, script), "/" + script.removeprefix("musl/"), 0o755)
    return pack(folder, name, date, os.path.join(folder, name + ".tar.gz"))
