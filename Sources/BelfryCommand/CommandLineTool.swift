import BelfryCore
import BelfrySystem
import BelfryWire

/// The program `belfry`: understands its command line, carries it out, says what went wrong.
public enum CommandLineTool {
  /// `arguments` without the program's name; `malformed`: which of them, from 1, is not UTF-8 and
  /// would be scheduled as something else. Returns the exit status.
  public static func run(_ arguments: [String], malformed: Int? = nil) -> Int32 {
    do throws(CommandError) {
      if let malformed {
        throw CommandError(status: .wrongUsage, message: "argument \(malformed) is not UTF-8")
      }
      try carryOut(try CommandLineParser.parse(arguments))
      return EndStatus.done.rawValue
    } catch {
      if !error.reason.isEmpty { say(error, json: arguments.contains("--json")) }
      return error.status.rawValue
    }
  }

  static func say(_ error: CommandError, json: Bool) {
    if json { return Output.errorLine(JSONValue.object(error.json).text) }
    let head = Paint.on(Output.error).paint("belfry:", .red)
    Output.errorLine(head + " " + DisplayWidth.safe(error.message))
  }

  private static func carryOut(_ parsed: CommandLineParser.Parsed) throws(CommandError) {
    let width = min(Output.columns(Output.standard) ?? 80, 100)
    switch parsed {
    case .run(let given): try run(CommandContext(given))
    case .help(let spec): try write(HelpText.command(spec, width: width))
    case .helpFamily(let family): try write(HelpText.family(family, width: width))
    case .overview: try write(HelpText.overview(width: width))
    case .version: try write("belfry " + Version.text + "\n")
    }
  }

  private static func run(_ context: CommandContext) throws(CommandError) {
    // The variable matters only to what talks to a daemon.
    if context.given.has(.socket) { try SocketPlace.check(context.given) }
    if let name = BoardZone.unreadable(context.zoneFiles) {
      context.warn("TZ: no zone is called " + FieldError.quoted(name) + "; times are in UTC")
    }
    switch context.given.command.name {
    case "schedule": try ScheduleCommand.run(context)
    case "next": try NextCommand.run(context)
    case "list": try ListCommand.run(context)
    case "history": try HistoryCommand.run(context)
    case "edit": try EditCommand.run(context)
    case "pause": try PauseCommands.pause(context)
    case "resume": try PauseCommands.resume(context)
    case "skip": try SkipCommands.skip(context)
    case "unskip": try SkipCommands.unskip(context)
    case "cancel": try CancelCommand.run(context)
    case "stop-sound": try CancelCommand.stopSound(context)
    case "trust-clock": try StatusCommands.trustClock(context)
    case "reload": try StatusCommands.reload(context)
    case "fix": try FixCommand.run(context)
    case "act": try UserCommands.act(context)
    case "dismiss": try UserCommands.dismiss(context)
    case "ack": try UserCommands.acknowledge(context)
    case "snooze": try UserCommands.snooze(context)
    case "badge": try UserCommands.badge(context)
    case "app list": try AppCommands.list(context)
    case "app show": try AppCommands.show(context)
    case "watch": try WatchCommand.run(context)
    case "status": try StatusCommands.status(context)
    case "plugin list": try StatusCommands.plugins(context)
    case "push": try PushCommand.run(context)
    case "inbox fetch": try InboxCommands.fetch(context)
    case "inbox mark-read": try InboxCommands.markRead(context)
    case "try": try TryCommand.run(context)
    case "unit": try UnitCommand.run(context)
    case "test": try TestCommand.run(context)
    case "doctor": try DoctorCommand.run(context)
    case "sound check": try ProgramCommands.soundCheck(context)
    case "sound play": try ProgramCommands.soundPlay(context)
    case "days list": try DaysCommands.list(context)
    case "days check": try DaysCommands.check(context)
    case "plugin check": try ProgramCommands.pluginCheck(context)
    case "completion": try ShellCommands.completion(context)
    case "man": try ShellCommands.man(context)
    case "help": try ShellCommands.help(context)
    // Every command of the table is above; a test holds it.
    default: throw .refused(context.given.command.name + ": nothing carries it out")
    }
  }

  /// Text that brings its own line ends.
  static func write(_ text: String) throws(CommandError) {
    do throws(SystemError) {
      try Output.write(Array(text.utf8), to: Output.standard)
    } catch {
      throw .refused("standard output: " + error.reason)
    }
  }
}
