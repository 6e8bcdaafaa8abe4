import BelfrySystem

#if BELFRY_BREAKABLE
  import BelfryDaemonBreakable
  import CFaultVFS
#else
  import BelfryDaemon
#endif

@main
struct DaemonProgram {
  static func main() {
    #if BELFRY_BREAKABLE
      _ = cfault_start_from_environment()
    #endif
    Process.exit(BelfryDaemon.run(Arguments.all))
  }
}
