import Foundation

/// The board.
@preconcurrency @MainActor
open class UIDevice: NSObject {
  /// The one there is.
  public static let current = UIDevice()

  /// The host's name.
  open var name: String { ProcessInfo.processInfo.hostName }
  /// "Belfry".
  open var model: String { "Belfry" }
  /// "Linux".
  open var systemName: String { "Linux" }
  /// "9.3": the last iOS whose local notifications these are, so that apps which compare versions find
  /// what they look for.
  open var systemVersion: String { "9.3" }
}
