import BelfryCommand
import BelfrySystem

@main
struct CommandProgram {
  static func main() {
    Process.exit(
      CommandLineTool.run(
        Array(Arguments.all.dropFirst()), malformed: Arguments.firstMalformed))
  }
}
