import Foundation
import TestSupport
import Testing

@testable import BelfrySystem

@Suite struct UnixSocketTests {
  @Test func aPathInUseByALiveListenerIsRefused() throws {
    let scratch = try Scratch()
    let first = try UnixSocket.listen(scratch["socket"], mode: 0o600)
    let error = #expect(throws: SystemError.self) {
      _ = try UnixSocket.listen(scratch["socket"], mode: 0o600)
    }
    #expect(error?.code == SystemError.addressInUse)
    _ = first.raw
  }

  @Test func aSocketFileThatNobodyAnswersAtIsReplaced() throws {
    let scratch = try Scratch()
    do { _ = try UnixSocket.listen(scratch["socket"], mode: 0o600) }
    #expect(try Files.status(scratch["socket"]).kind == .socket)
    let second = try UnixSocket.listen(scratch["socket"], mode: 0o600)
    _ = try UnixSocket.connect(scratch["socket"])
    _ = second.raw
  }

  @Test func aFileThatIsNoSocketIsNeverRemoved() throws {
    let scratch = try Scratch()
    try Files.write([1], to: scratch["socket"])
    let error = #expect(throws: SystemError.self) {
      _ = try UnixSocket.listen(scratch["socket"], mode: 0o600)
    }
    #expect(error?.code == SystemError.addressInUse)
    #expect(try Files.read(scratch["socket"], limit: 10) == [1])
  }

  @Test(arguments: [0o600, 0o660, 0o666] as [UInt32])
  func theFileHasTheModeWhateverTheUmask(mode: UInt32) throws {
    let scratch = try Scratch()
    let listener = try UnixSocket.listen(scratch["socket"], mode: mode)
    #expect(try Files.status(scratch["socket"]).mode == mode)
    _ = listener.raw
  }

  @Test func aPathLongerThanAnAddressWorks() throws {
    let scratch = try Scratch()
    let folder = scratch[String(repeating: "d", count: 120)]
    try Files.makeFolder(folder, mode: 0o700)
    let listener = try UnixSocket.listen(folder + "/socket", mode: 0o600)
    _ = try UnixSocket.connect(folder + "/socket")
    let comesOne = try UnixSocket.accept(listener) != nil
    let comesAnother = try UnixSocket.accept(listener) != nil
    #expect(comesOne && !comesAnother)
  }

  @Test func A1_thePeerIsKnownByTheKernel() throws {
    let scratch = try Scratch()
    let listener = try UnixSocket.listen(scratch["socket"], mode: 0o600)
    let client = try UnixSocket.connect(scratch["socket"])
    let peer = try UnixSocket.credentials(of: client)
    _ = listener.raw
    #expect(peer.pid == getpid())
    #expect(peer.uid == geteuid())
    #expect(peer.gid == getegid())
    var groups = [gid_t](repeating: 0, count: 65_536)
    let count = getgroups(65_536, &groups)
    #expect(Set(peer.groups) == Set(groups.prefix(Int(count))))
    _ = client.raw
  }

  @Test func aPacketKeepsItsBoundsAndTellsItsTrueLength() throws {
    let pair = try UnixSocket.pair(.packet)
    #expect(try pair.first.send([1, 2, 3]) == 3)
    #expect(try pair.first.send([4]) == 1)
    #expect(try pair.second.receive(atMost: 10) == [1, 2, 3])
    #expect(try pair.second.receive(atMost: 10) == [4])
    #expect(try pair.second.receive(atMost: 10) == nil)
    _ = try pair.first.send([1, 2, 3])
    let error = #expect(throws: SystemError.self) { _ = try pair.second.receive(atMost: 2) }
    #expect(error?.code == SystemError.messageSize)
  }

  @Test func aClosedPeerIsAnEndAndABrokenPipeNeverASignal() throws {
    let first = try endOfABrokenPair()
    #expect(try first.receive(atMost: 1) == [])
    let error = #expect(throws: SystemError.self) { _ = try first.send([1]) }
    #expect(error?.code == SystemError.brokenPipe)
  }

  private func endOfABrokenPair() throws -> FileDescriptor {
    let pair = try UnixSocket.pair(.stream)
    return try pair.first.duplicate()
  }

  @Test(arguments: ["", "a\0b"])
  func aPathThatCWouldReadOtherwiseIsRefused(path: String) {
    let error = #expect(throws: SystemError.self) { _ = try UnixSocket.connect(path) }
    #expect(error?.code == SystemError.invalid)
  }
}
