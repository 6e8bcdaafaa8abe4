import BelfryClient
import BelfryCore
import BelfrySystem

/// The daemon that a command talks to.
struct Daemon {
  let client: Client

  static func connect(_ context: CommandContext) throws(CommandError) -> Daemon {
    try SocketPlace.check(context.given)
    return try connect(path: SocketPlace.find(context.given))
  }

  static func connect(path: String) throws(CommandError) -> Daemon {
    do throws(ClientError) {
      return Daemon(client: try Client(path: path))
    } catch {
      throw CommandError(error)
    }
  }

  /// Runs `body` with its errors in this module's words; `origin` says whose fields it is about.
  func ask<T>(
    of origin: CommandWords.Origin = .call, _ body: (Client) throws(ClientError) -> T
  ) throws(CommandError) -> T {
    do throws(ClientError) {
      return try body(client)
    } catch {
      throw CommandError(error, of: origin)
    }
  }
}
