import CPlugin
import CTerminal

/// Shows deliveries as lines on a terminal or in a file.
final class Console {
  private enum Style: String {
    case bold = "1"
    case faint = "2"
    case yellow = "33"
  }

  private var descriptor: Int32
  /// Empty: standard output.
  private let device: String
  private let isTerminal: Bool
  private let isColoured: Bool
  private let rings: Bool
  let wantsEverything: Bool
  private var shown: ShownLines

  init?(_ host: UnsafePointer<belfry_host>, _ reason: UnsafeMutablePointer<belfry_answer>) {
    let settings = HostSettings(host)
    shown = ShownLines(host)
    device = settings.text("device")
    if let problem = Self.problem(ofDevice: device) {
      reason.pointee.text = belfry_text(problem)
      return nil
    }
    descriptor = device.isEmpty ? 1 : cterminal_open(device)
    guard descriptor >= 0 else {
      reason.pointee.text = belfry_text("`device` cannot be opened: check its path")
      return nil
    }
    isTerminal = cterminal_is_terminal(descriptor) == 1
    switch settings.text("colour") {
    case "always": isColoured = true
    case "never": isColoured = false
    default: isColoured = isTerminal && cterminal_is_plain() == 0
    }
    rings = settings.flag("bell")
    wantsEverything = settings.flag("everything")
  }

  /// Why nothing could ever be shown there; nil: something can, as far as one can tell without trying.
  static func problem(ofDevice device: String) -> StaticString? {
    if device.isEmpty { return nil }
    guard device.utf8.first == UInt8(ascii: "/") else {
      return "`device` must be an absolute path, such as /dev/tty1"
    }
    if cterminal_is_folder(device) == 1 { return "`device` is a folder: name a file in it" }
    return cterminal_is_missing(device) == 1 ? "`device` is not there" : nil
  }

  /// Prints it; false: the device did not take it.
  func show(_ delivery: belfry_delivery, _ actions: [String], updates: Bool) -> Bool {
    let headline = Self.headline(delivery)
    var output = rings && isTerminal ? "\u{7}" : ""
    output += paragraph(headline, time: delivery.due_ns, app: delivery.app.string)
    let body = delivery.body.string
    if !body.isEmpty {
      for line in SafeText.lines(body) { output += indented(line, nil) }
    }
    output += footer(delivery, actions, updates: updates)
    // It is shown before anything is kept of it: the run folder may be slow.
    guard write(output) else { return false }
    shown.note(delivery.id.string, headline.isEmpty ? SafeText.lines(body)[0] : headline)
    return true
  }

  func withdraw(_ id: String, at time: Int64) -> Bool {
    let what = shown.headline(of: id) ?? SafeText.line(id)
    guard write(paragraph("withdrawn: " + what, time: time, app: "")) else { return false }
    shown.forget(id)
    return true
  }

  private static func headline(_ delivery: belfry_delivery) -> String {
    let title = SafeText.line(delivery.title.string)
    let subtitle = SafeText.line(delivery.subtitle.string)
    if !title.isEmpty { return subtitle.isEmpty ? title : title + " \u{2014} " + subtitle }
    if !subtitle.isEmpty { return subtitle }
    if delivery.flags & BELFRY_FLAG_HAS_BADGE != 0, delivery.parts & BELFRY_PART_BADGE != 0 {
      return "badge \(delivery.badge)"
    }
    if !delivery.body.string.isEmpty { return "" }
    if delivery.parts & BELFRY_PART_SOUND != 0 {
      return "sound " + SafeText.line(delivery.sound.string)
    }
    return delivery.parts & BELFRY_PART_USER_INFO != 0 ? "data" : ""
  }

  /// `14:03:07 app` and the headline, wrapped.
  private func paragraph(_ headline: String, time: Int64, app: String) -> String {
    var clock = [CChar](repeating: 0, count: 9)
    cterminal_local_time(time, &clock)
    var stamp = String(decoding: clock.prefix(8).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    if !app.isEmpty { stamp += " " + SafeText.line(app) }
    guard !headline.isEmpty else { return styled(stamp, .faint) + "\n" }
    let width = ColumnWidth.of(stamp) + 2
    if let columns, width + ColumnWidth.of(headline) > columns {
      return Wrapping.wrap(stamp, columns: columns).map { styled($0, .faint) + "\n" }.joined()
        + indented(headline, .bold)
    }
    return styled(stamp, .faint) + "  " + styled(headline, .bold) + "\n"
  }

  private func footer(
    _ delivery: belfry_delivery, _ actions: [String], updates: Bool
  ) -> String {
    var notes: [String] = []
    if delivery.flags & BELFRY_FLAG_LATE != 0 {
      notes.append("late by " + Self.words(delivery.handed_over_ns - delivery.due_ns))
    }
    if delivery.missed > 0 { notes.append("\(delivery.missed) missed before it") }
    if delivery.attempt > 1 { notes.append("may have been shown before") }
    if updates { notes.append("replaces an earlier one") }
    var footer = ""
    let action = SafeText.line(delivery.action.string)
    let isOffered = delivery.flags & BELFRY_FLAG_HAS_ACTION != 0 && !action.isEmpty
    let buttons = (isOffered ? [action] : []) + actions.map { SafeText.line($0) }
    if !buttons.isEmpty {
      footer += indented(buttons.map { "[" + $0 + "]" }.joined(separator: " "), nil)
    }
    if !notes.isEmpty { footer += indented(notes.joined(separator: ", "), .yellow) }
    return footer
  }

  /// Whole units, the two greatest.
  private static func words(_ nanoseconds: Int64) -> String {
    let seconds = max(0, nanoseconds) / 1_000_000_000
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
    if seconds < 86_400 { return "\(seconds / 3600) h \(seconds / 60 % 60) min" }
    return "\(seconds / 86_400) d \(seconds / 3600 % 24) h"
  }

  private var columns: Int? {
    let columns = isTerminal ? cterminal_columns(descriptor) : 0
    return columns > 0 ? Int(columns) : nil
  }

  private func indented(_ text: String, _ style: Style?) -> String {
    let indent = columns.map { $0 < 20 ? "" : "  " } ?? "  "
    let room = columns.map { max(1, $0 - indent.utf8.count) }
    var result = ""
    for line in Wrapping.wrap(text, columns: room) {
      result += indent + (style.map { styled(line, $0) } ?? line) + "\n"
    }
    return result
  }

  private func styled(_ text: String, _ style: Style) -> String {
    isColoured && !text.isEmpty ? "\u{1B}[" + style.rawValue + "m" + text + "\u{1B}[0m" : text
  }

  private func write(_ output: String) -> Bool {
    guard device.isEmpty || cterminal_follow(&descriptor, device) == 0 else { return false }
    var output = output
    return output.withUTF8 { cterminal_write(descriptor, $0.baseAddress, $0.count) } == 0
  }
}
