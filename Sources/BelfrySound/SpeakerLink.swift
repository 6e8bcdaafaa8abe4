import BelfryCore
import BelfrySystem
import BelfryWire

/// The speaker's end of its socketpair with the clock.
struct SpeakerLink: ~Copyable {
  /// Where the clock puts it.
  static let number: Int32 = 3

  let descriptor: FileDescriptor

  /// Says something; a clock that is gone ends the process, and with it every sound.
  func send(_ message: MessageFromChild) {
    guard let bytes = try? message.encode() else { return }
    do throws(SystemError) {
      _ = try descriptor.send(bytes, wait: true)
    } catch {
      Process.exit(0)
    }
  }

  /// What has come, nil: nothing. End of file ends the process at once, whatever plays.
  func receive() -> MessageToChild? {
    do throws(SystemError) {
      guard let bytes = try descriptor.receive(atMost: WorkerMessage.limit) else { return nil }
      if bytes.isEmpty { Process.exit(0) }
      do throws(WireError) {
        return try MessageToChild.decode(bytes)
      } catch {
        // The clock and its children come from one build: nothing good follows.
        send(.refused(reason: "the speaker does not understand the clock: \(error.reason)"))
        Process.exit(1)
      }
    } catch {
      Process.exit(0)
    }
  }
}
