import BelfrySystem

/// The thread that opens sound files, so that a slow disk holds up neither sounds nor messages.
final class SoundLoader: Sendable {
  private let requests: Mailbox<(app: String, name: String)>
  private let thread: Thread

  init(_ shelf: SoundShelf, _ events: Mailbox<SpeakerEvent>) throws(SystemError) {
    let requests = try Mailbox<(app: String, name: String)>()
    self.requests = requests
    thread = try Thread.start(name: "loader", stackSize: 512 << 10) {
      while true {
        for request in requests.wait() {
          let choice = shelf.choose(app: request.app, name: request.name)
          events.send(.loaded(app: request.app, name: request.name, choice))
        }
      }
    }
  }

  func load(app: String, name: String) {
    requests.send((app, name))
  }
}
