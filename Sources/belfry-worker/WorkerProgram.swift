@main
struct WorkerProgram {
  static func main() {
  }
}
