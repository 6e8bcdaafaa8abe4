import BelfrySystem

/// What `main` of belfryd calls; it does not return.
@c(belfryd_main)
public func runDaemonProgram() {
  Process.exit(BelfryDaemon.run(Arguments.all))
}
