"""Damages to the books, while nobody has them open and while belfryd runs on them."""
import os

PAGE = 1024


def damage(books, kind, generator):
    """Damages the file `books`, or its log, in one of the ways of chaos_plan; says what it did.

    What the pages of the list hold is left alone or made unreadable: a bit in a text or a time that
    SQLite cannot tell from what was written would make another alarm of it."""
    log = books + "-wal"
    if kind == "log" and os.path.exists(log) and os.path.getsize(log) > 64:
        return alter(log, lambda data: flip(data, range(32, len(data)), 8, generator))
    return alter(books, lambda data: WAYS.get(kind, page)(data, generator))


def meddle(books, what):
    """Does to the files of a running belfryd what somebody may who is allowed to."""
    log, away = books + "-wal", books + ".away"
    if what == "empty log":
        os.truncate(log, 0)
    elif what == "cut log":
        os.truncate(log, os.path.getsize(log) // 2)
    elif what == "remove books":
        os.remove(books)
    elif what == "replace books":
        with open(away, "wb") as file:
            file.write(b"mine")
        os.rename(away, books)
    else:
        os.rename(books, away)
        os.symlink(os.path.basename(away), books)


def alter(path, change):
    with open(path, "r+b") as file:
        data = bytearray(file.read())
        said = change(data)
        file.seek(0)
        file.truncate()
        file.write(data)
    return f"{os.path.basename(path)}: {said}"


def flip(data, places, count, generator):
    chosen = sorted(generator.choice(places) for _ in range(count))
    for place in chosen:
        data[place] ^= 1 << generator.randrange(8)
    return f"bits at {', '.join(map(str, chosen))} of {len(data)}"


def header(data, generator):
    return flip(data, range(100), 1, generator)


def bits(data, generator):
    """In the heads of pages, where SQLite keeps their shape."""
    heads = [page + place for page in range(PAGE, len(data), PAGE) for place in range(12)]
    return flip(data, heads or range(100), 4, generator)


def somewhere(data, generator):
    return generator.randrange(1, max(2, len(data) // PAGE)) * PAGE


def page(data, generator):
    where = somewhere(data, generator)
    data[where:where + PAGE] = generator.randbytes(PAGE)
    return f"page at {where} of {len(data)}"


def swap(data, generator):
    one, other = somewhere(data, generator), somewhere(data, generator)
    data[one:one + PAGE], data[other:other + PAGE] = (
        data[other:other + PAGE], data[one:one + PAGE])
    return f"pages at {one} and {other} of {len(data)} swapped"


def cut(data, generator):
    kept = generator.randrange(len(data) // 2, len(data))
    whole = len(data)
    del data[kept:]
    return f"{kept} of {whole} bytes kept"


WAYS = {"header": header, "bits": bits, "page": page, "swap": swap, "cut": cut}
