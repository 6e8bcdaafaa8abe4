import BelfryCore
import CLinux

/// What a child of the clock does to itself before it touches anything foreign.
public enum Sandbox {
  /// Raises this process's share of the blame when memory runs out (0 to 1000), above the clock's.
  public static func worsenOOMScore(to score: Int32) {
    _ = clinux_confine_worsen_oom(score)
  }

  /// Becomes this user for good, and gives up every capability; root keeps its own.
  public static func become(_ identity: Child.Identity?) throws(SystemError) {
    if let identity, identity.uid != Process.uid {
      let groups = identity.groups
      let result = groups.withUnsafeBufferPointer {
        clinux_confine_become(identity.uid, identity.gid, $0.baseAddress, $0.count)
      }
      try check(result, "become user \(identity.uid)")
    }
    if Process.uid != 0 { try check(clinux_confine_drop_capabilities(), "capset") }
  }

  /// Denies what no plugin needs, and all that is aimed at the clock. `isAlone`: this process is of
  /// another user than the clock, and signals nobody but its own children. Needs no-new-privileges.
  ///
  /// The result says what is missing; nil: it is in force.
  public static func filter(sparing clock: [Int32], isAlone: Bool) -> String? {
    if isAlone { _ = clinux_filter_scope_signals() }
    let group = clock.first.map { clinux_process_group($0) } ?? 0
    switch clinux_filter_install(clock, clock.count, group) {
    case 1: return nil
    case 0: return "no system call is filtered: this processor is not known"
    case let code:
      return "no system call is filtered: " + SystemError(code: -code, operation: "seccomp").text
    }
  }

  /// A process and its threads, the process first.
  public static func threads(of pid: Int32) -> [Int32] {
    let names = (try? Files.list("/proc/\(pid)/task")) ?? []
    return [pid] + names.compactMap { Int32($0) }.filter { $0 != pid }
  }

  /// Of the clock itself: nobody but root reads its memory, and what its children leave behind comes
  /// to it and not to init.
  public static func guardClock() {
    _ = clinux_confine_hide()
    _ = clinux_confine_adopt()
  }
}

extension Child.Identity {
  /// The variable by which the clock tells a child whom to become.
  public static let variable = "BELFRY_CHILD_USER"

  /// Such as `998:998:29`: user, group, further groups.
  public var text: String {
    "\(uid):\(gid):" + groups.map { "\($0)" }.joined(separator: ",")
  }

  public init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard parts.count == 3, let uid = UInt32(parts[0]), let gid = UInt32(parts[1]) else {
      return nil
    }
    self.uid = uid
    self.gid = gid
    groups = parts[2].utf8.split(separator: UInt8(ascii: ","))
      .compactMap { UInt32(String(decoding: $0, as: UTF8.self)) }
  }

  /// What the clock told this child, once; nil: to stay who it is.
  public static func taken() -> Child.Identity? {
    defer { Environment.unset(variable) }
    return Environment.value(of: variable).flatMap { Child.Identity($0) }
  }
}
