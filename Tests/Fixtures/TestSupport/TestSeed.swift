import BelfrySystem

/// The seed of a random test: the same one in each run, or a fresh one where BELFRY_FRESH is 1.
///
/// So a red gate is red for the change and not for the lot drawn; `.ci/long` asks for fresh ones.
public enum TestSeed {
  private static let isFresh = Environment.value(of: "BELFRY_FRESH") == "1"

  /// Never 0. Each function has its own, which an edit elsewhere in the file does not change.
  public static func here(_ file: String = #fileID, _ function: String = #function) -> UInt64 {
    if isFresh { return .random(in: 1 ... .max) }
    let name = file.split(separator: "/").last ?? ""
    // FNV-1a; Swift's own hashes differ from process to process.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in "\(name) \(function)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return max(hash, 1)
  }
}
