import BelfrySound

/// The three containers and every codec behind them: what is understood decodes to the length that
/// was promised, in bounded time, or ends early with an error.
@c(LLVMFuzzerTestOneInput)
func soundOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: bytes, count: count))
  // libsndfile's formats are its own to fuzz.
  guard let first = input.first, [0x52, 0x42, 0x46, 0x63].contains(first) else { return 0 }
  guard let sound = try? SoundFile(SoundSource(bytes: input)), !sound.isTooLong else { return 0 }
  precondition(sound.frames > 0 && (1...8).contains(sound.channels))
  guard let decoder = try? sound.decoder() else { return 0 }
  var piece = [Double](repeating: 0, count: 999 * sound.channels)
  var frames: Int64 = 0
  while true {
    let got = piece.withUnsafeMutableBufferPointer { (try? decoder.read(into: $0)) ?? 0 }
    if got == 0 { break }
    frames += Int64(got)
    precondition(piece[..<(got * sound.channels)].allSatisfy { $0.isFinite })
  }
  precondition(frames == sound.frames, "\(frames) of \(sound.frames) frames decoded")
  return 0
}

/// libFuzzer's own main loop (its header FuzzerInterface.h).
@_extern(c, "LLVMFuzzerRunDriver")
func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
  _ target: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// SwiftPM's name for the program's entry.
@c(FuzzSound_main)
func run(
  _ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  var (count, arguments) = (count, arguments)
  return runFuzzer(&count, &arguments, soundOneInput)
}
