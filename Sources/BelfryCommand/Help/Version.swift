import BelfryCore

/// What `belfry --version` says.
enum Version {
  static let text = BelfryVersion.text
}
