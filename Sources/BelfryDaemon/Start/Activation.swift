import BelfryCore
import BelfrySystem

/// Sockets that were opened for us before we started (sd_listen_fds(3)).
public enum Activation {
  /// The listening stream socket at descriptor 3, or nil when none was handed over to us.
  ///
  /// Reads `LISTEN_PID` and `LISTEN_FDS`. Several, or something that is no listening Unix stream
  /// socket, is a refusal, not a guess.
  public static func socket(
    pid: Int32, variable: (String) -> String?
  ) throws(StartFailure) -> FileDescriptor? {
    guard let count = variable("LISTEN_FDS"), let whom = variable("LISTEN_PID"),
      Int32(whom) == pid
    else { return nil }
    if count == "0" { return nil }
    guard count == "1", UnixSocket.isListening(3) else {
      throw StartFailure(
        .configuration, "belfryd: LISTEN_FDS must hand over one listening Unix stream socket")
    }
    let socket = FileDescriptor(owning: 3)
    do {
      try socket.setCloseOnExec(true)
      try socket.setNonBlocking(true)
    } catch {
      throw StartFailure(.failed, "belfryd: \(error.text)")
    }
    return socket
  }
}
