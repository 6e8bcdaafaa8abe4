import Foundation
import Testing

/// ALSA devices of a test: a configuration of its own and what each device was given.
final class TestDevices {
  /// The plugin of Tests/Fixtures, built once.
  static let plugin: String = {
    let made = NSTemporaryDirectory() + "/belfry-pcm-\(getpid()).so"
    let source = checkout + "/Tests/Fixtures/belfry_pcm.c"
    let built = try? run(
      ["cc", "-shared", "-fPIC", "-DPIC", "-Wall", "-Wextra", "-Werror", "-o", made, source]
        + ["-lasound"])
    precondition(built?.status == 0, "the test device does not build: \(built?.errors ?? "")")
    atexit { unlink(NSTemporaryDirectory() + "/belfry-pcm-\(getpid()).so") }
    return made
  }()

  /// The library of Tests/Fixtures that refuses what a device is asked to buffer, built once.
  static let refuser: String = {
    let made = NSTemporaryDirectory() + "/belfry-refuser-\(getpid()).so"
    let source = checkout + "/Tests/Fixtures/refuses_times.c"
    let built = try? run(
      [
        "cc", "-D_GNU_SOURCE", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "-o", made,
        source,
      ])
    precondition(built?.status == 0, "the refuser does not build: \(built?.errors ?? "")")
    atexit { unlink(NSTemporaryDirectory() + "/belfry-refuser-\(getpid()).so") }
    return made
  }()

  let scratch = Scratch()
  private let configuration: String

  init() {
    configuration = scratch.file("asound.conf")
    var text = "pcm_type.belfry { lib \"\(Self.plugin)\" }\n"
    text +=
      "pcm.capture { type file slave.pcm { type null } file \"\(scratch.file("capture"))\""
      + " format raw }\n"
    // As what most boards call `default`: it takes any number of channels, and makes them so many.
    for channels in [1, 2, 3, 4, 6] {
      text +=
        "pcm.plug\(channels) { type plug slave { channels \(channels) pcm { type file slave.pcm "
        + "{ type null } file \"\(scratch.file("plug\(channels)"))\" format raw } } }\n"
    }
    // Opening this one waits for a reader for ever.
    mkfifo(scratch.file("fifo"), 0o600)
    text +=
      "pcm.fifo { type file slave.pcm { type null } file \"\(scratch.file("fifo"))\""
      + " format raw }\n"
    for (name, fault, after) in [
      ("good", "none", 0), ("other", "none", 0), ("busy", "busy", 4), ("always", "busy", 1_000_000),
      ("xrun", "xrun", 20_000), ("suspend", "suspend", 20_000), ("sleep", "sleep", 20_000),
      ("lost", "lost", 20_000), ("hang", "hang", 20_000),
    ] {
      text +=
        "pcm.\(name) { type belfry log \"\(scratch.file(name))\" fault \(fault) after \(after) }\n"
    }
    for channels in 1...8 {
      text +=
        "pcm.exactly\(channels) { type belfry log \"\(scratch.file("exactly\(channels)"))\" "
        + "channels \(channels) }\n"
    }
    text += "pcm.cd { type belfry log \"\(scratch.file("cd"))\" rate 44100 channels 2 }\n"
    text += "pcm.slow { type belfry log \"\(scratch.file("slow"))\" rate 8000 channels 1 }\n"
    _ = scratch.write("asound.conf", Array(text.utf8))
  }

  var environment: [String: String] { ["ALSA_CONFIG_PATH": configuration] }

  /// The bytes that a device was given.
  func played(_ device: String) -> [UInt8] {
    [UInt8]((try? Data(contentsOf: URL(fileURLWithPath: scratch.file(device)))) ?? Data())
  }

  func play(_ file: String, _ devices: String...) throws -> Run {
    try run(
      [speakerProgram, "--play", file] + devices.flatMap { ["--device", $0] },
      environment: environment)
  }
}
