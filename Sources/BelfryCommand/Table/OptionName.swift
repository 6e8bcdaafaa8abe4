/// Every option's long name.
enum OptionName: String, CaseIterable, Sendable {
  // Everywhere.
  case socket, json, app, help, version
  // What is delivered.
  case body, title, subtitle, action
  case noAction = "no-action"
  case sound, badge, category
  case userInfo = "user-info"
  case thread, level, volume
  case repeatSound = "repeat-sound"
  case id
  // When.
  case at
  case inDuration = "in"
  case now, region, on
  case everyCrossing = "every-crossing"
  case timeZone = "time-zone"
  case zoneMode = "zone-mode"
  case calendar
  // Repeating and lateness.
  case repeatUnit = "repeat"
  case every, rrule, exdate, rdate, until, count, gap, overlap
  case monthEnd = "month-end"
  case expires, late, tolerance
  // Of single commands.
  case number, after, explain, delivered, all, sink, user, text, accuracy, time, set
  case limit, container, since
  case collapseID = "collapse-id"
  case dryRun = "dry-run"
}
