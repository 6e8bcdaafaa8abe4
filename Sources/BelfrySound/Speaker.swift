import BelfryCore
import BelfrySystem
import BelfryWire

/// Plays what the clock hands over: the child process's main thread.
///
/// It only waits for messages, for its two other threads, and for deadlines; so it always hears
/// "silence" and the end of the clock, whatever hangs.
public final class Speaker {
  /// With nothing to do for so long the process ends. Longer than the clock prepares ahead.
  private static let idleLimit = 35 * Nanoseconds.second
  /// A file that is not open after so long is replaced by the built-in tone.
  private static let loadLimit = 2 * Nanoseconds.second
  /// A sound that was opened longer ago is opened again: its file may have changed.
  private static let freshness = 60 * Nanoseconds.second
  private static let choiceLimit = 8

  private struct Name: Hashable {
    var app: ByteString
    var name: ByteString

    init(app: String, name: String) {
      self.app = ByteString(app)
      self.name = ByteString(name)
    }
  }

  private struct Choice {
    var name: Name
    var choice: SoundChoice
    var loaded: Int64
  }

  /// The job that plays, or waits for its file.
  private struct Current {
    var job: Int
    var name: Name
    var volume: Double
    var deadline: Int64
    var fade: SoundFade?
    var since: Int64
    var choice: SoundChoice?
  }

  private let isOther: Bool
  private let folder: RunFolder?
  private let link: SpeakerLink
  private let events: Mailbox<SpeakerEvent>
  private let deck: OutputDeck
  private var loader: SoundLoader?
  private var settings = SoundSettings()
  /// nil: the run directory cannot be written.
  private var completed: CompletedDeliveries?
  /// What each delivery in the queue is.
  private var open: [UInt64: OccurrenceID] = [:]
  private var queue = SoundQueue()
  private var choices: [Choice] = []
  private var current: Current?
  /// For what outputs are kept awake (E11).
  private var wakes = WakeList()
  /// Why the last sound found no device; nil: it found one, or there was none yet.
  private var deviceless: String?
  private var isStopping = false
  private var lastBusy: Int64 = 0

  /// `isOther`: it is of another user than the clock, which opened `folder` for it.
  public init(isOther: Bool = false, folder: RunFolder? = nil) throws(SystemError) {
    self.isOther = isOther
    self.folder = folder
    link = SpeakerLink(descriptor: FileDescriptor(owning: SpeakerLink.number))
    events = try Mailbox()
    deck = OutputDeck(events)
  }

  /// Serves until the clock is gone, or nothing has been to do for a while.
  public func run() throws(SystemError) {
    lastBusy = SystemClock.elapsed()
    while true {
      var entries = [
        Poll.Entry(link.descriptor.raw, .readable), Poll.Entry(events.descriptor, .readable),
      ]
      _ = try Poll.wait(&entries, milliseconds: timeout())
      // First what has begun to sound: what the clock stops then was heard.
      for event in events.drain() { take(event) }
      while let message = link.receive() { take(message) }
      carryOut(queue.tick(now: SystemClock.now()))
      watch()
      lookAfterOutputs()
      let now = SystemClock.elapsed()
      if !queue.isIdle || !wakes.isEmpty { lastBusy = now }
      if queue.isIdle, isStopping || now - lastBusy >= Self.idleLimit { return }
    }
  }

  private func timeout() -> Int32 {
    let now = SystemClock.elapsed()
    var deadline = queue.isIdle ? lastBusy + Self.idleLimit : now + Nanoseconds.second / 2
    if let queued = queue.deadline { deadline = min(deadline, queued) }
    if let pause = wakes.pause(before: settings.longestWake, at: SystemClock.now().real) {
      deadline = min(deadline, now + pause)
    }
    return Int32(clamping: max(0, (deadline - now) / Nanoseconds.millisecond + 1))
  }

  // MARK: Messages

  private func take(_ message: MessageToChild) {
    let now = SystemClock.now()
    lastBusy = now.elapsed
    switch message {
    case .configure(let configuration): configure(configuration)
    case .prepareSound(let app, let name): prepare(Name(app: app, name: name), now)
    case .keepAwake(let occurrence, let app, let name, let due):
      wakes.add(WakeList.Entry(occurrence: occurrence, app: app, name: name, due: due))
    case .rest(let occurrence): wakes.remove(occurrence)
    case .deliver(let delivery): deliver(delivery, now)
    case .soon: break  // Receiving it is all that it is for.
    case .withdraw(_, let occurrence):
      carryOut(queue.withdraw(occurrence, now: now))
      link.send(.withdrawn)
    case .stopSounds(let app): carryOut(queue.stop(app: app, now: now))
    case .badge(let token, _, _):
      link.send(.answered(token: token, .done(note: nil), entered: now.real))
    case .health(let token): tellHealth(token: token)
    case .calendar(let token, _):
      link.send(.calendar(token: token, .failed(reason: "the speaker knows no calendars")))
    case .pushed: break
    case .stop: isStopping = true
    }
  }

