import BelfrySystem
import BelfryWorker

@main
struct WorkerProgram {
  static func main() {
    // Without exit handlers: what a plugin registered may crash when it runs.
    Process.exit(WorkerCommand.run(Array(Arguments.all.dropFirst())))
  }
}
