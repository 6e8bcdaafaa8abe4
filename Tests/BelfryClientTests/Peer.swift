import BelfryCore
import BelfrySystem
import BelfryWire
import Foundation
import TestSupport
import Testing

/// Plays the daemon for one connection, on a thread of its own.
final class Peer {
  private let scratch: Scratch
  private let thread: BelfrySystem.Thread
  let path: String

  /// `play` runs once somebody has connected; the connection ends when it returns.
  init(_ play: @escaping @Sendable (PeerConnection) throws -> Void) throws {
    scratch = try Scratch()
    path = scratch["socket"]
    let listener = try UnixSocket.listen(path, mode: 0o600)
    let raw = try listener.duplicate().release()
    thread = try BelfrySystem.Thread.start(name: "peer", stackSize: 2 << 20) {
      do {
        let listener = FileDescriptor(owning: raw)
        _ = Poll.wait(listener.raw, .readable, milliseconds: 20_000)
        guard let socket = try UnixSocket.accept(listener) else { return }
        try play(PeerConnection(socket))
      } catch let error as SystemError where error.code == SystemError.brokenPipe {
        // The client has what it wanted, and hung up.
      } catch {
        Issue.record("the peer: \(error)")
      }
    }
  }

  /// Waits until the play has ended.
  func join() { thread.join() }

  deinit { thread.join() }
}

/// The daemon's end of a connection.
final class PeerConnection {
  private let socket: FileDescriptor
  private var frames = VarlinkFrames()

  init(_ socket: consuming FileDescriptor) throws {
    try socket.setNonBlocking(false)
    self.socket = socket
  }

  /// The next call; throws when the client has hung up, or says nothing for 20 s.
  func next() throws -> VarlinkCall {
    while true {
      if let frame = frames.next() { return try VarlinkCall.parse(frame) }
      guard !Poll.wait(socket.raw, .readable, milliseconds: 20_000).isEmpty,
        let bytes = try socket.receive(atMost: 1 << 16, wait: true), !bytes.isEmpty
      else { throw HungUp() }
      frames.append(bytes)
    }
  }

  /// Sends bytes as they are.
  func send(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count { sent += try socket.send(Array(bytes[sent...]), wait: true) ?? 0 }
  }

  func send(_ text: String) throws { try send(Array(text.utf8) + [0]) }

  func reply(_ parameters: JSONObject, continues: Bool = false) throws {
    var reply: JSONObject = ["parameters": .object(parameters)]
    if continues { reply.append("continues", true) }
    try send(JSONValue.object(reply).text)
  }

  func fail(_ failure: VarlinkFailure) throws { try send(failure.encoded) }

  /// Until the client has hung up.
  func awaitEnd() {
    while (try? next()) != nil {}
  }

  struct HungUp: Error {}
}
