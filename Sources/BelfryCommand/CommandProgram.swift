import BelfrySystem

/// What `main` of belfry calls; it does not return.
@c(belfry_main)
public func runCommandProgram() {
  Process.exit(
    CommandLineTool.run(Array(Arguments.all.dropFirst()), malformed: Arguments.firstMalformed))
}
