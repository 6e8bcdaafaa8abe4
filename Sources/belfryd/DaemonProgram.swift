import BelfryDaemon
import BelfrySystem

#if BELFRY_TEST_BUILD
  import CFaultVFS
#endif

@main
struct DaemonProgram {
  static func main() {
    #if BELFRY_TEST_BUILD
      _ = cfault_start_from_environment()
    #endif
    Process.exit(BelfryDaemon.run(Arguments.all))
  }
}
