import BelfrySystem

/// What `main` of belfry-worker calls; it does not return.
@c(belfry_worker_main)
public func runWorkerProgram() {
  // Without exit handlers: what a plugin registered may crash when it runs.
  Process.exit(WorkerCommand.run(Array(Arguments.all.dropFirst())))
}
