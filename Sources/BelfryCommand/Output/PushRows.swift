import BelfryCore
import BelfryWire

/// The properties of a payload in words, by the names of `CKNotification` where it has them.
enum PushRows {
  struct Row {
    var property: String
    var value: String
    /// What the value means, where that is not plain.
    var because = ""
  }

  static func rows(of payload: PushPayload) -> [Row] {
    var rows = texts(of: payload.alert)
    if let badge = payload.badge {
      rows.append(Row(property: "badge", value: "\(badge)", because: badge == 0 ? "clears it" : ""))
    }
    rows.add("soundName", payload.sound?.name)
    rows.add("volume", payload.sound?.volume.map { "\($0)" })
    if payload.sound?.isCritical == true { rows.add("critical", "yes") }
    rows.add("category", payload.category)
    rows.add("threadIdentifier", payload.threadIdentifier)
    rows.add("interruptionLevel", payload.interruptionLevel?.rawValue)
    if payload.contentAvailable {
      let isSilent = payload.alert == PushAlert() && payload.badge == nil && payload.sound == nil
      rows.append(
        Row(
          property: "contentAvailable", value: "yes",
          because: isSilent ? "silent: for the app alone" : ""))
    }
    if let cloud = payload.cloud { rows += Self.rows(of: cloud) }
    for member in payload.siblings.members {
      rows.append(
        Row(property: member.name, value: member.value.text, because: "the app's own"))
    }
    return rows
  }

  private static func texts(of alert: PushAlert) -> [Row] {
    var rows: [Row] = []
    rows.add("title", alert.title)
    rows.add("titleLocalizationKey", alert.titleKey)
    rows.add("titleLocalizationArgs", alert.titleArguments)
    rows.add("subtitle", alert.subtitle)
    rows.add("subtitleLocalizationKey", alert.subtitleKey)
    rows.add("subtitleLocalizationArgs", alert.subtitleArguments)
    rows.add("alertBody", alert.body)
    rows.add("alertLocalizationKey", alert.bodyKey)
    rows.add("alertLocalizationArgs", alert.bodyArguments)
    if let key = alert.actionKey {
      rows.append(
        Row(
          property: "alertActionLocalizationKey", value: key,
          because: "two buttons: dismiss and open"))
    }
    rows.add("alertLaunchImage", alert.launchImage)
    return rows
  }

  private static func rows(of cloud: CloudKitPayload) -> [Row] {
    var rows: [Row] = []
    rows.add("notificationID", cloud.notificationID?.text)
    rows.add("containerIdentifier", cloud.containerIdentifier)
    rows.add("subscriptionOwnerUserRecordID", cloud.subscriptionOwner)
    if cloud.isPruned { rows.add("isPruned", "yes") }
    switch cloud.kind {
    case .base: break
    case .query(let query):
      rows.add("reason", query.reason?.name)
      rows.add("recordID", [query.record, query.subject.zoneName])
      rows.add("recordFields", query.fields.map { JSONValue.object($0).text })
      rows.add(query.subject)
    case .recordZone(let subject):
      rows.add("recordZoneID", [subject.zoneName])
      rows.add(subject)
    case .database(let subject):
      rows.add(subject)
      rows.add("zoneName", subject.zone)
      rows.add("zoneOwnerName", subject.zoneOwner)
    }
    return rows
  }
}

extension PushPayload {
  /// What CloudKit calls a notification with this `ck`.
  var kindName: String {
    switch cloud?.kind {
    case nil: "plain push"
    case .base: "CKNotification"
    case .query: "CKQueryNotification"
    case .recordZone: "CKRecordZoneNotification"
    case .database: "CKDatabaseNotification"
    }
  }
}

extension CloudQuery.Reason {
  fileprivate var name: String {
    switch self {
    case .recordCreated: "recordCreated"
    case .recordUpdated: "recordUpdated"
    case .recordDeleted: "recordDeleted"
    }
  }
}

extension DatabaseScope {
  fileprivate var name: String {
    switch self {
    case .private: "private"
    case .public: "public"
    case .shared: "shared"
    }
  }
}

extension CloudSubject {
  fileprivate var zoneName: String? {
    guard let zone else { return zoneOwner }
    return zoneOwner.map { zone + " of " + $0 } ?? zone
  }
}

extension [PushRows.Row] {
  fileprivate mutating func add(_ property: String, _ value: String?) {
    if let value { append(PushRows.Row(property: property, value: value)) }
  }

  fileprivate mutating func add(_ property: String, _ arguments: [PropertyList]) {
    if arguments.isEmpty { return }
    add(property, JSONValue.array(arguments.map { PropertyListCodec.encode($0) }).text)
  }

  fileprivate mutating func add(_ property: String, _ parts: [String?]) {
    let parts = parts.compactMap { $0 }
    if !parts.isEmpty { add(property, parts.joined(separator: " in ")) }
  }

  fileprivate mutating func add(_ subject: CloudSubject) {
    add("subscriptionID", subject.subscription)
    add("databaseScope", subject.scope?.name)
  }
}
