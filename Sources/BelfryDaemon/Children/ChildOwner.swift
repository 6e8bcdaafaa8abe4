import BelfryCore
import BelfryWire

/// What the supervision of children needs of the daemon.
protocol ChildOwner: AnyObject {
  var loop: Loop { get }
  var packets: PacketBuffer { get }
  /// Packs what is handed over to several children.
  var packer: DeliveryPacker { get set }
  /// Has the process started by the helper thread; `SupervisedChild.started` or `failedToStart`
  /// follows.
  func start(_ child: SupervisedChild, attempt: UInt64)
  /// Has a process that is not wanted any more killed and reaped.
  func discard(_ start: ChildStart)
  /// Whether something waits for the child, or is with it and not answered (D9).
  func isAwaited(_ child: SupervisedChild) -> Bool
  /// For the scheduler.
  func child(_ child: SupervisedChild, did event: SinkEvent)
  /// Has a plugin's push carried out; `SupervisedChild.answer` follows, unless the daemon ends.
  func child(_ child: SupervisedChild, pushes push: PluginPush)
  func log(_ level: LogLevel, _ text: String)
}