  /// Also unasked, whenever it has changed: nobody would think of asking a speaker.
  private func tellHealth(token: UInt64 = 0) {
    let hung = deck.hungDevices
    var problems = hung.isEmpty ? [] : ["hung: " + hung.joined(separator: ", ")]
    if let deviceless { problems.insert("no-device: " + deviceless, at: 0) }
    link.send(
      .health(
        token: token, status: problems.isEmpty ? 0 : 1, text: problems.joined(separator: "; ")))
  }

  private func configure(_ configuration: ChildConfiguration) {
    settings = SoundSettings(configuration.settings)
    for problem in settings.problems { link.send(.log(.warning, problem)) }
    remember(in: configuration)
    do throws(SystemError) {
      loader = try SoundLoader(SoundResolver(settings), events)
    } catch {
      link.send(.log(.error, "the speaker plays its built-in tone only: \(error.text)"))
    }
    link.send(
      .ready(
        PluginSummary(
          id: "io.belfry.speaker", name: "speaker", version: "1", vendor: "Belfry",
          licence: "Apache-2.0", capabilities: ["delivery/1"], wantsEverything: false)))
  }

  private func remember(in configuration: ChildConfiguration) {
    do throws(SystemError) {
      // Another user's is made by the clock.
      let own =
        isOther ? folder : try RunFolder(configuration.name, in: configuration.runDirectory)
      completed = try CompletedDeliveries(in: own)
    } catch {
      link.send(.log(.error, error.text + ": after a crash a sound may play again"))
    }
  }

  private func prepare(_ name: Name, _ now: ClockReading) {
    if let known = choice(name), now.elapsed - known.loaded < Self.freshness { return }
    loader?.load(app: name.app.text, name: name.name.text, isUrgent: false)
  }

  private func deliver(_ delivery: DeliveryMessage, _ now: ClockReading) {
    let told = delivery.deliveryContent
    wakes.remove(told.id)
    if delivery.repetition == 0, let entered = completed?.entered(told.id) {
      return link.send(.answered(token: delivery.token, .done(note: nil), entered: entered))
    }
    open[delivery.token] = told.id
    guard let soundName = told.soundName, delivery.parts.contains(.sound) else {
      return answer(delivery.token, .silenced(reason: "no sound"), at: now.real)
    }
    // Apps without folders and outputs of their own share theirs, so equal names are one sound.
    let isShared = settings.folders(of: told.app).isEmpty && !settings.hasOutputs(told.app)
    let key = isShared ? soundName : "\(told.app)/\(soundName)"
    let request = SoundQueue.Request(delivery, name: soundName, key: ByteString(key))
    carryOut(queue.add(request, now: now))
  }

  /// What has ended as it should is remembered before the clock hears of it (D7).
  private func answer(_ token: UInt64, _ answer: DeliveryAnswer, at instant: Instant) {
    if let id = open.removeValue(forKey: token), answer.isMeant, completed?.entered(id) == nil {
      do throws(SystemError) {
        try completed?.insert(id, entered: instant)
      } catch {
        link.send(.log(.error, error.text + ": after a crash this sound may play again"))
      }
    }
    link.send(.answered(token: token, answer, entered: instant))
  }

  // MARK: Events

  private func take(_ event: SpeakerEvent) {
    let now = SystemClock.now()
    switch event {
    case .loaded(let app, let name, let choice):
      let name = Name(app: app, name: name)
      remember(name, choice, now)
      if let current, current.choice == nil, current.name == name { start(choice) }
    case .started(let run, let device):
      guard let current, deck.noteStart(of: run) else { return }
      carryOut(queue.started(job: current.job, device: device, now: now))
    case .finished(let run, let end):
      guard let ended = current, let whole = deck.noteEnd(of: run, end) else { return }
      current = nil
      finish(ended, whole, now)
    }
  }

  private func remember(_ name: Name, _ choice: SoundChoice, _ now: ClockReading) {
    choices.removeAll { $0.name == name }
    if choices.count >= Self.choiceLimit { choices.remove(at: oldestOfMost) }
    choices.append(Choice(name: name, choice: choice, loaded: now.elapsed))
  }

  /// The oldest, which comes first, of the app that has most: an app with many sounds does not push out
  /// what another has prepared.
  private var oldestOfMost: Int {
    var most = (place: 0, count: 0)
    for place in choices.indices {
      let count = choices.count { $0.name.app == choices[place].name.app }
      if count > most.count { most = (place, count) }
    }
    return most.place
  }

