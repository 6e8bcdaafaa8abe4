import BelfryCore
import CLinux

/// What the kernel refused: a positive errno, and the operation that met it.
public struct SystemError: Error, Hashable, Sendable {
  public var code: Int32
  /// Such as `connect /run/belfry/socket`.
  public var operation: String

  public init(code: Int32, operation: String) {
    self.code = code
    self.operation = operation
  }

  /// The code in the C locale's words, such as "No such file or directory".
  public var reason: String {
    String(cString: clinux_error_text(code))
  }

  /// Operation and reason, for a person.
  public var text: String {
    "\(operation): \(reason)"
  }
}

extension SystemError {
  // Numbers of asm-generic, which every Linux that Swift runs on shares.
  public static let notPermitted: Int32 = 1
  public static let noEntry: Int32 = 2
  public static let badDescriptor: Int32 = 9
  public static let wouldBlock: Int32 = 11
  public static let noMemory: Int32 = 12
  public static let noAccess: Int32 = 13
  public static let exists: Int32 = 17
  public static let notFolder: Int32 = 20
  public static let isFolder: Int32 = 21
  public static let invalid: Int32 = 22
  public static let tooManyOpen: Int32 = 24
  public static let tooBig: Int32 = 27
  public static let noSpace: Int32 = 28
  public static let readOnly: Int32 = 30
  public static let brokenPipe: Int32 = 32
  public static let range: Int32 = 34
  public static let tooManyLinks: Int32 = 40
  public static let messageSize: Int32 = 90
  public static let addressInUse: Int32 = 98
  public static let refused: Int32 = 111
  public static let cancelled: Int32 = 125
}

/// A shim's result: a count, or a negative errno as an error of `operation`.
@discardableResult
func check(_ result: Int32, _ operation: @autoclosure () -> String) throws(SystemError) -> Int32 {
  guard result < 0 else { return result }
  throw SystemError(code: -result, operation: operation())
}

/// A shim's 64-bit result as a count of bytes.
func check(_ result: Int64, _ operation: @autoclosure () -> String) throws(SystemError) -> Int {
  guard result < 0 else { return Int(result) }
  throw SystemError(code: Int32(-result), operation: operation())
}

/// C would end such a path early and open another file than the one that was named.
func checkPath(_ path: String, _ operation: String) throws(SystemError) {
  if path.isEmpty || path.utf8.contains(0) {
    throw SystemError(code: SystemError.invalid, operation: operation)
  }
}
