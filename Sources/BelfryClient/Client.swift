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

  /// The most bytes of a reply where `init` is not told another number.
  public static let longestReply = 64 << 20

  let socket: FileDescriptor
  private var frames: VarlinkFrames
  var queue = SendQueue()
  /// Whether the daemon may have got the last call whole; what it has not got it cannot have done.
  public private(set) var mayHaveArrived = false

  /// Connects to the daemon's socket; `.timedOut`: it took nobody in for so many `milliseconds` (nil:
  /// waits for ever). A reply may have `longestReply` bytes.
  @export(interface)
  public init(
    path: String, milliseconds: Int32? = nil, longestReply: Int = Client.longestReply
  ) throws(ClientError) {
    frames = VarlinkFrames(limit: longestReply)
    do throws(SystemError) {
      socket = try UnixSocket.connect(path, milliseconds: milliseconds)
    } catch {
      switch error.code {
      case SystemError.wouldBlock: throw .timedOut
      case SystemError.noEntry, SystemError.refused, SystemError.notFolder:
        throw .noDaemon(path: path)
      default: throw .unreachable(error)
      }
    }
  }

  /// To be waited for together with other descriptors: `receive` has something to read.
  public var descriptor: Int32 { socket.raw }

  /// Sends a call; `method` without an interface is the scheduler's. `.timedOut`: the daemon did not
  /// read it within `milliseconds` (nil: waits for ever), and the connection is of no more use.
  @export(interface)
  public func send(
    _ method: String, _ parameters: JSONObject = [:], more: Bool = false, oneway: Bool = false,
    milliseconds: Int32? = nil
  ) throws(ClientError) {
    mayHaveArrived = false
    let bytes = Self.message(method, parameters, more: more, oneway: oneway)
    let start = SystemClock.elapsed()
    var sent = 0
    while sent < bytes.count {
      do throws(SystemError) {
        if let count = try socket.send(Array(bytes[sent...])) {
          sent += count
          continue
        }
      } catch {
        // The daemon may have said why it hung up: `receive` finds that out.
        return
      }
      let left = Client.left(of: milliseconds, since: start)
      if Poll.wait(socket.raw, .writable, milliseconds: left).isEmpty, left == 0 {
        throw .timedOut
      }
    }
    mayHaveArrived = true
  }

  static func message(
    _ method: String, _ parameters: JSONObject, more: Bool = false, oneway: Bool = false
  ) -> [UInt8] {
    let full = method.utf8.contains(UInt8(ascii: ".")) ? method : "\(Varlink.interface).\(method)"
    return VarlinkCall(method: full, parameters: parameters, more: more, oneway: oneway).encoded
  }

  /// What is left of so many milliseconds that began at `start`; 0: nothing.
  private static func left(of milliseconds: Int32?, since start: Int64) -> Int32? {
    milliseconds.map {
      Int32(max(0, Int64($0) - (SystemClock.elapsed() - start) / Nanoseconds.millisecond))
    }
  }

  /// Whether the daemon has hung up, or says what nobody has asked for: then the connection is of no
  /// more use.
  public var isStale: Bool {
    !Poll.wait(socket.raw, .readable, milliseconds: 0).isEmpty
  }

  /// The next reply; nil after `milliseconds` (nil: never). An error reply is thrown.
  @export(interface)
  public func receive(milliseconds: Int32? = nil) throws(ClientError) -> Reply? {
    let start = SystemClock.elapsed()
    while true {
      if let frame = frames.next() { return try read(frame) }
      let left = Client.left(of: milliseconds, since: start)
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
      throw .unreadableReply(reason: "longer than \(frames.limit >> 20) MiB")
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
  @export(interface)
  public func call(
    _ method: String, _ parameters: JSONObject = [:], milliseconds: Int32 = Client.patience
  ) throws(ClientError) -> JSONObject {
    let start = SystemClock.elapsed()
    try send(method, parameters, milliseconds: milliseconds)
    let left = Client.left(of: milliseconds, since: start)
    guard let reply = try receive(milliseconds: left) else { throw .timedOut }
    return reply.parameters
  }

  /// Calls a method with `more` and gives each reply to `body`, until the last one or until `body`
  /// returns false; after that the connection is of no more use. No reply may take longer than
  /// `milliseconds` (nil: for ever).
  @export(interface)
  public func stream(
    _ method: String, _ parameters: JSONObject = [:], milliseconds: Int32? = Client.patience,
    _ body: (JSONObject) throws(ClientError) -> Bool
  ) throws(ClientError) {
    try send(method, parameters, more: true, milliseconds: milliseconds)
    while true {
      guard let reply = try receive(milliseconds: milliseconds) else { throw .timedOut }
      guard try body(reply.parameters), reply.continues else { return }
    }
  }
}
