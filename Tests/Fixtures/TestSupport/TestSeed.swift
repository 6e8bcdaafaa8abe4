import BelfrySystem

/// The seed of a random test: the same one in each run, or another for each number in BELFRY_FRESH.
///
/// So a red gate is red for the change and not for the lot drawn; `.ci/long` draws a number and prints
/// it.
public enum TestSeed {
  private static let fresh = Environment.value(of: "BELFRY_FRESH").flatMap { UInt64($0) } ?? 0

  /// Never 0. Each function has its own, which an edit elsewhere in the file does not change.
  public static func here(_ file: String = #fileID, _ function: String = #function) -> UInt64 {
    let name = file.split(separator: "/").last ?? ""
    // FNV-1a; Swift's own hashes differ from process to process.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in "\(name) \(function)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return max(hash ^ (fresh &* 0x9E37_79B9_7F4A_7C15), 1)
  }
}
