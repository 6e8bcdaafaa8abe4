@main
struct CommandProgram {
  static func main() {
  }
}
