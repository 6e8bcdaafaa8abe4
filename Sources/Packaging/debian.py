"""Debian packages of what was staged."""
import glob
import os
import re
import shutil
import textwrap

from failure import Failure, run
from staging import OWN_PACKAGES, Staging, stage, stage_plugin

MAINTAINER = "The developers of Belfry <maintainers@belfry.example>"
HOMEPAGE = "https://belfry.example"
# Where libraries come from; the version is of what the programs were linked with.
LIBRARIES = {"libasound.so.2": "libasound2 (>= 1.1) | libasound2t64"}
# What lintian says and why it is so.
OVERRIDES = (
    ("statically-linked-binary [usr/bin/belfryd]",
     "The clock has all of itself in memory and needs no file of the disk to ring."),
    ("initial-upload-closes-no-bugs [usr/share/doc/*]", "These packages are no upload to Debian."),
)
GLIBC = re.compile(r"^(libc|libm|libdl|libpthread|ld-linux[\w-]*)\.so\.\d+$")


class Package:
    """One that is built for an architecture, or for all."""

    def __init__(self, name, summary, description, architecture, section="utils", depends=(), **fields):
        self.name, self.summary, self.description = name, summary, description
        self.architecture, self.section = architecture, section
        self.depends, self.fields = list(depends), fields


def build(architecture, tools, built, source, teller, version, date, folder):
    """The files of all packages."""
    made = []
    for package, fill in packages(architecture):
        root = os.path.join(folder, package.name)
        shutil.rmtree(root, ignore_errors=True)
        staging = Staging(root, strip=tools.strip)
        fill(staging, built, source, teller)
        package.depends = needs(root, tools) + package.depends
        documents(package, staging, source, version, date)
        made.append(pack(package, root, version, date, folder))
    return made


def packages(architecture):
    yield Package(
        "belfry", "scheduler of local notifications for Linux boards",
        "Apps say when to show, play or count something, once or by a rule, in wall-clock time or by UTC; "
        "belfryd delivers it whether they run or not, over restarts, power cuts and steps of the clock. "
        "This package has the daemon, the command line, the sound player and the plugins that write to a "
        "terminal, run a program, or take pushes from a folder.",
        architecture.name, depends=["adduser"], Recommends="tzdata",
        Suggests="belfry-plugin-calendars, alsa-utils"), board
    for name in OWN_PACKAGES:
        yield Package(
            f"belfry-plugin-{name}", f"{name} for Belfry, the notification scheduler",
            "Repeats in the months of calendars other than the Gregorian one, as ICU counts them.",
            architecture.name, depends=["belfry"]), lambda staging, built, *_: stage_plugin(
                staging, built, "calendars")
    yield Package(
        "belfry-plugin-dev", "headers for plugins of Belfry, the notification scheduler",
        "The C header by which a plugin shows notifications, answers for calendars or hands in pushes, and "
        "the list of symbols that such a library exports.",
        "all", section="libdevel", depends=[]), development


def board(staging, built, source, teller):
    stage(staging, built, teller)
    here = os.path.dirname(os.path.abspath(__file__))
    staging.copy(f"{here}/service/belfry.init", "/etc/init.d/belfry", 0o755)
    staging.copy(f"{here}/service/belfry.openrc", "share/doc/belfry/examples/belfry.openrc")


def development(staging, built, source, teller):
    include = os.path.join(source, "CInterop/CPlugin/include/belfry")
    for path in sorted(glob.glob(include + "/*.h")):
        staging.copy(path, "include/belfry/" + os.path.basename(path))
    staging.copy(os.path.join(source, "plugins/plugin.map"), "share/belfry-plugin-dev/plugin.map")


