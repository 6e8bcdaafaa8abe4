import SchedulerFixtures
import TestSupport
import Testing

@testable import BelfryCore

struct FormatEscapesTests {
  @Test(arguments: [
    ("", ""), ("plain", "plain"), ("50 % discount", "50 % discount"), ("100 %", "100 %"),
    ("100%%", "100%"), ("%%%%", "%%"), ("%%d", "%d"), ("%%%d", "%"), ("%", "%"), ("%%%", "%%"),
    ("%d", ""), ("a%db", "ab"), ("%@ rings", " rings"), ("%1$@ and %2$@", " and "),
    ("%5.2f", ""), ("%-+#08.3Lf|", "|"), ("%lld %hhu %zu %jd %td %qd", "     "), ("%.f", ""),
    ("%*d", ""), ("%.*s", ""), ("%1$*2", "%1$*2"), ("%5", "%5"), ("%5.", "%5."), ("%ll", "%ll"),
    ("% d", "% d"), ("%y", "%y"), ("%5y", "%5y"), ("%n", ""), ("%p", ""), ("50%off", "50ff"),
    ("100% sure", "100% sure"), ("%1$", "%1$"), ("$1 %$d", "$1 %$d"), ("ü%sß", "üß"),
    ("🔔 %C🔔", "🔔 🔔"), ("%\u{301}d", "%\u{301}d"), ("%1$%2$d", "%1$"),
  ])
  func N7_escapesGo(_ text: String, _ expected: String) {
    #expect(FormatEscapes.stripped(text) == expected)
  }

  /// The rule's own words as a regular expression.
  @Test func N7_isWhatTheRuleSays() throws {
    let escape = try Regex(
      #"%%|%([0-9]+\$)?[-+#0]*([0-9]*|\*)(\.([0-9]*|\*))?[hlLqjzt]*[diouxXeEfgGaAcCsSpn@]"#)
    let letters = Array("%%%%%d@s$123.-+#0*hlLx y%ü")
    let seed = TestSeed.here()
    var random = SeededRandom(seed: seed)
    for _ in 0..<3000 {
      let length = Int.random(in: 0...14, using: &random)
      let text = String((0..<length).map { _ in letters.randomElement(using: &random)! })
      let expected = text.replacing(escape) { $0.output[0].substring == "%%" ? "%" : "" }
      #expect(FormatEscapes.stripped(text) == expected, "seed \(seed): \(text)")
    }
  }
}
