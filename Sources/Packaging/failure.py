"""What goes wrong, in one line."""
import subprocess


class Failure(Exception):
    """Its text is a sentence without a full stop, for people."""


def run(*words, what=None, folder=None, environment=None):
    """What a program says on standard output; fails with the first line that it has to say of an error.
    `what`: its work, in words for people."""
    name = what or str(words[0]).rsplit("/", 1)[-1]
    try:
        done = subprocess.run(words, check=False, capture_output=True, cwd=folder, env=environment)
    except FileNotFoundError:
        raise Failure(f"{name}: {words[0]} is missing") from None
    if done.returncode:
        said = (done.stderr + done.stdout).decode(errors="replace")
        lines = [line.strip() for line in said.splitlines() if line.strip()] or ["it said nothing"]
        errors = [line for line in lines if line.startswith(("E:", "error:"))] or lines
        raise Failure(f"{name}: {errors[0].removeprefix('E: ')}")
    return done.stdout.decode(errors="replace")
