/// Bytes read as a rule: any make one, and a few make long lists, which is what costs.
struct CostlyRule {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// 0 where there are no more.
  mutating func byte() -> UInt8 {
    guard place < bytes.count else { return 0 }
    place += 1
    return bytes[place - 1]
  }

  mutating func number(_ length: Int) -> Int64 {
    (0..<length).reduce(0) { number, _ in number << 8 | Int64(byte()) }
  }

  mutating func text() -> String {
    let names = ["YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY"]
    var text = "FREQ=" + names[Int(byte()) % names.count]
    let parts = number(2)
    func has(_ part: Int64) -> Bool { parts >> part & 1 == 1 }
    if has(0) { text += ";INTERVAL=\(number(Int(byte() % 4) + 1) % 1_000_000_000 + 1)" }
    if has(1) { text += ";COUNT=\(number(3) % 1_000_000 + 1)" }
    if has(2) { text += ";BYMONTH=" + list(1, 12) }
    if has(3) { text += ";BYMONTHDAY=" + list(-31, 31) }
    if has(4) { text += ";BYYEARDAY=" + list(-366, 366) }
    if has(5) { text += ";BYDAY=" + days() }
    if has(6) { text += ";BYHOUR=" + list(0, 23) }
    if has(7) { text += ";BYMINUTE=" + list(0, 59) }
    if has(8) { text += ";BYSECOND=" + list(0, 59) }
    if has(9) { text += ";BYSETPOS=" + list(-366, 366) }
    if has(10) { text += ";BYWEEKNO=" + list(-53, 53) }
    if has(11) { text += ";SKIP=" + (has(12) ? "BACKWARD" : "FORWARD") }
    return text
  }

  /// From some number on, at equal distances. 0 is none where there are negative ones.
  private mutating func list(_ lowest: Int64, _ highest: Int64) -> String {
    let size = highest - lowest + 1
    let (first, step, count) = (number(2) % size, Int64(byte() % 16) + 1, number(2) % size + 1)
    let numbers = (0..<count).map { lowest + (first + $0 * step) % size }
    let found = Set(numbers).filter { lowest >= 0 || $0 != 0 }
    return (found.isEmpty ? [1] : found.sorted()).map { "\($0)" }.joined(separator: ",")
  }

  /// With a number before each or without.
  private mutating func days() -> String {
    let (mask, number) = (byte(), Int64(byte() % 12) - 5)
    let names = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
    let found = names.indices.filter { mask >> UInt8($0) & 1 == 1 }
    let before = number == 0 || number > 5 ? "" : "\(number)"
    return (found.isEmpty ? [0] : found).map { before + names[$0] }.joined(separator: ",")
  }
}
