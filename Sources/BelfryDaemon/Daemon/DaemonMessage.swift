import BelfryServer
import BelfryStore

/// What other threads tell the clock.
enum DaemonMessage: Sendable {
  /// The book thread, after a commit.
  case answers([BookKeeper.Answer])
  /// The book thread: how the books are.
  case books(BooksNotice)
  /// The helper: a child runs.
  case started(child: Int, attempt: UInt64, ChildStart)
  /// The helper: it could not be started.
  case notStarted(child: Int, attempt: UInt64, reason: String, isRefusal: Bool)
  /// The helper: the configuration was read again.
  case configuration(Result<LoadedConfiguration, StartFailure>)
  /// The helper: books that were set aside.
  case setAside([String])
  /// The helper: zones were read.
  case zones(ZoneReading)
  /// The helper: manifests were read.
  case manifests(ManifestReading)
  /// The helper: whether a sound is there.
  case sound(SoundLookup.Finding)
  /// The helper: texts of apps were read.
  case tables(TableReading)
  /// The helper: an app was started, or not.
  case app(String, AppStart)
  /// The helper: what children had left behind was looked at.
  case orphans(killed: Int)
  /// The reader: a large message of a client was read.
  case message(ReadMessage)
  /// The books are written and closed.
  case booksClosed
}
