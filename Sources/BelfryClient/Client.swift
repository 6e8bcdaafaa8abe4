import BelfryCore
import BelfrySystem
import BelfryWire

/// A blocking Varlink client; one call at a time, used by one thread.
public final class Client {
  /// One reply's parameters, and whether more follow.
  public struct Reply: Sendable {
    public var parameters: JSONObject
    public var continues: Bool
  }

  /// How long `call` waits where the caller does not say, in milliseconds: longer than a blocked disk
  /// holds a reply back.
  public static let patience: Int32 = 60_000

  private let socket: FileDescriptor
  private var frames = VarlinkFrames(limit: 64 << 20)

  /// Connects to the daemon's socket.
  public init(path: String) throws(ClientError) {
    do throws(SystemError) {
      socket = try UnixSocket.connect(path)
    } catch {
      switch error.code {
      case SystemError.noEntry, SystemError.refused, SystemError.notFolder:
        throw .noDaemon(path: path)
      default: throw .unreachable(error)
      }
    }
  }

  /// To be waited for together with other descriptors: `receive` has something to read.
  public var descriptor: Int32 { socket.raw }

  /// Sends a call; `method` without an interface is the scheduler's.
  public func send(
    _ method: String, _ parameters: JSONObject = [:], more: Bool = false, oneway: Bool = false
  ) throws(ClientError) {
    let full = method.utf8.contains(UInt8(ascii: ".")) ? method : "\(Varlink.interface).\(method)"
    let call = VarlinkCall(method: full, parameters: parameters, more: more, oneway: oneway)
    let bytes = call.encoded
    var sent = 0
    while sent < bytes.count {
      do throws(SystemError) {
        sent += try socket.send(Array(bytes[sent...]), wait: true) ?? 0
      } catch {
        // The daemon may have said why it hung up: `receive` finds that out.
        return
      }
    }
  }

  /// The next reply; nil after `milliseconds` (nil: never). An error reply is thrown.
  public func receive(milliseconds: Int32? = nil) throws(ClientError) -> Reply? {
    let start = SystemClock.now().elapsed
    while true {
      if let frame = frames.next() { return try read(frame) }
      var left: Int32?
      if let milliseconds {
        let passed = (SystemClock.now().elapsed - start) / Duration.millisecond
        left = Int32(max(0, Int64(milliseconds) - passed))
      }
      let ready = Poll.wait(socket.raw, .readable, milliseconds: left)
      if ready.isEmpty {
        if left == 0 { return nil }
        continue
      }
      try fill()
    }
  }

  private func fill() throws(ClientError) {
    let bytes: [UInt8]?
    do throws(SystemError) {
      bytes = try socket.receive(atMost: 1 << 16)
    } catch {
      throw .disconnected
    }
    guard let bytes else { return }
    guard !bytes.isEmpty else { throw .disconnected }
    frames.append(bytes)
  }

  private func read(_ frame: VarlinkFrames.Frame) throws(ClientError) -> Reply {
    guard case .message(let bytes) = frame else {
      throw .unreadableReply(reason: "longer than 64 MiB")
    }
    let value: JSONValue
    do throws(WireError) {
      value = try JSONValue.parse(bytes)
    } catch {
      throw .unreadableReply(reason: error.reason)
    }
    guard case .object(let object) = value else {
      throw .unreadableReply(reason: "no JSON object")
    }
    let parameters = object["parameters"]?.object ?? [:]
    if let name = object["error"]?.string {
      let failure = VarlinkFailure(name: name, parameters: parameters)
      if let refusal = failure.requestError { throw .refused(refusal) }
      throw .failed(failure)
    }
    return Reply(parameters: parameters, continues: object["continues"] == true)
  }

  /// Calls a method and waits for its one reply.
  public func call(
    _ method: String, _ parameters: JSONObject = [:], milliseconds: Int32 = Client.patience
  ) throws(ClientError) -> JSONObject {
    try send(method, parameters)
    guard let reply = try receive(milliseconds: milliseconds) else { throw .timedOut }
    return reply.parameters
  }

  /// Calls a method with `more` and gives each reply to `body`, until the last one or until `body`
  /// returns false; after that the connection is of no more use. No reply may take longer than
  /// `milliseconds` (nil: for ever).
  public func stream(
    _ method: String, _ parameters: JSONObject = [:], milliseconds: Int32? = Client.patience,
    _ body: (JSONObject) throws(ClientError) -> Bool
  ) throws(ClientError) {
    try send(method, parameters, more: true)
    while true {
      guard let reply = try receive(milliseconds: milliseconds) else { throw .timedOut }
      guard try body(reply.parameters), reply.continues else { return }
    }
  }
}
