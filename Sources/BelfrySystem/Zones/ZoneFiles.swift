import BelfryCore

/// The system's zone files, and which of them is the board's (T7). Every call may wait for the disk.
public struct ZoneFiles: Hashable, Sendable {
  /// The tz database: `/usr/share/zoneinfo`, or what `--zoneinfo` names.
  public var folder: String
  /// The board's zone: `/etc/localtime`, or what `--localtime` names.
  public var localtime: String
  /// `[clock] zone`, a name that wins over all else.
  public var chosen: String?
  /// `TZ` as it was when the program started; nil: not set.
  public var variable: String?

  /// Far more than any zone file has; the largest is under 4 KiB.
  private static let limit = 1 << 20

  public init(
    folder: String? = nil, localtime: String? = nil, chosen: String? = nil, variable: String? = nil
  ) {
    self.folder = Self.absolute(folder ?? "/usr/share/zoneinfo")
    self.localtime = Self.absolute(localtime ?? "/etc/localtime")
    self.chosen = chosen
    self.variable = variable
  }

  // MARK: By name

  /// The zone of a name. `known`, if its file is still the same, is given back unread.
  @export(interface)
  public func zone(_ name: String, known: ZoneFile? = nil) throws(ZoneFileError) -> ZoneFile {
    guard ZoneName.isName(name) else {
      // `America/New York`, as it is spoken.
      let joined = String(decoding: name.utf8.map { $0 == 0x20 ? 0x5F : $0 }, as: UTF8.self)
      let isOffset = Self.offset(in: name) != nil
      throw ZoneFileError(
        .unknown,
        "\(Self.quoted(name)) is no name of a time zone"
          + (ZoneName.isName(joined) && names().contains(joined)
            ? "; did you mean \(joined)?" : isOffset ? Self.offsetHint(name) : "")
      )
    }
    do throws(ZoneFileError) {
      return try read(folder + "/" + name, name: name, known: known)
    } catch {
      let isOther = error.code == .broken && Self.isAboutZones(name)
      guard error.code == .unknown || isOther else { throw error }
      if let rules = ZoneName.rules(ofFixed: name) {
        return ZoneFile(name: name, rules: rules, identity: nil)
      }
      throw ZoneFileError(.unknown, "there is no time zone \(name)" + hint(name))
    }
  }

  /// The names of all zones, sorted, as far as folders go three deep.
  @export(interface)
  public func names() -> [String] {
    var names: [String] = []
    collect("", depth: 3, into: &names)
    return names
  }

  private func collect(_ prefix: String, depth: Int, into names: inout [String]) {
    guard depth > 0, let entries = try? Files.list(folder + "/" + prefix) else { return }
    for entry in entries where entry != "posix" && entry != "right" {
      let name = prefix + entry
      guard names.count < 4000, ZoneName.isName(name) else { continue }
      guard Self.isZone(entry[...]) else { continue }
      if let status = try? Files.status(folder + "/" + name), status.kind == .folder {
        collect(name + "/", depth: depth - 1, into: &names)
      } else {
        names.append(name)
      }
    }
  }

  /// Beside the zones lie files about them, such as tzdata.zi and leapseconds; a site's own zone may
  /// be called anything else.
  private static func isAboutZones(_ name: String) -> Bool {
    name.utf8.contains(UInt8(ascii: ".")) || ByteString(name) == "leapseconds"
  }

  /// Files that are no zones have lower-case names or an extension.
  private static func isZone(_ entry: Substring) -> Bool {
    guard let first = entry.utf8.first else { return false }
    return first >= 0x41 && first <= 0x5A && !entry.utf8.contains(UInt8(ascii: "."))
  }

  /// An offset is no zone, but has a name: `GMT+0200`.
  private static func offsetHint(_ name: String) -> String {
    let fixed = "GMT" + (offset(in: name) ?? "").filter { $0 != ":" }
    return ZoneName.rules(ofFixed: fixed) == nil
      ? "; write a place, such as Europe/Berlin" : "; did you mean a place, or \(fixed)?"
  }

  /// `+02:00` of that itself, and of `UTC+02:00`; nil: it is none.
  private static func offset(in name: String) -> Substring? {
    let isNamed = name.hasPrefix("UTC") || name.hasPrefix("GMT")
    let rest = isNamed ? name.dropFirst(3) : name[...]
    return rest.hasPrefix("+") || rest.hasPrefix("-") ? rest : nil
  }

  /// In small letters.
  private static func small(_ name: String) -> [UInt8] {
    name.utf8.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
  }

