internal import BelfryCore

/// The text of an RRULE.
enum RuleText {
  /// As the daemon writes the rule that `text` gives; `text` itself where it gives none.
  static func canonical(_ text: String) -> String {
    (try? RecurrenceRule.parse(text))?.text ?? text
  }
}
