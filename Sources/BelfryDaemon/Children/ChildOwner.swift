import BelfryCore
import BelfryWire

/// What the supervision of children needs of the daemon.
protocol ChildOwner: AnyObject {
  var loop: Loop { get }
  var packets: PacketBuffer { get }
  /// Packs what is handed over to several children.
  var packer: DeliveryPacker { get set }
  /// Has the process started by the worker thread; `ChildSupervisor.started` or `failedToStart`
  /// follows.
  func start(_ child: ChildSupervisor, attempt: UInt64)
  /// Has a process that is not wanted any more killed and reaped.
  func discard(_ start: ChildStart)
  /// Whether something waits for the child, or is with it and not answered (D9).
  func isAwaited(_ child: ChildSupervisor) -> Bool
  /// For the scheduler.
  func child(_ child: ChildSupervisor, did event: SinkEvent)
  /// Has a plugin's push carried out; `ChildSupervisor.answer` follows, unless the daemon ends.
  func child(_ child: ChildSupervisor, pushes push: PluginPush)
  func log(_ level: LogLevel, _ text: String)
}
