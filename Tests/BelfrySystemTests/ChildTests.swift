import Foundation
import TestSupport
import Testing

@testable import BelfrySystem

@Suite struct ChildTests {
  /// Runs a shell script and returns what it wrote, and how it ended.
  private func shell(
    _ script: String, descriptors: [(from: Int32, to: Int32)] = []
  ) throws -> (output: String, end: Child.End?) {
    let pipe = try FileDescriptor.pipe()
    let child = try Child.spawn(
      "/bin/sh", arguments: ["sh", "-c", script], environment: ["PATH=/bin:/usr/bin", "GIVEN=yes"],
      descriptors: [(from: pipe.write.raw, to: 1)] + descriptors)
    let end = try child.reap(wait: true)
    try pipe.read.setNonBlocking(true)
    let bytes = try pipe.read.read(atMost: 65_536) ?? []
    return (String(decoding: bytes, as: UTF8.self), end)
  }

  @Test func itGetsItsDescriptorsAndNoOthers() throws {
    let given = try Files.open("/dev/null", .read)
    // Those that some starter of ours might have left open, below and above the one that is given.
    let strays = [fcntl(given.raw, F_DUPFD, 100), fcntl(given.raw, F_DUPFD, 300)]
    defer { for stray in strays { close(stray) } }
    let (output, _) = try shell(
      "exec 2>/dev/null; cd /proc/self/fd; echo *", descriptors: [(from: given.raw, to: 200)])
    // sh opens 2 itself, and the folder under the lowest number that is free.
    let numbers = Set(output.split(whereSeparator: { $0.isWhitespace }).map { String($0) })
    #expect(numbers.isSuperset(of: ["1", "200"]))
    #expect(numbers.isSubset(of: ["0", "1", "2", "3", "200"]), "\(numbers)")
  }

  @Test func descriptorsMayChangePlaces() throws {
    let scratch = try Scratch()
    try Files.write(Array("three".utf8), to: scratch["3"])
    try Files.write(Array("four".utf8), to: scratch["4"])
    let first = try Files.open(scratch["3"], .read)
    let second = try Files.open(scratch["4"], .read)
    // Whatever numbers they have: each goes where the other may be.
    let (output, _) = try shell(
      "cat /proc/self/fd/\(second.raw) /proc/self/fd/\(first.raw)",
      descriptors: [(from: first.raw, to: second.raw), (from: second.raw, to: first.raw)])
    #expect(output == "threefour")
  }

  @Test func itStartsWithCleanSignals() throws {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGUSR1)
    pthread_sigmask(SIG_BLOCK, &set, nil)
    let before = signal(SIGPIPE, SIG_IGN)
    defer {
      pthread_sigmask(SIG_UNBLOCK, &set, nil)
      signal(SIGPIPE, before)
    }
    let (output, _) = try shell("grep -E '^Sig(Blk|Ign)' /proc/self/status")
    let lines = output.split(separator: "\n").map { $0.split(separator: "\t")[1] }
    #expect(lines[0] == "0000000000000000")
    // 32 and 33 are the C library's own, which no program can set: they are as we got them.
    let ignored = UInt64(lines[1], radix: 16) ?? UInt64.max
    let librarys = UInt64(3) << 31
    #expect(ignored & ~librarys == 0)
  }

  @Test func itsEnvironmentIsWhatWasGiven() throws {
    let (output, _) = try shell("env | grep -v -E '^(PWD|_|SHLVL|OLDPWD)=' | sort | tr '\\n' ' '")
    #expect(output == "GIVEN=yes PATH=/bin:/usr/bin ")
  }

  @Test(arguments: [
    ("exit 0", Child.End.exited(0)), ("exit 7", .exited(7)), ("kill -9 $$", .killed(9)),
  ])
  func itsEndIsTold(script: String, end: Child.End) throws {
    #expect(try shell(script).end == end)
  }

  @Test func killingTakesTheWholeGroup() throws {
    let pipe = try FileDescriptor.pipe()
    let child = try Child.spawn(
      "/bin/sh", arguments: ["sh", "-c", "sleep 1000 & echo started; wait"], environment: [],
      descriptors: [(from: pipe.write.raw, to: 1)])
    #expect(try pipe.read.read(atMost: 100) == Array("started\n".utf8))
    #expect(try child.reap() == nil)
    child.killGroup()
    #expect(Poll.wait(child.descriptor.raw, .readable, milliseconds: 60_000) == .readable)
    #expect(try child.reap() == .killed(9))
    // The grandchild held the pipe's write end, and so did we.
    let reader = try pipe.read.duplicate()
    dropWriter(pipe)
    #expect(Poll.wait(reader.raw, .readable, milliseconds: 60_000).contains(.hangup))
  }

  private func dropWriter(_ pipe: consuming FileDescriptor.Pipe) {}

  @Test func aMissingProgramIsAnError() {
    let error = #expect(throws: SystemError.self) {
      _ = try Child.spawn("/nowhere/at/all", arguments: [], environment: [], descriptors: [])
    }
    #expect(error?.code == SystemError.noEntry)
  }
}
