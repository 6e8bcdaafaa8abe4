import BelfryCore
import BelfryWire

@testable import BelfryServer
@testable import BelfrySystem

/// A server, a scheduler that is played, and clients over socket pairs.
final class Stage {
  let server: Server
  /// The play: nil leaves the request unanswered.
  var answer: (Request) -> Reply? = { _ in .stopped(0) }
  private(set) var requests: [Server.Incoming] = []
  private(set) var ended: [Server.EndedSession] = []
  private(set) var abandoned: [RequestID] = []
  private let log = Log()
  var elapsed: Int64 = 0
  /// What each look at the stopwatch takes, in nanoseconds; and what carrying a request out does.
  private let stopwatch = Stopwatch()
  var work: (Server.Incoming) -> Int64 = { _ in 0 }

  final class Stopwatch { var time: Int64 = 0 }
  final class Log { var lines: [String] = [] }

  init(_ configure: (inout ServerConfiguration) -> Void = { _ in }) throws {
    var configuration = ServerConfiguration()
    configure(&configuration)
    let log = log
    let stopwatch = stopwatch
    server = try Server(
      configuration, status: { ["clock": "trusted", "for": .integer(Int64($0.uid))] },
      log: { log.lines.append($1) }, stopwatch: { stopwatch.time })
  }

  var lines: [String] { log.lines }

  func connect(uid: UInt32 = 1000, groups: [UInt32] = []) throws -> StageClient {
    let pair = try UnixSocket.pair(.stream)
    let client = StageClient(try pair.first.duplicate())
    try server.adopt(
      try pair.second.duplicate(),
      UnixSocket.Credentials(pid: 1, uid: uid, gid: uid, groups: groups))
    return client
  }

  /// One turn; what comes of it.
  func turn() throws -> [Server.Incoming] {
    var incoming: [Server.Incoming] = []
    try server.turn(elapsed: elapsed) {
      incoming.append($0)
      stopwatch.time += work($0)
    }
    return incoming
  }

  /// Turns until nothing is left to do.
  func settle() throws {
    var quiet = 0
    while quiet < 2 {
      let incoming = try turn()
      requests += incoming
      for request in incoming {
        if let reply = answer(request.request) { server.send(request.id, reply) }
      }
      abandoned += server.takeAbandoned()
      ended += server.takeEndedSessions()
      server.flush(elapsed: elapsed)
      quiet = incoming.isEmpty && !server.hasWork ? quiet + 1 : 0
    }
  }
}

/// The other end.
final class StageClient {
  private var socket: FileDescriptor?
  private let raw: Int32
  private var frames = VarlinkFrames(limit: 64 << 20)

  init(_ socket: consuming FileDescriptor) {
    raw = socket.raw
    try! socket.setNonBlocking(true)
    self.socket = consume socket
  }

  func write(_ bytes: [UInt8]) throws -> Int {
    try socket!.send(bytes) ?? 0
  }

  /// Writes all, letting the stage read in between.
  func write(_ bytes: [UInt8], _ stage: Stage) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      rest = rest.dropFirst(try write(Array(rest.prefix(32_768))))
      try stage.settle()
    }
  }

  func send(
    _ method: String, _ parameters: JSONObject = [:], more: Bool = false, oneway: Bool = false
  ) throws {
    let name = method.contains(".") ? method : "io.belfry.Scheduler." + method
    let call = VarlinkCall(method: name, parameters: parameters, more: more, oneway: oneway)
    _ = try write(call.encoded)
  }

  /// Replies that have come, as JSON; nil at the end: the server has closed.
  func replies() throws -> [JSONValue?] {
    var replies: [JSONValue?] = []
    while let bytes = try? socket!.receive(atMost: 1 << 16) {
      if bytes.isEmpty {
        replies.append(nil)
        break
      }
      frames.append(bytes)
      while let frame = frames.next() { replies.append(try JSONValue.parse(frame.bytes)) }
    }
    return replies
  }

  func shutDownWriting() { clientShutDownWriting(raw) }

  func close() { socket = nil }
}
