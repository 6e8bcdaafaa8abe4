import BelfryCore
import BelfrySystem
import Foundation
import Testing

@testable import BelfryCommand

extension CommandLines {
  struct CalendarWorkerTests {
    /// Where `swift test` has put the programs.
    static let products: String = {
      let candidates = [try? Files.readLink("/proc/self/exe")] + CommandLine.arguments
      for candidate in candidates.compactMap({ $0 }) {
        let folder = Files.parent(of: candidate)
        if Files.may(folder + "/belfry-worker", 1) { return folder }
      }
      return FileManager.default.currentDirectoryPath + "/.build/debug"
    }()

    private let question = CalendarQuestion(
      calendar: "hebrew", anchorDay: 20_884, unit: .year, count: 3)

    private func ask(_ folder: String) throws -> CalendarDays {
      let worker = try CalendarWorker.start("hebrew", Installation(folders: [folder]))
      return try worker.ask(question)
    }

    /// A folder with the worker and a plugin of that file.
    private func installation(_ plugin: String?) throws -> String {
      let folder = FileManager.default.temporaryDirectory.path + "/belfry-calendar-\(UUID())"
      try Files.makeFolder(folder, mode: 0o700)
      let worker = Self.products + "/belfry-worker"
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/belfry-worker", withDestinationPath: worker)
      guard let plugin else { return folder }
      let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path
      let child = try Child.spawn(
        "/usr/bin/cc",
        arguments: [
          "cc", "-shared", "-fPIC", "-I", root + "/CInterop/CPlugin/include", "-o",
          folder + "/libbelfry-calendars.so", root + "/Tests/Fixtures/Plugins/\(plugin).c",
        ], environment: Environment.all, descriptors: [(1, 1), (2, 2)])
      try #require(try child.reap(wait: true) == .exited(0))
      return folder
    }

    @Test func N6_daysOfTheInstalledPlugin() throws {
      let days = try ask(Self.products).days
      #expect(days.map { $0.k } == [0, 1, 2])
      #expect(days[0].day == 20_884)
      #expect(350...385 ~= days[1].day - days[0].day)
    }

    @Test func N6_withoutThePluginItSaysWhatToInstall() throws {
      let folder = try installation(nil)
      defer { try? Files.removeTree(folder) }
      let error = try #require(throws: CommandError.self) { try ask(folder) }
      #expect(error.status == .refused)
      #expect(error.message == "--calendar: " + FieldError.needsPlugin(calendar: "hebrew"))
    }

    @Test(
      arguments: [
        ("calendar_refuses", "the almanac is lost"),
        ("calendar_crashes", "ended without an answer"),
        ("calendar_descends", "do not ascend"), ("wrong_abi", "ABI 99.0"),
      ])
    func N6_aBrokenPluginIsARefusal(_ plugin: String, _ words: String) throws {
      let folder = try installation(plugin)
      defer { try? Files.removeTree(folder) }
      let error = try #require(throws: CommandError.self) { try ask(folder) }
      #expect(error.status == .refused)
      #expect(error.message.contains(words), "\(error.message)")
    }
  }
}
