import BelfryCore
import BelfryWire

extension PushRows {
  /// What comes of a payload: an alert with its buttons, the badge, a sound, word to the app.
  static func shown(of draft: PushDraft) -> [Row] {
    let payload = draft.payload
    var rows: [Row] = []
    if payload.isShown {
      rows += alert(of: payload)
      rows.append(badge(of: payload))
      rows.append(sound(of: payload))
    } else {
      rows.append(
        Row(
          property: "nothing", value: "-",
          because: payload.contentAvailable
            ? "it is for the app alone" : payload.emptiness))
    }
    if payload.contentAvailable {
      rows.append(
        Row(
          property: "app", value: "told that something new is there",
          because: "content-available; if it does not run, it finds it in its inbox"))
    }
    rows.append(
      Row(
        property: "inbox",
        value: draft.push.container.isEmpty ? "the app's own" : draft.push.container))
    return rows
  }

  private static func alert(of payload: PushPayload) -> [Row] {
    let alert = payload.alert
    let shown = payload.shown
    guard let body = shown.alertBody else {
      return [Row(property: "alert", value: "none", because: "there is no body")]
    }
    let lookedUp = "the app's texts in its language have the words for it, else "
    var rows: [Row] = []
    let texts = [
      ("title", shown.alertTitle, alert.titleKey, alert.title),
      ("subtitle", shown.alertSubtitle, alert.subtitleKey, alert.subtitle),
      ("body", body, alert.bodyKey, alert.body),
    ]
    for (name, text, key, literal) in texts {
      guard let text else { continue }
      let other = PushAlert.visible(literal).map { FieldError.quoted($0) + " is shown" }
      let because = key == nil ? "" : lookedUp + (other ?? "it is shown itself")
      rows.append(Row(property: name, value: text, because: because))
    }
    rows.append(
      alert.actionKey.map {
        Row(property: "buttons", value: "dismiss, " + $0, because: "it has a key for its action")
      } ?? Row(property: "buttons", value: "OK", because: "it has no key for an action"))
    return rows
  }

  private static func badge(of payload: PushPayload) -> Row {
    switch payload.badge {
    case nil: Row(property: "badge", value: "stays", because: "it says nothing of it")
    case 0: Row(property: "badge", value: "cleared", because: "0 clears it")
    case .some(let number): Row(property: "badge", value: "\(number)")
    }
  }

  private static func sound(of payload: PushPayload) -> Row {
    guard let sound = payload.sound else {
      return Row(property: "sound", value: "none", because: "it names none")
    }
    var because =
      ByteString(sound.name) == "default" ? "" : "if the file is not there, the default sound"
    if sound.isCritical { because = "critical, also in quiet hours" }
    return Row(property: "sound", value: sound.name, because: because)
  }
}
