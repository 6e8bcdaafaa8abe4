import BelfryCore
import BelfrySystem

/// The words of belfryd's command line.
public struct DaemonOptions: Hashable, Sendable {
  public enum Home: Hashable, Sendable {
    /// Everything under one folder.
    case directory(String)
    /// The XDG places of one user.
    case user
    /// The FHS places of the board.
    case system
  }

  /// nil: root's daemon is the board's, another user's his own.
  public var home: Home?
  public var localtime: String?
  public var zoneinfo: String?
  /// A configuration to be judged and nothing else.
  public var checked: String?
  public var wantsHelp = false
  public var wantsVersion = false

  public static let version = BelfryVersion.text

  private static let names = [
    "--directory", "--user", "--system", "--localtime", "--zoneinfo", "--check", "--help",
    "--version",
  ]

  public static let help = """
    Usage: belfryd [--directory DIR | --user | --system] [--localtime PATH] [--zoneinfo DIR]

    The clock of Belfry: keeps what was scheduled and hands it over when it is due.

      --directory DIR   socket, books, configuration and run files under DIR
      --user            the places of this user (XDG); the default unless root
      --system          the places of the board; the default of root
      --localtime PATH  instead of /etc/localtime
      --zoneinfo DIR    instead of /usr/share/zoneinfo
      --check FILE      says whether FILE is a configuration, and what it names is there; and ends
      --help            this text
      --version         the version

    Ends with 10 socket in use, 11 no rights, 12 books of a newer version, 13 a second daemon here,
    14 configuration. SIGTERM stops it, SIGHUP makes it read its configuration again.
    """

  /// Reads the words after the program's name.
  public static func parse(_ words: [String]) throws(StartFailure) -> DaemonOptions {
    var options = DaemonOptions()
    var rest = words[...]
    while let word = rest.popFirst() {
      // `--name value` and `--name=value`.
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = parts.count == 2 && word.hasPrefix("--") ? String(parts[0]) : word
      let given = name == word ? nil : String(parts[1])
      switch name {
      case "--directory":
        try options.choose(.directory(value(name, given, &rest)))
      case "--check": options.checked = try value(name, given, &rest)
      case "--localtime": options.localtime = try value(name, given, &rest)
      case "--zoneinfo": options.zoneinfo = try value(name, given, &rest)
      default: try options.readFlag(name, given)
      }
    }
    return options
  }

  /// Why the files of `--zoneinfo` or `--localtime` are not to be had; nil: they may be.
  var zoneProblem: String? {
    if let zoneinfo, !Self.mayBe(.folder, at: zoneinfo) {
      return "--zoneinfo: there is no folder \(zoneinfo)"
    }
    guard let localtime, !Self.mayBe(.regular, at: localtime) else { return nil }
    let place = (zoneinfo ?? ZoneFiles().folder) + "/" + localtime
    let isName = ZoneName.isName(localtime) && (try? Files.status(place))?.kind == .regular
    return "--localtime: there is no zone file \(localtime)"
      + (isName ? "; did you mean \(place)?" : "")
  }

  /// True also where that cannot be seen.
  private static func mayBe(_ kind: Files.Status.Kind, at path: String) -> Bool {
    do throws(SystemError) {
      return try Files.status(path).kind == kind
    } catch {
      return error.code != SystemError.noEntry && error.code != SystemError.notFolder
    }
  }

  private mutating func readFlag(_ name: String, _ given: String?) throws(StartFailure) {
    if given != nil { throw StartFailure(.usage, "belfryd: \(name) takes no value") }
    switch name {
    case "--user": try choose(.user)
    case "--system": try choose(.system)
    case "--help", "-h": wantsHelp = true
    case "--version": wantsVersion = true
    default:
      let begun = Self.names.filter { name.utf8.count > 2 && $0.hasPrefix(name) }
      let near =
        name.hasPrefix("/") || name.hasPrefix(".")
        ? "--directory " + name
        : begun.count == 1 ? begun[0] : NameSuggestion.nearest(to: name, among: Self.names)
      throw StartFailure(
        .usage,
        "belfryd: \(name) is not known; "
          + (near.map { "did you mean \($0)? see" } ?? "see") + " belfryd --help")
    }
  }

  private mutating func choose(_ home: Home) throws(StartFailure) {
    guard self.home == nil || self.home == home else {
      throw StartFailure(.usage, "belfryd: --directory, --user and --system exclude each other")
    }
    self.home = home
  }

  private static func value(
    _ name: String, _ given: String?, _ rest: inout ArraySlice<String>
  ) throws(StartFailure) -> String {
    guard let value = given ?? rest.popFirst(), !value.isEmpty else {
      let what = name == "--check" ? "FILE" : name == "--localtime" ? "PATH" : "DIR"
      throw StartFailure(.usage, "belfryd: \(name) needs \(what); see belfryd --help")
    }
    return value
  }
}
