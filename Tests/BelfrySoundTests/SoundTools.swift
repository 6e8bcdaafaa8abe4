import Foundation
import Testing

@testable import BelfrySound

/// A folder of its own for a test, removed with it.
final class Scratch {
  let path: String

  init() {
    path = NSTemporaryDirectory() + "/belfry-sound-" + UUID().uuidString
    try! FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  func file(_ name: String) -> String { path + "/" + name }

  /// Writes bytes and gives the path.
  func write(_ name: String, _ bytes: [UInt8]) -> String {
    try! Data(bytes).write(to: URL(fileURLWithPath: file(name)))
    return file(name)
  }
}

/// What a program came to.
struct Run {
  var status: Int32
  var output: Data
  var errors: String
  var seconds: Double

  var text: String { String(decoding: output, as: UTF8.self) }
}

/// Runs a program found through PATH, or at a path, to its end.
func run(_ words: [String], environment: [String: String] = [:]) throws -> Run {
  let process = Foundation.Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = words
  process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
  let output = Pipe()
  let errors = Pipe()
  process.standardInput = FileHandle.nullDevice
  process.standardOutput = output
  process.standardError = errors
  let start = Date()
  // What a program says on its error output is short: it cannot fill the pipe while the other is
  // read.
  try process.run()
  let data = output.fileHandleForReading.readDataToEndOfFile()
  let complaint = errors.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return Run(
    status: process.terminationStatus, output: data,
    errors: String(decoding: complaint, as: UTF8.self), seconds: Date().timeIntervalSince(start))
}

/// What this thread has read so far, of any file (proc_pid_io(5)).
func bytesRead() throws -> Int {
  let lines = try String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8)
  let line = try #require(lines.split(separator: "\n").first { $0.hasPrefix("rchar: ") })
  return try #require(Int(line.dropFirst(7)))
}

/// The checkout's root.
let checkout = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent().path

/// The built program, which lies beside the test bundle.
let speakerProgram: String = {
  let folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    .deletingLastPathComponent().path
  let beside = folder + "/belfry-speaker"
  if FileManager.default.isExecutableFile(atPath: beside) { return beside }
  return checkout + "/.build/debug/belfry-speaker"
}()

/// A sound to make by ffmpeg: noise and tones, so that no two samples agree by chance.
struct WantedSound {
  var path: String
  var codec: String
  var rate: Int
  var channels: Int
  var seconds = 0.4
  var more: [String] = []

  fileprivate var source: String {
    let layout =
      channels == 1
      ? "0.6*sin(440*2*PI*t)+0.3*random(0)"
      : (0..<channels).map {
        "0.6*sin(\(300 + 170 * $0)*2*PI*t)+0.3*random(\($0))"
      }.joined(separator: "|")
    return "aevalsrc=\(layout):s=\(rate):d=\(seconds)"
  }
}

func makeSound(
  _ path: String, codec: String, rate: Int, channels: Int, seconds: Double = 0.4,
  more: [String] = []
) throws {
  try makeSounds([
    WantedSound(
      path: path, codec: codec, rate: rate, channels: channels, seconds: seconds, more: more)
  ])
}

/// All by one process, whose start is most of what it costs.
func makeSounds(_ sounds: [WantedSound]) throws {
  let inputs = sounds.flatMap { ["-f", "lavfi", "-i", $0.source] }
  let outputs = sounds.enumerated().flatMap {
    ["-map", "\($0):a", "-c:a", $1.codec] + $1.more + [$1.path]
  }
  let made = try run(["ffmpeg", "-v", "error", "-y"] + inputs + outputs)
  try #require(made.status == 0, "ffmpeg: \(made.errors)")
}

/// What ffmpeg decodes, as numbers from -1 to 1.
func decodedByFFmpeg(_ path: String) throws -> [Double] {
  let scratch = Scratch()
  return try decodedByFFmpeg([path], scratch)[0]
}

/// The same of several files, by one process.
func decodedByFFmpeg(_ paths: [String], _ scratch: Scratch) throws -> [[Double]] {
  let names = paths.indices.map { scratch.file("\($0).f64") }
  let inputs = paths.flatMap { ["-i", $0] }
  let outputs = names.enumerated().flatMap {
    ["-map", "\($0):a", "-f", "f64le", "-c:a", "pcm_f64le", $1]
  }
  let run = try run(["ffmpeg", "-v", "error", "-y"] + inputs + outputs)
  try #require(run.status == 0, "ffmpeg: \(run.errors)")
  return try names.map { doubles(try Data(contentsOf: URL(fileURLWithPath: $0))) }
}

/// What sox decodes.
func decodedBySox(_ path: String) throws -> [Double] {
  let run = try run(["sox", "-D", path, "-t", "f64", "-"])
  try #require(run.status == 0, "sox: \(run.errors)")
  return doubles(run.output)
}

func doubles(_ data: Data) -> [Double] {
  data.withUnsafeBytes { raw in
    (0..<raw.count / 8).map { raw.loadUnaligned(fromByteOffset: $0 * 8, as: Double.self) }
  }
}

/// What Belfry decodes, in pieces of an odd size.
func decoded(_ sound: SoundFile) throws -> [Double] {
  let decoder = try sound.decoder()
  var all: [Double] = []
  var piece = [Double](repeating: 0, count: 777 * sound.channels)
  while true {
    let frames = try piece.withUnsafeMutableBufferPointer { try decoder.read(into: $0) }
    if frames == 0 { return all }
    all += piece[..<(frames * sound.channels)]
  }
}

/// Samples of one kind as little-endian bytes.
func little<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
  withUnsafeBytes(of: value.littleEndian) { Array($0) }
}

/// A WAV file written by hand, whose claims need not be true.
struct LyingWAV {
  var format: UInt16 = 1
  var channels: UInt16 = 1
  var rate: UInt32 = 8000
  var bits: UInt16 = 16
  var samples: [UInt8] = (0..<8000).flatMap { little(Int16(truncatingIfNeeded: $0 &* 37)) }
  var dataSize: UInt32?
  var riffSize: UInt32?
  var after: [UInt8] = []

  var bytes: [UInt8] {
    let block = UInt16(truncatingIfNeeded: Int(channels) * Int(bits) / 8)
    var body: [UInt8] = Array("WAVEfmt ".utf8) + little(UInt32(16)) + little(format)
    body += little(channels) + little(rate) + little(rate &* UInt32(block)) + little(block)
    body += little(bits) + Array("data".utf8) + little(dataSize ?? UInt32(samples.count))
    body += samples + after
    return Array("RIFF".utf8) + little(riffSize ?? UInt32(body.count)) + body
  }
}
