import BelfryCore

extension Child {
  /// What a program writes to standard output, with `errors` to standard error too, and how it ends; nil:
  /// it could not be started, or took longer than `seconds`. The caller waits.
  @export(interface)
  public static func output(
    _ path: String, arguments: [String], seconds: Int64, errors: Bool
  ) -> (text: String, end: End)? {
    do throws(SystemError) {
      var pipe = try FileDescriptor.pipe()
      let quiet = try Files.open("/dev/null", .readWrite)
      let child = try spawn(
        path, arguments: [path] + arguments, environment: Environment.all,
        descriptors: [
          (quiet.raw, 0), (pipe.write.raw, 1), (errors ? pipe.write.raw : quiet.raw, 2),
        ])
      // Closes this process's end, so that the child's end of file is seen.
      pipe.write = try quiet.duplicate()
      let text = try readAll(pipe.read, until: SystemClock.elapsed() + seconds * Nanoseconds.second)
      if text == nil { child.killGroup() }
      guard let end = try child.reap(wait: true), let text else { return nil }
      return (text, end)
    } catch {
      return nil
    }
  }

  /// nil: there was no end by then, or more than a reader would want.
  private static func readAll(
    _ file: borrowing FileDescriptor, until deadline: Int64
  ) throws(SystemError) -> String? {
    var bytes: [UInt8] = []
    while bytes.count < 1 << 20 {
      let left = (deadline - SystemClock.elapsed()) / Nanoseconds.millisecond
      guard left > 0, !Poll.wait(file.raw, .readable, milliseconds: Int32(left)).isEmpty else {
        return nil
      }
      guard let more = try file.read(atMost: 65536) else { continue }
      if more.isEmpty { return String(decoding: bytes, as: UTF8.self) }
      bytes += more
    }
    return nil
  }
}
