/// Makes zone files, right ones and wrong ones (RFC 8536, 3).
struct TZifBuilder {
  struct Kind {
    var offset: Int32
    var isDST: UInt8
    var name: UInt8
  }

  /// 0 for version 1.
  var version: UInt8 = UInt8(ascii: "2")
  var times: [Int64] = []
  var order: [UInt8] = []
  var kinds = [Kind(offset: 3600, isDST: 0, name: 0), Kind(offset: 7200, isDST: 1, name: 4)]
  var letters = Array("CET\0CEST\0".utf8)
  var footer: String? = ""
  /// Counts that are told instead of the true ones: universal, standard, leaps, times, types, letters.
  var counts: [UInt32?] = [nil, nil, nil, nil, nil, nil]
  var leaps: [UInt8] = []

  func bytes() -> [UInt8] {
    guard version > 0 else { return block(size: 4) }
    var first = TZifBuilder()
    first.version = version
    first.kinds = [Kind(offset: 0, isDST: 0, name: 0)]
    first.letters = [0]
    return first.block(size: 4) + block(size: 8) + (footer.map { Array("\n\($0)\n".utf8) } ?? [])
  }

  private func block(size: Int) -> [UInt8] {
    let true_ = [0, 0, leaps.count / (size + 4), times.count, kinds.count, letters.count]
    var bytes = Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15)
    for (count, told) in zip(true_, counts) { bytes += big(Int64(told ?? UInt32(count)), 4) }
    for time in times { bytes += big(time, size) }
    bytes += order
    for kind in kinds { bytes += big(Int64(kind.offset), 4) + [kind.isDST, kind.name] }
    return bytes + letters + leaps
  }

  private func big(_ value: Int64, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * Int64($0))) }
  }
}
