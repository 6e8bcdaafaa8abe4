/// The operator's choices change while the clock runs.
extension SchedulerEngine {
  /// What is scheduled stays as it is; what is judged when it is due is judged by the new choices.
  func adopt(_ configuration: EngineConfiguration) {
    turn.adopt(configuration)
    let removed = sinkQueues.change(to: configuration.sinks)
    for sink in removed { remove(sink) }
    if !removed.isEmpty { reviseCalendars() }
    // D5: what apps are allowed says whether their badges are shown.
    for app in apps.inOrder { tellBadge(of: app) }
    tellDemoted()
  }

  /// Where deliveries for a sink of the configuration go.
  public func index(ofSink name: String) -> SinkIndex? { sinkQueues.named(name)?.index }
}
