import BelfryCore
import BelfrySystem
import BelfryWire
import Foundation
import Testing

/// A spool folder, its worker, and the pushes that came.
final class Spool {
  let folder: String
  let settings: [String: String]
  let run: String
  var clock: ClockDouble

  init(_ settings: [String: String] = [:], prepare: (String) throws -> Void = { _ in }) throws {
    run = try Fixtures.scratch()
    folder = run + "/spool"
    try Files.makeFolder(folder, mode: 0o755)
    try prepare(folder)
    self.settings = settings.merging(["folder": folder]) { $1 }
    clock = try ClockDouble(Spool.plugin, settings: self.settings, run: run)
    _ = try clock.ready()
  }

  static let good = "{\"aps\":{\"alert\":\"ding\"}}"
  static let plugin = Fixtures.products + "/libbelfry-pushfile.so"

  /// Another life of the worker.
  func restart() throws {
    try clock.kill()
    clock = try ClockDouble(Spool.plugin, settings: settings, run: run)
    _ = try clock.ready()
  }

  /// Written elsewhere and renamed in, as it should be.
  func drop(_ name: String, _ text: String = Spool.good) throws {
    let path = run + "/" + UUID().uuidString
    try Files.write(Array(text.utf8), to: path)
    try Files.rename(path, to: folder + "/" + name)
  }

  func push() throws -> PluginPush {
    func push(_ message: MessageFromChild) -> PluginPush? {
      if case .push(let push) = message { return push }
      return nil
    }
    return try #require(clock.next(push))
  }

  /// Takes the next push, whose text is returned.
  func take(_ answer: PluginPushAnswer = .accepted) throws -> String {
    let push = try push()
    clock.send(.pushed(token: push.token, answer))
    return String(decoding: push.payload, as: UTF8.self)
  }

  /// So many are taken, whatever their order.
  func takeAll(_ count: Int) throws -> [String] {
    try (0..<count).map { _ in try take() }.sorted()
  }

  func exists(_ name: String) -> Bool {
    (try? Files.status(folder + "/" + name, follow: false)) != nil
  }

  /// Once it is set aside: the reason beside it.
  func reason(_ name: String, in app: String = "") throws -> String {
    let path = folder + "/" + app + "/rejected/" + name
    try Fixtures.wait("\(name) in rejected") {
      !exists(app + "/" + name) && (try? Files.status(path, follow: false)) != nil
    }
    return String(decoding: try Files.read(path + ".reason", limit: 4096), as: UTF8.self)
  }

  /// Once it is set aside to a folder beside `rejected`: that, and the reason.
  func detour(_ name: String) throws -> (folder: String, reason: String) {
    var found: String?
    try Fixtures.wait("\(name) beside rejected") {
      found = names.first {
        $0.hasPrefix(".rejected.")
          && (try? Files.status(folder + "/" + $0 + "/" + name, follow: false)) != nil
      }
      return found != nil
    }
    let path = folder + "/" + (found ?? "")
    let reason = try Files.read(path + "/" + name + ".reason", limit: 4096)
    return (path, String(decoding: reason, as: UTF8.self))
  }

  func isEmpty() throws {
    try Fixtures.wait("an empty spool") { names.allSatisfy { $0 == "rejected" } }
  }

  var names: [String] { (try? Files.list(folder)) ?? [] }
}
