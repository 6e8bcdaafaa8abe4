import BelfryCore

/// The section `[app]` of a manifest, beside `AppLimitKey`.
public enum ManifestKey: String, SettingKey {
  case name, executable, unit, user, soundFolder, stringsFolder, daysFolder, language, allowed
  case location, critical, launchForPush

  public func row<Row: SettingRow>() -> Row {
    switch self {
    case .name: Row(.text(upTo: 255), usual: nil, about: "what people call the app")
    case .executable:
      Row(
        .path, usual: nil,
        about: "the program that starts the app when it does not run; without it and unit the app"
          + " must be running to hear of anything")
    case .unit: Row(.unit, usual: nil, about: "the unit of systemd that starts it instead")
    case .user:
      Row(
        .user, usual: "who used the id first",
        about: "who owns the id, and as whom the executable runs; in a user's own folder it is that"
          + " user")
    case .soundFolder:
      Row(.path, usual: nil, about: "a folder that is searched before all other sound folders")
    case .stringsFolder: Row(.path, usual: nil, about: "where its .strings tables are")
    case .daysFolder:
      Row(
        .path, usual: nil,
        about: "where its calendars of days are, NAME.days and NAME.ics, for its own notifications"
          + " alone")
    case .language:
      Row(.language, usual: "the board's", about: "which language of its tables it speaks")
    case .allowed, .location: parts()
    case .critical:
      Row(
        .boolean, usual: "as [access] critical says",
        about: "whether its notifications may be critical; yes counts only in a manifest of the"
          + " system")
    case .launchForPush:
      Row(
        .boolean, usual: "no",
        about: "whether a push with content-available starts it when it does not run")
    }
  }

  /// What the operator can say as well.
  private func parts<Row: SettingRow>() -> Row {
    self == .allowed ? AppKey.allowed.row() : AppKey.location.row()
  }
}
