import BelfryCore
import BelfrySound
import BelfrySystem

@main
struct SpeakerProgram {
  static func main() {
    try? Process.giveUpNewPrivileges()
    let words = Array(Arguments.all.dropFirst())
    if !words.isEmpty { Process.exit(SpeakerCommand.run(words)) }
    // A clock that is killed takes its speaker along: no sound is left playing.
    do throws(SystemError) {
      try Process.dieWithParent(Process.parent)
      try Process.setLimit(.core, 0)
      try Speaker().run()
    } catch {
      Output.errorLine("belfry-speaker: \(error.text)")
      Process.exit(error.code == SystemError.badDescriptor ? SpeakerCommand.run([]) : 1)
    }
    // Threads that hang inside ALSA cannot be joined.
    Process.exit(0)
  }
}