  private func hint(_ name: String) -> String {
    if Self.offset(in: name) != nil { return Self.offsetHint(name) }
    let names = names()
    guard !names.isEmpty else { return "; \(folder) has none: the package tzdata is missing" }
    // Of those that look like it none may be meant, and one letter is hours.
    if (2...4).contains(name.utf8.count), name.utf8.allSatisfy({ 0x41...0x5A ~= $0 }) {
      return "; an abbreviation is no zone: write a place, such as America/Los_Angeles"
    }
    // A city without its continent is meant more often than it is misspelt.
    let city = name.utf8.split(separator: 0x2F).last.map { String(decoding: $0, as: UTF8.self) }
    let end = Self.small("/" + (city ?? name))
    let near =
      names.first { Self.small($0).suffix(end.count).elementsEqual(end) }
      ?? NameSuggestion.nearest(to: name, among: names, oneIn: 5)
    if let near { return "; did you mean \(near)?" }
    // Most cities have the zone of a larger one.
    let region = name.split(separator: "/").first.map { String($0) } ?? ""
    let hasRegion = names.contains { $0.hasPrefix(region + "/") }
    return hasRegion && name != region
      ? "; not every city has its own zone: see \(folder)/\(region)" : ""
  }

  // MARK: The board's

  /// The board's zone: `chosen`, else `variable`, else the file `localtime`.
  ///
  /// Throws where there is none to be had. libc would then take universal time.
  @export(interface)
  public func board(known: ZoneFile? = nil) throws(ZoneFileError) -> ZoneFile {
    if let chosen { return try zone(chosen, known: known) }
    if let variable { return try zone(ofVariable: variable, known: known) }
    let chain = SymlinkChain(localtime)
    let folder = SymlinkChain(self.folder).file
    let name = chain.steps.lazy.compactMap { step in
      ZoneName.name(inPath: step.folder + "/" + step.name, folder: folder)
    }.first
    return try read(localtime, name: name ?? localtime, known: known)
  }

  /// What `TZ` says, with or without a colon: a path, a name, or the rule itself (tzset(3)).
  private func zone(
    ofVariable variable: String, known: ZoneFile?
  ) throws(ZoneFileError) -> ZoneFile {
    let text = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
    if text.isEmpty { return ZoneFile(name: "UTC", rules: .utc, identity: nil) }
    if text.hasPrefix("/") {
      let name = ZoneName.name(inPath: text, folder: folder) ?? text
      return try read(text, name: name, known: known)
    }
    do throws(ZoneFileError) {
      return try zone(text, known: known)
    } catch {
      guard error.code == .unknown, let rules = try? ZoneRules(posix: text) else {
        throw ZoneFileError(error.code, "TZ: " + error.reason)
      }
      return ZoneFile(name: text, rules: rules, identity: nil)
    }
  }

  // MARK: What to watch

  /// The way to a zone's file, whether there is one or not; nil for what is no name.
  @export(interface)
  public func chain(of name: String) -> SymlinkChain? {
    ZoneName.isName(name) ? SymlinkChain(folder + "/" + name) : nil
  }

  /// The way to the file of the board's zone; nil where a rule in `TZ` stands for one.
  @export(interface)
  public func boardChain() -> SymlinkChain? {
    if let chosen { return chain(of: chosen) }
    guard let variable else { return SymlinkChain(localtime) }
    let text = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
    return text.hasPrefix("/") ? SymlinkChain(text) : chain(of: text)
  }

  // MARK: Reading

  /// File systems count time in ticks of up to two seconds: two changes within one carry one time.
  private static let tick = 2 * Nanoseconds.second

  private func isSettled(_ identity: ZoneFile.Identity) -> Bool {
    SystemClock.real().nanoseconds(since: identity.changed) > Self.tick
  }

  private func read(
    _ path: String, name: String, known: ZoneFile?
  ) throws(ZoneFileError) -> ZoneFile {
    let bytes: [UInt8]
    var identity: ZoneFile.Identity?
    do throws(SystemError) {
      let file = try Files.open(path, .read)
      let found = ZoneFile.Identity(try Files.status(of: file))
      // Read before the bytes, so that a change during the reading is not taken for this one.
      identity = isSettled(found) ? found : nil
      if var known, known.identity == found {
        known.name = name
        return known
      }
      bytes = try Files.read(file, path: path, limit: Self.limit)
    } catch {
      let isMissing = error.code == SystemError.noEntry || error.code == SystemError.notFolder
      throw ZoneFileError(isMissing ? .unknown : .unreadable, error.text)
    }
    do throws(ZoneError) {
      let rules = try ZoneRules(tzif: bytes)
      return ZoneFile(name: name, rules: rules, identity: identity)
    } catch {
      throw ZoneFileError(.broken, "the zone file \(path) is of no use: \(error.reason)")
    }
  }

  /// For a message: control characters and length are somebody else's.
  private static func quoted(_ name: String) -> String {
    let bytes = name.utf8.prefix(ZoneName.longest).map {
      $0 >= 0x20 && $0 < 0x7F ? $0 : UInt8(ascii: "?")
    }
    return "\"" + String(decoding: bytes, as: UTF8.self) + "\""
  }

  private static func absolute(_ path: String) -> String {
    var path = path
    if !path.hasPrefix("/"), let here = try? Files.readLink("/proc/self/cwd") {
      path = here + "/" + path
    }
    while path.utf8.count > 1 && path.hasSuffix("/") { path.removeLast() }
    return path
  }
}
