import Foundation

extension RunningDaemon {
  /// The identifier of what a sink shows with this text, as soon as it does.
  func shown(_ body: String) throws -> String {
    var found: String?
    try waitUntil("shown: \(body) in \(log)") {
      let row = try scheduler.shown().first { $0.notification.alertBody == body }
      found = row?.notification.identifier
      return found != nil
    }
    return found ?? ""
  }

  /// From now on the daemon launches this sample; what it writes goes to `out`. `keys`: more lines of
  /// its manifest.
  func install(_ sample: String, keys: String = "") throws {
    let script = folder + "/launched"
    let program = "\(Self.products)/UIKitSamples"
    try "#!/bin/sh\necho $$ >> \(launched)\nexec \(program) \(sample) > \(folder)/out\n"
      .write(toFile: script, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
    try FileManager.default.createDirectory(
      atPath: folder + "/apps", withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o755])
    try "[app]\nexecutable = \(script)\n\(keys)".write(
      toFile: folder + "/apps/samples.app", atomically: true, encoding: .utf8)
    stop()
    try start()
  }

  /// What a launched sample has written.
  var out: String { (try? String(contentsOfFile: folder + "/out", encoding: .utf8)) ?? "" }
}
