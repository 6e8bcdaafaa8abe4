import BelfryCore

/// A property that can be left out of a payload as a whole, in the order in which P5 does.
public enum PushProperty: String, CaseIterable, Sendable {
  case containerIdentifier
  // CKQueryNotification's, CKRecordZoneNotification's, those of all three.
  case recordID, reason, recordFields, recordZoneID, subscriptionID, databaseScope
  // CKDatabaseNotification's.
  case zoneName, zoneOwnerName
  case soundName
  case category, threadIdentifier
  case alertLaunchImage
  case alertActionLocalizationKey
  case subtitle, subtitleLocalizationArgs, subtitleLocalizationKey
  case title, titleLocalizationArgs, titleLocalizationKey
  case alertBody
  case alertLocalizationArgs
  case alertLocalizationKey
  case badge
  case notificationID
}

/// A payload that fits a limit, and what had to go.
public struct PrunedPush: Hashable, Sendable {
  public var payload: PushPayload
  /// In the order in which they went.
  public var dropped: [PushProperty]
  /// Arguments that were cut to 100 characters, such as `alertLocalizationArgs[1]`.
  public var cut: [String]
}

extension PushPayload {
  /// The limits that P5 names, in bytes.
  public static let limits = [256, 2048, 4096, 5120]
  /// Characters of an argument that stay.
  public static let argumentLimit = 100

  /// Leaves out whole properties, in P5's order and no more than needed, until the payload takes at
  /// most `limit` bytes, and then says `p`. What is the app's own or unknown always stays, so it may
  /// be too large even so: an error of the field `payload`.
  ///
  /// String arguments are cut to 100 characters first, whether it fits or not.
  public func pruned(to limit: Int) throws(FieldError) -> PrunedPush {
    var result = PrunedPush(payload: self, dropped: [], cut: [])
    result.payload.cutArguments(&result.cut)
    var size = result.payload.encoded.count
    for property in PushProperty.allCases where size > limit {
      var smaller = result.payload
      guard smaller.drop(property) else { continue }
      if smaller.cloud == nil { smaller.cloud = CloudKitPayload() }
      smaller.cloud?.isPruned = true
      result.payload = smaller
      result.dropped.append(property)
      size = smaller.encoded.count
    }
    guard size <= limit else {
      throw FieldError(
        "payload", .tooLong, "\(size) bytes are left that cannot be cut; at most \(limit) fit")
    }
    return result
  }

  private mutating func cutArguments(_ cut: inout [String]) {
    Self.cut(&alert.subtitleArguments, "subtitleLocalizationArgs", &cut)
    Self.cut(&alert.titleArguments, "titleLocalizationArgs", &cut)
    Self.cut(&alert.bodyArguments, "alertLocalizationArgs", &cut)
  }

  private static func cut(
    _ arguments: inout [PropertyList], _ name: String, _ cut: inout [String]
  ) {
    for index in arguments.indices {
      guard case .string(let text) = arguments[index], text.count > argumentLimit else { continue }
      arguments[index] = .string(String(text.prefix(argumentLimit)))
      cut.append("\(name)[\(index)]")
    }
  }

  /// What of it is missing in all (P7): what was `dropped`, and of one that came pruned what stands
  /// in P5's order before the first that it has.
  public func missing(besides dropped: [PushProperty] = []) -> [PushProperty] {
    var gone = dropped
    if let cloud, cloud.isPruned {
      for property in PushProperty.allCases where cloud.kind.mayHave(property) {
        var rest = self
        if rest.drop(property) { break }
        gone.append(property)
      }
    }
    return PushProperty.allCases.filter { gone.contains($0) }
  }

  /// False: there is nothing of it.
  private mutating func drop(_ property: PushProperty) -> Bool {
    switch property {
    case .soundName: Self.clear(&sound)
    case .category: Self.clear(&category)
    case .threadIdentifier: Self.clear(&threadIdentifier)
    case .badge: Self.clear(&badge)
    case .alertLaunchImage: Self.clear(&alert.launchImage)
    case .alertActionLocalizationKey: Self.clear(&alert.actionKey)
    case .subtitle: Self.clear(&alert.subtitle)
    case .subtitleLocalizationArgs: Self.clear(&alert.subtitleArguments)
    case .subtitleLocalizationKey: Self.clear(&alert.subtitleKey)
    case .title: Self.clear(&alert.title)
    case .titleLocalizationArgs: Self.clear(&alert.titleArguments)
    case .titleLocalizationKey: Self.clear(&alert.titleKey)
    case .alertBody: Self.clear(&alert.body)
    case .alertLocalizationArgs: Self.clear(&alert.bodyArguments)
    case .alertLocalizationKey: Self.clear(&alert.bodyKey)
    default: cloud?.drop(property) ?? false
    }
  }

  fileprivate static func clear<T>(_ value: inout T?) -> Bool {
    defer { value = nil }
    return value != nil
  }

  private static func clear(_ arguments: inout [PropertyList]) -> Bool {
    defer { arguments = [] }
    return !arguments.isEmpty
  }
}

extension CloudKind {
  /// Whether a notification of this kind has such a property at all.
  fileprivate func mayHave(_ property: PushProperty) -> Bool {
    switch (self, property) {
    case (.query, .recordID), (.query, .reason), (.query, .recordFields),
      (.recordZone, .recordZoneID), (.database, .zoneName), (.database, .zoneOwnerName):
      true
    case (_, .recordID), (_, .reason), (_, .recordFields), (_, .recordZoneID), (_, .zoneName),
      (_, .zoneOwnerName):
      false
    case (.base, .subscriptionID), (.base, .databaseScope): false
    default: true
    }
  }
}

extension CloudKitPayload {
  fileprivate mutating func drop(_ property: PushProperty) -> Bool {
    switch property {
    case .containerIdentifier: return PushPayload.clear(&containerIdentifier)
    case .notificationID: return PushPayload.clear(&notificationID)
    default: break
    }
    switch kind {
    case .base: return false
    case .query(var query):
      defer { kind = .query(query) }
      switch property {
      case .recordID:
        let hadName = PushPayload.clear(&query.record)
        return query.subject.dropZone() || hadName
      case .reason: return PushPayload.clear(&query.reason)
      case .recordFields: return PushPayload.clear(&query.fields)
      default: return query.subject.drop(property)
      }
    case .recordZone(var subject):
      defer { kind = .recordZone(subject) }
      return property == .recordZoneID ? subject.dropZone() : subject.drop(property)
    case .database(var subject):
      defer { kind = .database(subject) }
      switch property {
      case .zoneName: return PushPayload.clear(&subject.zone)
      case .zoneOwnerName: return PushPayload.clear(&subject.zoneOwner)
      default: return subject.drop(property)
      }
    }
  }
}

extension CloudSubject {
  fileprivate mutating func dropZone() -> Bool {
    let hadZone = PushPayload.clear(&zone)
    return PushPayload.clear(&zoneOwner) || hadZone
  }

  fileprivate mutating func drop(_ property: PushProperty) -> Bool {
    switch property {
    case .subscriptionID: PushPayload.clear(&subscription)
    case .databaseScope: PushPayload.clear(&scope)
    default: false
    }
  }
}
