@main
struct SpeakerProgram {
  static func main() {
  }
}
