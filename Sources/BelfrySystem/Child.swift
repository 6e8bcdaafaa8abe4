import BelfryCore
import CLinux

/// A process that this one started and must reap.
///
/// It leads its own process group. Dropping a `Child` neither ends nor reaps it.
public struct Child: ~Copyable {
  public enum End: Hashable, Sendable {
    case exited(Int32)
    /// By this signal.
    case killed(Int32)

    /// Such as "exit status 1" or "signal 9".
    public var text: String {
      switch self {
      case .exited(let status): "exit status \(status)"
      case .killed(let signal): "signal \(signal)"
      }
    }
  }

  public let pid: Int32
  /// Readable once the process has ended (pidfd_open(2)).
  public let descriptor: FileDescriptor

  /// Starts the program at `path` (never looked up in PATH) with an empty signal mask, default
  /// handlers, no realtime class and no descriptors but those given: (ours, the child's number),
  /// at most 8. The caller waits until exec; errors are those of posix_spawn(3).
  ///
  /// `arguments` includes the name at 0; `environment` holds `NAME=value`.
  @export(interface)
  public static func spawn(
    _ path: String, arguments: [String], environment: [String],
    descriptors: [(from: Int32, to: Int32)]
  ) throws(SystemError) -> Child {
    let operation = "start \(path)"
    try checkPath(path, operation)
    let passed = descriptors.map { clinux_spawn_descriptor(from: $0.from, to: $0.to) }
    var pid: Int32 = -1
    var pidfd: Int32 = -1
    let argumentList = CStringList(arguments)
    let environmentList = CStringList(environment)
    let result = clinux_spawn_start(
      path, argumentList.pointer, environmentList.pointer, passed, passed.count, &pid, &pidfd)
    try check(result, operation)
    return Child(pid: pid, descriptor: FileDescriptor(owning: pidfd))
  }

  /// Reaps it; nil: it still runs, only with `wait` false.
  public func reap(wait: Bool = false) throws(SystemError) -> End? {
    var status: Int32 = 0
    switch try check(clinux_spawn_reap(descriptor.raw, wait ? 1 : 0, &status), "waitid") {
    case 0: return nil
    case 1: return .exited(status)
    default: return .killed(status)
    }
  }

  /// Signals the whole process group; nobody left is no error. Not after it was reaped and its
  /// group may be empty: the number can be another's then.
  public func killGroup(_ signal: Signal = .kill) {
    _ = clinux_spawn_kill_group(pid, signal.rawValue)
  }
}

/// Strings for C, ended by NULL, alive as long as this is.
struct CStringList: ~Copyable {
  let pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ strings: [String]) {
    count = strings.count
    pointer = .allocate(capacity: count + 1)
    for index in strings.indices {
      let bytes = strings[index].utf8
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
      var end = 0
      for byte in bytes {
        copy[end] = CChar(bitPattern: byte)
        end += 1
      }
      copy[end] = 0
      pointer[index] = copy
    }
    pointer[count] = nil
  }

  deinit {
    for index in 0..<count { pointer[index]?.deallocate() }
    pointer.deallocate()
  }
}
