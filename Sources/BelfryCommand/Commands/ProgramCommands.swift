/// Commands that one of the other programs carries out, without a daemon.
enum ProgramCommands {
  static func soundCheck(_ context: CommandContext) throws(CommandError) {
    try become("belfry-speaker", "--check", context)
  }

  static func soundPlay(_ context: CommandContext) throws(CommandError) {
    try become("belfry-speaker", "--play", context)
  }

  static func pluginCheck(_ context: CommandContext) throws(CommandError) {
    try become("belfry-worker", "--check", context)
  }

  private static func become(
    _ program: String, _ task: String, _ context: CommandContext
  ) throws(CommandError) {
    var flags = context.json ? ["--json"] : []
    for setting in context.given.values(.set) { flags += ["--set", setting] }
    try Installation.here().become(program, [task, context.given.operands[0]] + flags)
  }
}
