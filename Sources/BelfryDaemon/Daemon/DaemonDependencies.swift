import BelfryCore
import BelfrySystem

/// What a daemon is made of.
struct DaemonDependencies {
  var loop: Loop
  var paths: Paths
  var log: LogRing
  var blockingWorker: BlockingWorker
  var mailbox: Mailbox<DaemonMessage>
  var notifier: ServiceNotifier
  var failpoints: FailpointSwitch
  var handOvers: HandOverLog
  var uid: UInt32
  var childEnvironment: [String]
  var configuration: DaemonConfiguration
  var zoneFiles: ZoneFiles
  /// The board's zone as it was read at the start; nil: none was to be had.
  var boardZone: ZoneFile?
  var scheduler: SchedulerEngine
  var manifests: ManifestWatcher
  var tables: StringsWatcher
  var days: DaysWatcher
  var launchRights: LaunchRights
  var childUsers: ChildUsers
  var appEnvironment: [String]
  /// A1's group.
  var operatorGroup: UInt32?
  /// S6's.
  var criticalGroup: UInt32?
}
