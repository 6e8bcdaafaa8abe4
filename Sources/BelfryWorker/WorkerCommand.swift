import BelfryCore
import BelfrySystem
import BelfryWire

/// The program `belfry-worker`: without arguments a child of the clock, with some a tool for those
/// who write plugins.
public enum WorkerCommand {
  /// The descriptor of the socketpair to the clock.
  static let channel: Int32 = 3

  static let usage = """
    usage: belfry-worker --check FILE [--set KEY=VALUE]... [--json]
           belfry-worker --describe FILE [--set KEY=VALUE]... [--json]
           belfry-worker --help | --version

    Runs one plugin of Belfry's. belfryd starts it by itself, with a socket as descriptor 3.

      --check FILE      load FILE in a process of its own, print its descriptor, start it, make one
                        delivery, withdraw it, ask one of its calendars, and say what happened
      --describe FILE   print the descriptor alone; with --set judge a whole section's keys, too;
                        nothing is started
      --set KEY=VALUE   a key of the plugin's section, such as --set colour=never
      --json            one JSON object a line

    example: belfry-worker --check ./libbelfry-console.so --set colour=always

    Exit status: 0 good, 1 the plugin is not, 2 wrong usage.
    """

  /// Runs what `arguments` (without the program's name) say; the result is the exit status.
  public static func run(_ arguments: [String]) -> Int32 {
    if arguments.isEmpty { return serve() }
    if arguments.count == 1, ["--help", "-h"].contains(ByteString(arguments[0])) {
      try? Output.line(usage)
      return 0
    }
    if arguments.count == 1, ByteString(arguments[0]) == "--version" {
      try? Output.line("belfry-worker " + BelfryVersion.text)
      return 0
    }
    do throws(CheckOptions.Misuse) {
      let options = try CheckOptions(arguments)
      return options.describeOnly ? PluginReport.describe(options) : PluginCheck.run(options)
    } catch {
      Output.errorLine("belfry-worker: \(error.reason) (belfry-worker --help)")
      return 2
    }
  }

  private static func serve() -> Int32 {
    guard isSocket(channel) else {
      Output.errorLine("belfry-worker: descriptor 3 is no socket: belfryd starts this program\n")
      Output.errorLine(usage)
      return 2
    }
    Sandbox.worsenOOMScore(to: 500)
    let channel = ClockChannel(descriptor: channel)
    do throws(WorkerError) {
      let worker = try Worker(try configuration(channel), channel: channel)
      channel.send(.ready(worker.summary()))
      try worker.serve()
      return 0
    } catch {
      channel.send(.refused(reason: error.reason))
      return 1
    }
  }

  private static func configuration(
    _ channel: ClockChannel
  ) throws(WorkerError) -> ChildConfiguration {
    do throws(WireError) {
      if case .configure(let configuration)? = try channel.receive(wait: true) {
        return configuration
      }
    } catch {
      throw WorkerError(.system, "the clock's first message: \(error.reason)")
    }
    throw WorkerError(.system, "the clock's first message must be `configure`")
  }

  private static func isSocket(_ raw: Int32) -> Bool {
    let descriptor = FileDescriptor(owning: raw)
    let kind = (try? Files.status(of: descriptor))?.kind
    // It is not ours to close.
    _ = descriptor.release()
    return kind == .socket
  }
}
