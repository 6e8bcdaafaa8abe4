import BelfryCore

/// What people write who know other programs, and what it is called here.
enum Synonyms {
  static func command(_ word: String) -> String? {
    switch word {
    case "ls", "show", "pending", "scheduled": "list"
    case "rm", "del", "delete", "remove", "unschedule": "cancel"
    case "add", "new", "create", "set", "remind", "alarm": "schedule"
    case "notify", "send", "say": "schedule --now"
    case "log", "journal": "history"
    case "mute", "silence", "quiet": "stop-sound"
    case "acknowledge", "confirm": "ack"
    default: nil
    }
  }

  static func option(_ word: String) -> String? {
    switch word {
    case "message", "msg", "text": "body"
    case "tz", "timezone", "zone": "time-zone"
    case "name", "identifier": "id"
    case "time", "date", "when": "at"
    case "after", "delay": "in"
    case "interval": "repeat"
    case "days": "weekdays"
    case "skip", "except": "exdate"
    default: nil
    }
  }
}
