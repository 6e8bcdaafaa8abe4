import BelfryCore
import BelfrySystem

/// What `main` of belfry-speaker calls; it does not return.
@c(belfry_speaker_main)
public func runSpeakerProgram() {
  let words = Array(Arguments.all.dropFirst())
  if !words.isEmpty {
    try? Process.giveUpNewPrivileges()
    Process.exit(SpeakerCommand.run(words))
  }
  do throws(SystemError) {
    try speak()
  } catch {
    Output.errorLine("belfry-speaker: \(error.text)")
    Process.exit(error.code == SystemError.badDescriptor ? SpeakerCommand.run([]) : 1)
  }
  // Threads that hang inside ALSA cannot be joined.
  Process.exit(0)
}

/// As a child of the clock: confined before it reads any file of a user's.
private func speak() throws(SystemError) {
  Sandbox.worsenOOMScore(to: 300)
  let clock = Sandbox.threads(of: Process.parent)
  let us = Process.uid
  let identity = Child.Identity.taken()
  let isOther = identity.map { $0.uid != us } ?? false
  let folder = isOther ? RunFolder.inherited() : nil
  try Sandbox.become(identity)
  try Process.giveUpNewPrivileges()
  // A clock that is killed takes its speaker along: no sound is left playing.
  try Process.dieWithParent(clock[0])
  try Process.setLimit(.core, 0)
  if let missing = Sandbox.filter(sparing: clock, isAlone: isOther) {
    Output.errorLine("belfry-speaker: \(missing)")
  }
  try Speaker(isOther: isOther, folder: folder).run()
}
