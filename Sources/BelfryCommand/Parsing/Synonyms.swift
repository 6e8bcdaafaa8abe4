import BelfryCore

/// What people write who know other programs, and what it is called here.
enum Synonyms {
  static func command(_ word: String) -> String? {
    switch word {
    case "ls", "ps", "show", "pending", "scheduled", "atq": "list"
    case "rm", "del", "delete", "remove", "unschedule", "atrm": "cancel"
    case "add", "new", "create", "set", "remind", "alarm": "schedule"
    case "notify", "send", "say": "schedule --now"
    case "log", "journal": "history"
    case "mute", "silence", "quiet": "stop-sound"
    case "acknowledge", "confirm": "ack"
    case "stop": "stop-sound, dismiss or cancel"
    case "kill": "cancel"
    case "disable", "hold", "suspend": "pause"
    case "enable", "unpause", "continue": "resume"
    case "update", "change", "modify": "edit"
    case "timer", "at": "schedule"
    case "get": "next"
    case "logs": "history"
    case "events", "monitor": "watch"
    case "info", "state": "status"
    case "version": "--version"
    case "config", "configuration": "help configuration"
    case "sinks": "plugin list"
    case "calendars": "days list"
    case "sounds": "sound check"
    case "start", "run", "daemon": "belfryd"
    case "restart": "reload, or help daemon"
    case "play", "ring", "beep": "sound play"
    case "in": "schedule --in"
    case "apps": "app list"
    case "plugins": "plugin list"
    default: nil
    }
  }

  /// What stands without an option, as help calls it.
  static func operand(_ word: String) -> String? {
    switch word {
    case "id", "name", "identifier", "alert", "notification": "ID"
    case "for", "in", "duration", "until", "minutes", "time": "DURATION"
    case "file", "path", "payload": "FILE"
    case "sound": "SOUND"
    case "app": "APP"
    case "action": "ACTION"
    case "latitude", "lat", "longitude", "lon", "at", "position", "location": "LAT,LON"
    case "set", "badge", "number", "count", "value": "N"
    default: nil
    }
  }

  /// The level that a word means which is none.
  static func level(_ word: String) -> String? {
    switch word.lowercased() {
    case "urgent", "high", "important", "time-sensitive", "timesensitive": "timeSensitive"
    case "normal", "default", "medium": "active"
    case "low", "quiet", "silent": "passive"
    case "emergency", "alarm", "max": "critical"
    default: nil
    }
  }

  /// What becomes of what is late.
  static func latePolicy(_ word: String) -> String? {
    switch word.lowercased() {
    case "never", "no", "none", "skip", "ignore", "discard": "drop"
    case "always", "yes", "any", "ring": "fire"
    default: nil
    }
  }

  /// The same among those of one command.
  static func option(_ word: String, of command: String?) -> String? {
    switch (command, word) {
    case ("next", "count"): "limit"
    case ("skip", "count"), ("skip", "limit"), ("skip", "times"): "number"
    case ("history", "failed"): "state failed"
    case ("history", "after"), ("history", "from"), ("inbox fetch", "after"): "since"
    default: option(word)
    }
  }

  /// As mail(1), notify-send(1) and logger(1) call what an alert says.
  static func letter(_ written: String) -> OptionName? {
    switch written {
    case "-m": .body
    case "-s", "-t": .title
    case "-u": .level
    default: nil
    }
  }

  /// An option's name, perhaps with its argument behind.
  static func option(_ word: String) -> String? {
    switch word {
    case "message", "msg", "text", "alert": "body"
    case "summary", "subject", "label": "title"
    case "recurrence", "freq", "byday": "rrule"
    case "exclude": "exdate"
    case "tag": "thread"
    case "tz", "timezone", "zone": "time-zone"
    case "name", "identifier": "id"
    case "time", "date", "when": "at"
    case "after", "delay", "on-active": "in"
    case "interval": "repeat"
    case "daily", "every-day", "everyday": "repeat day"
    case "hourly": "repeat hour"
    case "weekly": "repeat week"
    case "monthly": "repeat month"
    case "yearly": "repeat year"
    case "days", "day", "weekday": "weekdays"
    case "skip", "except": "exdate"
    case "repeat-count", "times": "count"
    case "on-calendar", "cron": "rrule"
    case "urgency", "priority": "level"
    case "critical": "level critical"
    case "urgent", "time-sensitive": "level timeSensitive"
    case "loop", "insistent": "ring-for"
    case "loud", "gain": "volume"
    case "timeout", "expire", "expire-time": "expires"
    case "tail", "lines": "limit"
    case "sink", "sinks", "plugin": "to"
    case "radius": "accuracy"
    case "for": "until"
    default: nil
    }
  }
}
