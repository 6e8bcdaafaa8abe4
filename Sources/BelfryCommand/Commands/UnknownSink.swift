import BelfryClient
import BelfryCore
import BelfryWire

/// A name after --to that no sink has.
enum UnknownSink {
  /// What to say of it; nil: there is a sink called so, or nobody knows.
  static func told(_ name: String, _ daemon: Daemon) -> String? {
    guard let plugins = try? daemon.client.status()["plugins"]?.array else { return nil }
    let sinks = plugins.compactMap { $0["name"]?.string } + [Sink.speaker]
    guard !sinks.contains(name) else { return nil }
    return "--to: there is none called " + FieldError.quoted(name)
      + (CommandLineParser.meant(name, among: sinks).map { "; did you mean \($0)?" }
        ?? " (there are " + sinks.joined(separator: ", ") + ")")
  }
}