def needs(root, tools):
    """The packages of the libraries that its files are linked with."""
    found, glibc = set(), (0, 0)
    for folder, _, files in os.walk(root):
        for name in files:
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                if file.read(4) != b"\x7fELF":
                    continue
            text = tools.headers(path)
            for library in re.findall(r"^\s*NEEDED\s+(\S+)", text, re.M):
                icu = re.fullmatch(r"libicu\w+\.so\.(\d+)", library)
                if icu:
                    found.add(f"libicu{icu.group(1)}")
                elif library in LIBRARIES:
                    found.add(LIBRARIES[library])
                elif not GLIBC.match(library):
                    raise Failure(f"{name} needs {library}, which no package is known for")
            for major, minor in re.findall(r"\bGLIBC_(\d+)\.(\d+)", text):
                glibc = max(glibc, (int(major), int(minor)))
    if glibc > (0, 0):
        found.add(f"libc6 (>= {glibc[0]}.{glibc[1]})")
    return sorted(found)


def documents(package, staging, source, version, date):
    place = f"share/doc/{package.name}/"
    staging.write(place + "copyright", textwrap.dedent(f"""\
        Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
        Upstream-Name: Belfry
        Source: {HOMEPAGE}

        Files: *
        Copyright: {date.year} the developers of Belfry
        License: Apache-2.0
         On Debian systems the whole text of the Apache License, version 2.0, is in
         /usr/share/common-licenses/Apache-2.0.
        """))
    overrides = "".join(f"# {why}\n{package.name}: {tag}\n" for tag, why in OVERRIDES
                        if package.name == "belfry" or "usr/bin" not in tag)
    staging.write(f"share/lintian/overrides/{package.name}", overrides)
    staging.write(place + "changelog.Debian.gz", textwrap.dedent(f"""\
        {package.name} ({version}) stable; urgency=medium

          * Release {version.split('-')[0]}.

         -- {MAINTAINER}  {date.strftime('%a, %d %b %Y %H:%M:%S +0000')}
        """), packed=True)


def pack(package, root, version, date, folder):
    control = os.path.join(root, "DEBIAN")
    os.makedirs(control)
    size = sum(os.lstat(os.path.join(place, name)).st_size
               for place, _, names in os.walk(root) for name in names)
    fields = {
        "Package": package.name, "Version": version, "Architecture": package.architecture,
        "Maintainer": MAINTAINER, "Installed-Size": str((size + 1023) // 1024),
        "Depends": ", ".join(package.depends), **package.fields, "Section": package.section,
        "Priority": "optional", "Homepage": HOMEPAGE,
        "Description": package.summary + "\n" + "\n".join(
            " " + line for line in textwrap.wrap(package.description, 78))}
    with open(f"{control}/control", "w", encoding="utf-8") as file:
        file.writelines(f"{name}: {value}\n" for name, value in fields.items() if value)
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "debian")
    for script in ("preinst", "postinst", "prerm", "postrm"):
        source = f"{here}/{package.name}.{script}"
        if os.path.exists(source):
            shutil.copyfile(source, f"{control}/{script}")
            os.chmod(f"{control}/{script}", 0o755)
    settings = sorted("/" + os.path.relpath(path, root) for path in glob.glob(f"{root}/etc/**", recursive=True)
                      if os.path.isfile(path))
    if settings:
        with open(f"{control}/conffiles", "w", encoding="utf-8") as file:
            file.writelines(name + "\n" for name in settings)
    sums(root, control)
    path = os.path.join(folder, f"{package.name}_{version}_{package.architecture}.deb")
    run("dpkg-deb", "--root-owner-group", "--build", root, path + ".new",
        environment=os.environ | {"SOURCE_DATE_EPOCH": str(int(date.timestamp()))})
    os.rename(path + ".new", path)
    return path


def sums(root, control):
    names = sorted(os.path.relpath(os.path.join(folder, name), root)
                   for folder, _, names in os.walk(root) for name in names)
    names = [name for name in names if not name.startswith(("DEBIAN/", "etc/"))]
    text = run("md5sum", *names, folder=root)
    with open(f"{control}/md5sums", "w", encoding="utf-8") as file:
        file.write(text)
