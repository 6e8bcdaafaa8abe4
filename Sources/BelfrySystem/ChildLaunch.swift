import BelfryCore
import CLinux

extension Child {
  /// As whom a program runs.
  public struct Identity: Hashable, Sendable {
    public var uid: UInt32
    public var gid: UInt32
    public var groups: [UInt32]

    public init(uid: UInt32, gid: UInt32, groups: [UInt32] = []) {
      self.uid = uid
      self.gid = gid
      self.groups = groups
    }

    public init(_ account: Account) {
      uid = account.uid
      gid = account.gid
      groups = account.groups()
    }
  }

  /// Starts the program at `path` in a session of its own, which outlives us: nothing to read, its
  /// output to `output`, no other descriptor, an empty signal mask, default handlers, umask 022,
  /// standing in `folder`, or in the root where it may not. `identity` nil: as the user that we are.
  /// The caller waits until exec. Errors are those of the call that failed. `words` are those after
  /// the program's name.
  @export(interface)
  public static func launch(
    _ path: String, _ words: [String] = [], environment: [String], folder: String, output: Int32,
    as identity: Identity?
  ) throws(SystemError) -> Child {
    try checkPath(path, "start \(path)")
    try checkPath(folder, "start \(path)")
    let nothing = try Files.open("/dev/null", .read)
    let texts = CStringList([path, folder])
    let arguments = CStringList([path] + words)
    let environment = CStringList(environment)
    let groups = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: identity?.groups.count ?? 0)
    defer { groups.deallocate() }
    _ = groups.initialize(from: identity?.groups ?? [])
    guard let program = texts.pointer[0], let home = texts.pointer[1] else {
      throw SystemError(code: SystemError.noMemory, operation: "start \(path)")
    }
    let wanted = clinux_launch_program(
      path: program, arguments: arguments.pointer, environment: environment.pointer, folder: home,
      input: nothing.raw, output: output, changes_user: identity == nil ? 0 : 1,
      uid: identity?.uid ?? 0, gid: identity?.gid ?? 0, groups: groups.baseAddress,
      group_count: groups.count)
    var pid: Int32 = -1
    var pidfd: Int32 = -1
    var step: Int32 = 0
    let result = withUnsafePointer(to: wanted) { clinux_launch_start($0, &pid, &pidfd, &step) }
    let operation = step == CLINUX_LAUNCH_USER ? "become user \(wanted.uid)" : "start \(path)"
    try check(result, operation)
    return Child(pid: pid, descriptor: FileDescriptor(owning: pidfd))
  }
}
