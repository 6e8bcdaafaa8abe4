/// What will be handed over next.
public struct ComingOccurrence {
  public var occurrence: Occurrence
  public var text: AlertText
  /// The sinks that are up and will get it at its due instant, to the microsecond; empty where it may
  /// come a little later: it has a tolerance (T12), repeats under a second, or is held (T9).
  public var sinks: [SinkIndex] = []
}
