import BelfrySystem

/// The thread that opens sound files, so that a slow disk holds up neither sounds nor messages.
final class SoundLoader: Sendable {
  private struct Request: Sendable {
    var app: String
    var name: String
    /// To be played now, and not only prepared.
    var isUrgent: Bool
  }

  /// So many are prepared ahead; of more the oldest is left until it is due.
  private static let most = 16

  private let requests: Mailbox<Request>
  private let thread: Thread

  init(_ resolver: SoundResolver, _ events: Mailbox<SpeakerEvent>) throws(SystemError) {
    let requests = try Mailbox<Request>()
    self.requests = requests
    thread = try Thread.start(name: "loader", stackSize: 512 << 10) {
      var waiting: [Request] = []
      while true {
        waiting += waiting.isEmpty ? requests.wait() : requests.drain()
        if waiting.count > Self.most, let first = waiting.firstIndex(where: { !$0.isUrgent }) {
          waiting.remove(at: first)
          continue
        }
        let next = waiting.remove(at: waiting.firstIndex { $0.isUrgent } ?? 0)
        let choice = resolver.choose(app: next.app, name: next.name)
        events.send(.loaded(app: next.app, name: next.name, choice))
      }
    }
  }

  func load(app: String, name: String, isUrgent: Bool) {
    requests.send(Request(app: app, name: name, isUrgent: isUrgent))
  }
}
