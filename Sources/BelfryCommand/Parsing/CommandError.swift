/// How `belfry` ends; scripts rely on the numbers.
enum EndStatus: Int32, Sendable {
  case done = 0
  /// The line on stderr names the field and the reason.
  case refused = 1
  case wrongUsage = 2
  case noDaemon = 3
}

/// Why a command did not do what was asked: one line for stderr and the exit status.
struct CommandError: Error, Hashable, Sendable {
  var status: EndStatus
  /// Without the program's name and without a full stop; empty: all is said already.
  var message: String

  static func usage(_ message: String) -> CommandError {
    CommandError(status: .wrongUsage, message: message)
  }

  static func refused(_ message: String) -> CommandError {
    CommandError(status: .refused, message: message)
  }

  /// For what a later build implements.
  static func notInThisBuild(_ name: String) -> CommandError {
    CommandError(status: .refused, message: name + ": not in this build")
  }
}
