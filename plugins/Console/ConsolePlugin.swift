import CPlugin

/// The plugin as C sees it: its descriptor and the functions behind it.
enum ConsolePlugin {
  /// Made once and never freed.
  nonisolated(unsafe) static let descriptor = makeDescriptor()

  private static func makeDescriptor() -> UnsafePointer<belfry_descriptor> {
    let keys = permanent([
      key("device", BELFRY_TYPE_TEXT, "", "", "A terminal or file; empty: standard output."),
      key(
        "colour", BELFRY_TYPE_CHOICE, "auto", "auto|always|never",
        "Whether to use colour; auto: when it is a terminal."),
      key("bell", BELFRY_TYPE_BOOLEAN, "no", "", "Whether to ring the terminal's bell."),
      key(
        "everything", BELFRY_TYPE_BOOLEAN, "no", "",
        "Whether to show notifications without a body, too."),
    ])
    let extensions = permanent([
      belfry_extension(
        id: belfry_text("delivery/1"), functions: UnsafeRawPointer(permanent([delivery()]))),
      belfry_extension(
        id: belfry_text("settings/1"),
        functions: UnsafeRawPointer(
          permanent([
            belfry_settings_1(
              size: UInt32(MemoryLayout<belfry_settings_1>.size), reserved: 0, check: checkSettings)
          ]))),
    ])
    return permanent([
      belfry_descriptor(
        size: UInt32(MemoryLayout<belfry_descriptor>.size),
        abi_major: UInt16(BELFRY_ABI_MAJOR), abi_minor: UInt16(BELFRY_ABI_MINOR),
        id: belfry_text("io.belfry.console"), name: belfry_text("Console"),
        version: belfry_text("0.1"), vendor: belfry_text("Belfry"),
        licence: belfry_text("Apache-2.0"), extensions: extensions, config_keys: keys,
        extension_count: 2, config_key_count: 4, start: start, stop: stop)
    ])
  }

  private static func permanent<Element>(_ elements: [Element]) -> UnsafePointer<Element> {
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: elements.count)
    for index in elements.indices { (memory + index).initialize(to: elements[index]) }
    return UnsafePointer(memory)
  }

  private static func key(
    _ name: StaticString, _ type: UInt32, _ value: StaticString, _ choices: StaticString,
    _ help: StaticString
  ) -> belfry_config_key {
    belfry_config_key(
      size: UInt32(MemoryLayout<belfry_config_key>.size), type: type, name: belfry_text(name),
      default_value: belfry_text(value), choices: belfry_text(choices), help: belfry_text(help))
  }

  private static func delivery() -> belfry_delivery_1 {
    belfry_delivery_1(
      size: UInt32(MemoryLayout<belfry_delivery_1>.size), concurrency: 0, show: show,
      update: update,
      withdraw: withdraw, wants: wants)
  }
}

/// The function that a plugin exports.
// swift-format-ignore: AlwaysUseLowerCamelCase
@c @implementation
public func belfry_plugin_entry(_ hostABI: UInt32) -> UnsafePointer<belfry_descriptor>? {
  hostABI >> 16 == UInt32(BELFRY_ABI_MAJOR) ? ConsolePlugin.descriptor : nil
}

/// The instance: the console, and the host for the time.
private final class Instance {
  let host: UnsafePointer<belfry_host>
  let console: Console

  init(host: UnsafePointer<belfry_host>, console: Console) {
    self.host = host
    self.console = console
  }

  var now: Int64 {
    var now = belfry_now()
    now.size = UInt32(MemoryLayout<belfry_now>.size)
    host.pointee.now(host, &now)
    return now.real_ns
  }
}

private func instance(_ pointer: UnsafeMutableRawPointer?) -> Instance? {
  pointer.map { Unmanaged<Instance>.fromOpaque($0).takeUnretainedValue() }
}

private func start(
  _ host: UnsafePointer<belfry_host>,
  _ result: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  _ answer: UnsafeMutablePointer<belfry_answer>
) -> Int32 {
  guard let console = Console(host, answer), let result else { return BELFRY_FAILED }
  let instance = Instance(host: host, console: console)
  result.pointee = Unmanaged.passRetained(instance).toOpaque()
  return BELFRY_DONE
}

private func checkSettings(
  _ host: UnsafePointer<belfry_host>, _ answer: UnsafeMutablePointer<belfry_answer>
) -> Int32 {
  guard let problem = Console.problem(ofDevice: HostSettings(host).text("device")) else {
    return BELFRY_DONE
  }
  answer.pointee.text = belfry_text(problem)
  return BELFRY_FAILED
}

private func stop(_ pointer: UnsafeMutableRawPointer?) {
  if let pointer { Unmanaged<Instance>.fromOpaque(pointer).release() }
}

private func deliver(
  _ pointer: UnsafeMutableRawPointer?, _ delivery: UnsafePointer<belfry_delivery>,
  _ answer: UnsafeMutablePointer<belfry_answer>, updates: Bool
) -> Int32 {
  guard let instance = instance(pointer),
    instance.console.show(delivery.pointee, actions(of: delivery), updates: updates)
  else {
    answer.pointee.text = belfry_text("the device takes no output")
    return BELFRY_FAILED
  }
  return BELFRY_DONE
}

/// Titles of its actions; a host of minor version 1 knows of none.
private func actions(of delivery: UnsafePointer<belfry_delivery>) -> [String] {
  guard Int(delivery.pointee.size) >= MemoryLayout<belfry_delivery>.size,
    var next = delivery.pointee.actions.map({ UnsafeRawPointer($0) })
  else { return [] }
  var titles: [String] = []
  for _ in 0..<delivery.pointee.action_count {
    let action = next.assumingMemoryBound(to: belfry_action.self)
    titles.append(action.pointee.title.string)
    next += Int(action.pointee.size)
  }
  return titles
}

private func show(
  _ pointer: UnsafeMutableRawPointer?, _ delivery: UnsafePointer<belfry_delivery>,
  _ answer: UnsafeMutablePointer<belfry_answer>
) -> Int32 {
  deliver(pointer, delivery, answer, updates: false)
}

private func update(
  _ pointer: UnsafeMutableRawPointer?, _ delivery: UnsafePointer<belfry_delivery>,
  _ answer: UnsafeMutablePointer<belfry_answer>
) -> Int32 {
  deliver(pointer, delivery, answer, updates: true)
}

private func withdraw(
  _ pointer: UnsafeMutableRawPointer?, _ withdrawal: UnsafePointer<belfry_withdrawal>,
  _ answer: UnsafeMutablePointer<belfry_answer>
) -> Int32 {
  guard let instance = instance(pointer),
    instance.console.withdraw(withdrawal.pointee.id.string, at: instance.now)
  else {
    answer.pointee.text = belfry_text("the device takes no output")
    return BELFRY_FAILED
  }
  return BELFRY_DONE
}

private func wants(_ pointer: UnsafeMutableRawPointer?) -> UInt32 {
  instance(pointer)?.console.wantsEverything == true ? BELFRY_WANTS_EVERYTHING : 0
}
