import BelfryCore

/// `.strings` tables: refused with a line, or read; each text is found again, and shown with
/// arguments it stays within its bound.
@c(LLVMFuzzerTestOneInput)
func stringsOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: bytes, count: count))
  let text = String(decoding: input, as: UTF8.self)
  do throws(StringsError) {
    let table = try StringsTable(input)
    precondition(table.count <= count && table.size <= 3 * count + 6 * table.count)
    _ = table[text]
    show(Localization(tables: [table], language: text), key: text)
    // What it says, quoted again, reads as the same.
    guard let value = table["k"] else { return 0 }
    let again = try StringsTable(Array("k = \(quoted(value));".utf8))
    precondition(again["k"] == value)
    show(Localization(tables: [again]), key: "k")
  } catch {
    precondition(!error.reason.isEmpty && error.line >= 0 && error.column >= 0)
    precondition(!error.text.isEmpty)
  }
  if let tag = LanguageTag.canonical(text) {
    precondition(LanguageTag.canonical(tag) == tag && !LanguageTag.fallbacks(text).isEmpty)
  }
  _ = LanguageTag.ofLocale(text)
  return 0
}

private func show(_ words: Localization, key: String) {
  var notification = Notification()
  notification.alertBody = key
  notification.alertTitle = key
  notification.alertTitleLocalizationArgs = [
    .string(key), .integer(.min), .double(1.5e-7), .date(.distantPast),
  ]
  let shown = notification.text(in: words, zone: .utc)
  precondition((shown.body?.utf8.count ?? 0) <= Notification.Limit.alertBody + 3)
  precondition((shown.title?.utf8.count ?? 0) <= Notification.Limit.title + 3)
}

private func quoted(_ text: String) -> String {
  var quoted = "\""
  for scalar in text.unicodeScalars {
    if scalar == "\"" || scalar == "\\" { quoted += "\\" }
    quoted.unicodeScalars.append(scalar)
  }
  return quoted + "\""
}

/// libFuzzer's own main loop (its header FuzzerInterface.h).
@_extern(c, "LLVMFuzzerRunDriver")
func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
  _ target: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// SwiftPM's name for the program's entry.
@c(FuzzStrings_main)
func run(
  _ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  var (count, arguments) = (count, arguments)
  return runFuzzer(&count, &arguments, stringsOneInput)
}
