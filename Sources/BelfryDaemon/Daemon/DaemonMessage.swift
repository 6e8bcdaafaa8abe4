import BelfryServer
import BelfryStore

/// What other threads tell the clock.
enum DaemonMessage: Sendable {
  /// The store thread, after a commit.
  case answers([StoreWriter.Answer])
  /// The store thread: how the store is.
  case store(StoreNotice)
  /// The helper: a child runs.
  case started(child: Int, attempt: UInt64, ChildStart)
  /// The helper: it could not be started.
  case notStarted(child: Int, attempt: UInt64, reason: String, isRefusal: Bool)
  /// The helper: the configuration was read again.
  case configuration(ConfigurationScanResult)
  /// The helper: a store that was set aside.
  case setAside([String])
  /// The helper: zones were read.
  case zones(ZoneScanResult)
  /// The helper: manifests were read.
  case manifests(ManifestScanResult)
  /// The helper: calendars of days were read.
  case days(DaysScanResult)
  /// The helper: whether a sound is there.
  case sound(SoundLookup.Finding)
  /// The helper: texts of apps were read.
  case tables(StringsScanResult)
  /// The helper: an app was started, or not.
  case app(String, AppStart)
  /// The helper: what children had left behind was looked at.
  case orphans(killed: Int)
  /// The reader: a large message of a client was read.
  case message(ReadMessage)
  /// The store is written and closed.
  case storeClosed
}
