/// How many of something, for people: `1 day`, `2 days`, `0 days`.
///
/// `one` is what stands behind 1. Without `many` it takes an s; where more than the noun goes by the
/// number, both are given: `counted(n, "record was lost", many: "records were lost")`.
public func counted<Number: BinaryInteger>(
  _ count: Number, _ one: String, many: String? = nil
) -> String {
  "\(count) " + (count == 1 ? one : many ?? one + "s")
}
