import BelfryStore

/// What other threads tell the clock.
enum DaemonMessage: Sendable {
  /// The book thread, after a commit.
  case answers([BookKeeper.Answer])
  /// The helper: a child runs.
  case started(child: Int, attempt: UInt64, ChildStart)
  /// The helper: it could not be started.
  case notStarted(child: Int, attempt: UInt64, reason: String, isRefusal: Bool)
  /// The helper: the configuration was read again.
  case configuration(Result<LoadedConfiguration, StartFailure>)
  /// The helper: zones were read.
  case zones(ZoneReading)
  /// The helper: manifests were read.
  case manifests(ManifestReading)
  /// The helper: texts of apps were read.
  case tables(TableReading)
  /// The helper: an app was started, or not.
  case app(String, AppStart)
  /// The books are written and closed.
  case booksClosed
}
