import BelfryCore

/// A number of a payload, also in a form that is odd but plain (P1): `"3"`, `true`.
struct PushNumber {
  var value: Double
  /// What was done about an odd form, a sentence without a full stop; nil: it is a plain number.
  var oddity: String?

  /// nil: this is no number in any of these forms.
  init?(_ json: JSONValue) {
    switch json {
    case .integer(let number):
      value = Double(number)
    case .double(let number):
      value = number
    case .boolean(let flag):
      value = flag ? 1 : 0
      oddity = "\(flag) is taken for \(flag ? 1 : 0)"
    case .string(let text):
      guard !text.isEmpty, let number = try? JSONValue.parse(Array(text.utf8)).number
      else { return nil }
      value = number
      oddity = "a string is taken for the number in it"
    default: return nil
    }
  }
}

extension FieldError {
  /// `it should be a string` for `this is a string`, which reads wrong of what is left out.
  var asWish: String {
    reason.hasPrefix("this is ") ? "it should be " + reason.dropFirst(8) : reason
  }
}
