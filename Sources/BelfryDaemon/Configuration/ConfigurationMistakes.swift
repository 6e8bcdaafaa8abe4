import BelfryCore
import BelfryWire

/// All that is wrong with the text of a configuration, for `belfryd --check`: each mistake is found as at
/// a start, and the search goes on without its line.
struct ConfigurationMistakes {
  private static let most = 32

  /// In order of their lines.
  private(set) var found: [ConfigurationError] = []
  /// What the rest says, and its lines.
  private(set) var rest = DaemonConfiguration()
  private(set) var file = INIFile()

  init(_ bytes: [UInt8]) {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { Array($0) }
    while found.count < Self.most {
      let text = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
      do throws(ConfigurationError) {
        rest = try ConfigurationReader.read(text)
        file = (try? ConfigurationReader.parse(text)) ?? file
        break
      } catch {
        found.append(error)
        let place = Int(clamping: error.line) - 1
        guard lines.indices.contains(place) else { break }
        Self.blank(place, of: &lines)
      }
    }
    found.sort { $0.line < $1.line }
  }

  /// What belongs to a section goes with its header: it would be the section's before it.
  private static func blank(_ place: Int, of lines: inout [[UInt8]]) {
    let isHeader = { (line: [UInt8]) in line.first { $0 != 32 && $0 != 9 } == UInt8(ascii: "[") }
    let isSection = isHeader(lines[place])
    lines[place] = []
    guard isSection else { return }
    for next in lines.indices.dropFirst(place + 1) {
      if isHeader(lines[next]) { break }
      lines[next] = []
    }
  }
}
