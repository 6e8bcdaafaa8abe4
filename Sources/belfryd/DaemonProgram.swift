@main
struct DaemonProgram {
  static func main() {
  }
}
