import BelfryCore

/// A Varlink call as it stands in its message.
public struct VarlinkCall: Hashable, Sendable {
  /// Interface and method, such as `io.belfry.Scheduler.List`.
  public var method: String
  /// Empty where the message has none or null.
  public var parameters: JSONObject
  public var more: Bool
  public var oneway: Bool

  public init(
    method: String, parameters: JSONObject = [:], more: Bool = false, oneway: Bool = false
  ) {
    self.method = method
    self.parameters = parameters
    self.more = more
    self.oneway = oneway
  }

  /// The message, NUL included.
  public var encoded: [UInt8] {
    var object: JSONObject = ["method": .string(method)]
    if !parameters.isEmpty { object.append("parameters", .object(parameters)) }
    if more { object.append("more", true) }
    if oneway { object.append("oneway", true) }
    var bytes: [UInt8] = []
    object.write(to: &bytes)
    bytes.append(0)
    return bytes
  }

  /// A call that cannot be made out, and whether it wanted no reply.
  public struct Unreadable: Error, Sendable {
    public var failure: VarlinkFailure
    public var oneway: Bool
  }

  /// Values in one message. The largest userInfo has half as many; a whole mebibyte of them would
  /// hold the clock for longer than an alert may be late.
  public static let valueLimit = 1 << 17

  /// Reads a message.
  @export(interface)
  public static func parse(_ frame: VarlinkFrames.Frame) throws(Unreadable) -> VarlinkCall {
    switch frame {
    case .oversized(let bytes):
      throw Unreadable(failure: VarlinkFailure(oversized: bytes), oneway: false)
    case .message(let bytes):
      let value: JSONValue
      do throws(WireError) {
        value = try JSONValue.parse(bytes, valueLimit: VarlinkCall.valueLimit)
      } catch {
        let oneway = OnewayScan.says(bytes)
        throw Unreadable(failure: VarlinkFailure(error), oneway: oneway)
      }
      guard case .object(let object) = value else {
        let failure = VarlinkFailure.malformedMessage(at: 0, "a call is a JSON object")
        throw Unreadable(failure: failure, oneway: false)
      }
      do throws(FieldError) {
        return try VarlinkCall(object)
      } catch {
        throw Unreadable(failure: VarlinkFailure(error), oneway: object["oneway"] == true)
      }
    }
  }

  private init(_ object: JSONObject) throws(FieldError) {
    let members = try MemberReader(
      object, of: "a call", known: ["method", "parameters", "more", "oneway", "upgrade"])
    method = try members.text("method")
    parameters = try members.optionalObject("parameters") ?? [:]
    more = try members.optionalBoolean("more") ?? false
    oneway = try members.optionalBoolean("oneway") ?? false
    guard try members.optionalBoolean("upgrade") != true else {
      throw FieldError("upgrade", .conflict, "no method here takes the connection over")
    }
    guard !more || !oneway else {
      throw FieldError("more", .conflict, "a call with oneway gets no reply, so none can follow")
    }
  }
}

/// Whether a call that is no valid JSON says `"oneway": true`: then it must not be answered.
private enum OnewayScan {
  static func says(_ bytes: [UInt8]) -> Bool {
    let word = Array("\"oneway\"".utf8)
    let affirmative = Array("true".utf8)
    var depth = 0
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "\""):
        let isWord = depth == 1 && bytes[index...].starts(with: word)
        index = afterString(bytes, index)
        if isWord, follows(bytes, index, affirmative) { return true }
        continue
      default: break
      }
      index += 1
    }
    return false
  }

  private static func afterString(_ bytes: [UInt8], _ quote: Int) -> Int {
    var index = quote + 1
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(index + 1, bytes.count)
  }

  private static func follows(_ bytes: [UInt8], _ start: Int, _ word: [UInt8]) -> Bool {
    var rest = bytes[start...].drop { $0 <= 32 }
    guard rest.first == UInt8(ascii: ":") else { return false }
    rest = rest.dropFirst().drop { $0 <= 32 }
    return rest.starts(with: word)
  }
}