  private func choice(_ name: Name) -> Choice? {
    choices.first { $0.name == name }
  }

  private func finish(_ ended: Current, _ end: Playback.End, _ now: ClockReading) {
    let answer: DeliveryAnswer
    switch end {
    case .played(let device, let lost):
      var note = "device \(device)"
      if !lost.isEmpty { note += "; lost \(lost)" }
      if let choice = ended.choice, let reason = choice.fallback {
        note += "; default sound (\(choice.origin)) instead: \(reason)"
      }
      answer = .done(note: note)
      deviceless = nil
      tellHealth()
    case .stopped: answer = .done(note: "stopped")
    case .noDevice(let why):
      // What rings without a device tries it again and again.
      if deviceless.map({ ByteString($0) }) != ByteString(why) {
        link.send(.log(.warning, "no-device: \(why)"))
      }
      deviceless = why
      tellHealth()
      answer = .failed(reason: "no-device")
    case .busy(let why):
      link.send(.log(.warning, "sound-busy: \(why)"))
      answer = SoundQueue.busy
    }
    carryOut(queue.finished(job: ended.job, answer, now: now))
  }

  // MARK: Commands

  private func carryOut(_ commands: [SoundQueue.Command]) {
    for command in commands {
      switch command {
      case .play(let job, let app, let name, let volume, let deadline, let fade):
        play(job, Name(app: app, name: name), volume: volume, deadline: deadline, fade)
      case .stop(let job): stop(job)
      case .started(let token, let device, _):
        link.send(.started(token: token, note: device ?? SinkEvent.waitsForDevice))
      case .answer(let token, let outcome, let at): answer(token, outcome, at: at)
      }
    }
  }

  private func play(
    _ job: Int, _ name: Name, volume: Double, deadline: Int64, _ fade: SoundFade?
  ) {
    let now = SystemClock.now()
    current = Current(
      job: job, name: name, volume: volume, deadline: deadline, fade: fade, since: now.elapsed)
    if let known = choice(name), now.elapsed - known.loaded < Self.freshness {
      return start(known.choice)
    }
    guard let loader else {
      return start(SoundResolver.builtInTone(because: "the speaker has no thread for files"))
    }
    loader.load(app: name.app.text, name: name.name.text, isUrgent: true)
  }

  private func start(_ choice: SoundChoice) {
    guard var starting = current else { return }
    starting.choice = choice
    current = starting
    let order = OutputDeck.Order(
      sound: choice.sound, gain: settings.volume * starting.volume, deadline: starting.deadline,
      fade: starting.fade)
    if let end = deck.play(order, on: settings.outputs(of: starting.name.app.text)) {
      current = nil
      finish(starting, end, SystemClock.now())
    }
  }

  private func stop(_ job: Int) {
    guard let shutdown = current, shutdown.job == job else { return }
    deck.stop()
    if shutdown.choice == nil {
      // Its file never came: nothing plays yet.
      current = nil
      finish(shutdown, .stopped, SystemClock.now())
    }
  }

  /// Looks after what may never come back: the disk and ALSA.
  private func watch() {
    let now = SystemClock.elapsed()
    if let watched = current, watched.choice == nil, now - watched.since > Self.loadLimit {
      let reason = "\(watched.name.name.text): the disk did not answer within 2 s"
      start(SoundResolver.builtInTone(because: reason))
    }
    do throws(SystemError) {
      let hung = try deck.leaveHung(at: now)
      for device in hung.devices {
        link.send(.log(.error, "device \(device) hangs; it is left out until the speaker restarts"))
      }
      guard let end = hung.end, let watched = current else { return }
      current = nil
      finish(watched, end, SystemClock.now())
    } catch {
      link.send(.log(.error, "the speaker cannot go on: \(error.text)"))
      Process.exit(1)
    }
  }

  /// Keeps those awake that have something to play soon, and lets the others rest (E11).
  private func lookAfterOutputs() {
    let now = SystemClock.now()
    wakes.prune(at: now.real)
    // What waits for its file takes the outputs as they are.
    if let current, current.choice == nil { return }
    for output in settings.wakingOutputs where !deck.isBusy(output) {
      let next = wakes.next(within: output.wake, at: now.real) { entry in
        settings.outputs(of: entry.app).contains { $0.isNamed(output.name) }
      }
      guard let next else {
        deck.rest(output)
        continue
      }
      guard let known = choice(Name(app: next.app, name: next.name)) else { continue }
      deck.keepAwake(
        output, for: next.occurrence, known.choice.sound,
        due: now.elapsed + next.due.nanoseconds(since: now.real))
    }
  }
}
