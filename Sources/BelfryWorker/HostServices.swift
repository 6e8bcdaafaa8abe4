import BelfryCore
import BelfrySystem
import CPlugin

// The functions behind `belfry_host`. Each finds its `PluginHost` through `data`; the contract says
// who may call which from where.

func serveHost(_ pointer: UnsafeMutablePointer<belfry_host>) {
  pointer.pointee.extension = { host, id in
    ByteString(id.line(limit: 64)) == ByteString(BELFRY_PUSH_1)
      ? UnsafeRawPointer(owner(host).pushes.functions) : nil
  }
  pointer.pointee.log = hostLog
  pointer.pointee.config = hostConfig
  pointer.pointee.config_number = hostConfigNumber
  pointer.pointee.store_get = hostStoreGet
  pointer.pointee.store_set = hostStoreSet
  pointer.pointee.now = hostNow
  pointer.pointee.complete = hostComplete
  pointer.pointee.report = { host, report in owner(host).take(report) }
  pointer.pointee.watch_fd = hostWatch
  pointer.pointee.unwatch_fd = hostUnwatch
  pointer.pointee.start_timer = hostStartTimer
  pointer.pointee.stop_timer = hostStopTimer
}

func owner(_ host: UnsafePointer<belfry_host>) -> PluginHost {
  Unmanaged<PluginHost>.fromOpaque(host.pointee.data).takeUnretainedValue()
}

private func hostLog(_ host: UnsafePointer<belfry_host>, _ level: Int32, _ message: belfry_text) {
  owner(host).channel.log(LogLevel(rawValue: level) ?? .notice, message.line())
}

private func hostConfig(
  _ host: UnsafePointer<belfry_host>, _ key: belfry_text,
  _ result: UnsafeMutablePointer<belfry_text>
) -> Int32 {
  guard let value = owner(host).settings.text(key.line(limit: 64)) else { return BELFRY_NOT_FOUND }
  result.pointee = value
  return BELFRY_OK
}

private func hostConfigNumber(
  _ host: UnsafePointer<belfry_host>, _ key: belfry_text,
  _ result: UnsafeMutablePointer<Int64>
) -> Int32 {
  guard let found = owner(host).settings.number(key.line(limit: 64)) else {
    return BELFRY_NOT_FOUND
  }
  guard let number = found else { return BELFRY_INVALID }
  result.pointee = number
  return BELFRY_OK
}

private func hostStoreGet(
  _ host: UnsafePointer<belfry_host>, _ key: belfry_text,
  _ result: UnsafeMutablePointer<belfry_text>
) -> Int32 {
  let key = key.bytes(limit: PluginStore.keyLimit + 1)
  guard let value = owner(host).store.value(key) else { return BELFRY_NOT_FOUND }
  result.pointee = value
  return BELFRY_OK
}

private func hostStoreSet(
  _ host: UnsafePointer<belfry_host>, _ key: belfry_text, _ value: belfry_text
) -> Int32 {
  let owner = owner(host)
  let bytes = value.bytes == nil ? nil : value.bytes(limit: PluginStore.limit + 1)
  do throws(PluginStore.Refusal) {
    try owner.store.set(key.bytes(limit: PluginStore.keyLimit + 1), to: bytes)
    return BELFRY_OK
  } catch {
    switch error {
    case .invalid: return BELFRY_INVALID
    case .full: return BELFRY_FULL
    case .notWritten(let error):
      owner.channel.log(.error, "the plugin's store was not written: " + error.text)
      return BELFRY_SYSTEM
    }
  }
}

private func hostNow(
  _ host: UnsafePointer<belfry_host>, _ result: UnsafeMutablePointer<belfry_now>
) {
  guard Int(result.pointee.size) >= MemoryLayout<belfry_now>.size else { return }
  let now = SystemClock.now()
  result.pointee.real_ns = now.real.nanoseconds
  result.pointee.elapsed_ns = now.elapsed
  result.pointee.trust = PluginHost.trust(now.real)
}

private func hostComplete(
  _ host: UnsafePointer<belfry_host>, _ token: UInt64, _ status: Int32,
  _ answer: UnsafePointer<belfry_answer>?
) -> Int32 {
  guard status == BELFRY_DONE || status == BELFRY_RETRY || status == BELFRY_FAILED else {
    return BELFRY_INVALID
  }
  let completion = Completion(token: token, answer: PluginAnswer(status, answer?.pointee))
  owner(host).messages.send(.completion(completion))
  return BELFRY_OK
}

private func hostWatch(
  _ host: UnsafePointer<belfry_host>, _ descriptor: Int32, _ events: UInt32,
  _ callback: @escaping belfry_fd_callback, _ context: UnsafeMutableRawPointer?,
  _ result: UnsafeMutablePointer<UInt32>
) -> Int32 {
  guard descriptor >= 0, events & (BELFRY_READABLE | BELFRY_WRITABLE) != 0 else {
    return BELFRY_INVALID
  }
  return owner(host).eventLoop.watch(descriptor, events, callback, context, result)
}

private func hostUnwatch(_ host: UnsafePointer<belfry_host>, _ watch: UInt32) -> Int32 {
  owner(host).eventLoop.unwatch(watch) ? BELFRY_OK : BELFRY_NOT_FOUND
}

private func hostStartTimer(
  _ host: UnsafePointer<belfry_host>, _ after: Int64, _ callback: @escaping belfry_timer_callback,
  _ context: UnsafeMutableRawPointer?, _ result: UnsafeMutablePointer<UInt32>
) -> Int32 {
  return owner(host).eventLoop.startTimer(after, callback, context, result)
}

private func hostStopTimer(_ host: UnsafePointer<belfry_host>, _ timer: UInt32) -> Int32 {
  owner(host).eventLoop.stopTimer(timer) ? BELFRY_OK : BELFRY_NOT_FOUND
}
