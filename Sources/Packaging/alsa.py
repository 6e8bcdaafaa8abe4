"""ALSA's library for systems whose C library is musl, made from Debian's source package with Debian's
patches. It is linked into the speaker, and reads its configuration from Belfry's own folder, so that a
board needs no package of ALSA."""
import os
import shutil

import crossbuild
import debian_sources
from failure import run

# Where the speaker finds alsa.conf, which in turn reads the owner's /etc/asound.conf.
CONFIGURATION = "/usr/share/belfry/alsa"
OPTIONS = (
    "--disable-shared", "--enable-static", "--with-libdl=no", "--with-pcm-plugins=all", "--disable-python",
    "--disable-aload", "--disable-alisp", "--disable-old-symbols", "--disable-topology", "--disable-ucm",
    "--disable-rawmidi", "--disable-hwdep", "--disable-seq", "--with-versioned=no", "--with-debug=no",
    "--prefix=/usr", "--silent")


def fetch(work, host):
    """The folder with the sources, which is whole or not there at all. `host`: this machine's architecture,
    by Debian's name."""
    place = os.path.join(work, "alsa-lib")
    if os.path.exists(place):
        return place
    folder = os.path.join(work, "alsa-lib.new")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    os.rename(debian_sources.fetch("alsa-lib", folder, host), place)
    shutil.rmtree(folder)
    return place


def install(place, architecture, root):
    """Compiles it into `root`."""
    stamp = os.path.join(root, ".alsa")
    if os.path.exists(stamp):
        return
    folder = os.path.join(root, "alsa")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    tools = crossbuild.toolchain()
    flags = [*crossbuild.c_flags(architecture, root), "-Os", "-ffunction-sections", "-fdata-sections",
             "-fno-asynchronous-unwind-tables", "-Wno-everything"]
    environment = os.environ | {
        "CC": f"{tools}/clang {' '.join(flags)}", "LD": f"{tools}/ld.lld", "AR": f"{tools}/llvm-ar",
        "RANLIB": f"{tools}/llvm-ar s", "NM": f"{tools}/llvm-nm", "STRIP": "true",
        "LDFLAGS": " ".join(["-fuse-ld=lld", "-static", *crossbuild.link_flags(architecture, root)])}
    making = {"what": "making ALSA's library", "folder": folder, "environment": environment}
    library = f"/usr/lib/{architecture.target}"
    run(f"{place}/configure", *OPTIONS, f"--host={architecture.target}", f"--libdir={library}",
        f"--with-configdir={CONFIGURATION}", f"--with-plugindir={library}/alsa-lib", **making)
    for part in ("include", "src", "utils"):
        run("make", "--silent", "-j2", "-C", part, "install", f"DESTDIR={root}", **making)
    shutil.rmtree(folder)
    with open(stamp, "w", encoding="utf-8"):
        pass
