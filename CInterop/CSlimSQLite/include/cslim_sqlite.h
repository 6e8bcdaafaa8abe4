#pragma once
// Stands in for parts of libsqlite3.a that the store does not use: full-text search, R-trees and JSON.
//
// The static clock would carry 370 kB of them, since SQLite registers each in every connection. A
// program that links this first gets registrations that do nothing, and the linker leaves the rest
// in the archive. The names are SQLite's own (main.c, func.c); where a version has others, or the
// archive is one object, these are unused and nothing changes.
