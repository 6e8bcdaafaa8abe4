// swift-tools-version: 6.2
import Foundation
import PackageDescription

// Variables that choose what is built; "Building lean" and "Variables" in Tests/README.md say more.
// - BELFRY_LEAN=1: the same sources as Embedded Swift, in a --scratch-path of its own; BELFRY_MUSL=1
//   beside it: for a board whose C library is musl, where what loads nothing is linked statically.
// - BELFRY_FUZZ=1: the fuzz targets alone; BELFRY_QUICK=1: the modules that tests wait for, optimised.
// - BELFRY_TEST_BUILD=1: also belfryd-breakable, which tests break; BELFRY_BENCHMARKS=1: benchmarks.
// - BELFRY_TESTS="Core Daemon": their tests only, and Swift's apps only if one is theirs; or "none".
let environment = Context.environment
let lean = environment["BELFRY_LEAN"] == "1"
let musl = environment["BELFRY_MUSL"] == "1"
let fuzz = environment["BELFRY_FUZZ"] == "1"
let testBuild = environment["BELFRY_TEST_BUILD"] == "1"
let benchmarks = environment["BELFRY_BENCHMARKS"] == "1"
let chosenTests = environment["BELFRY_TESTS"]?.split(separator: " ").map(String.init)
let forApps = !lean && !fuzz && (chosenTests?.contains { $0.hasSuffix("Kit") } ?? true)

// MARK: Settings

/// The Unicode tables of Embedded Swift, which its linker does not look for by itself.
func unicodeTables() -> String {
  if let given = environment["BELFRY_TABLES"] { return given }
  for folder in (environment["PATH"] ?? "").split(separator: ":") {
    let swift = URL(fileURLWithPath: folder + "/swift").resolvingSymlinksInPath()
    let root = swift.deletingLastPathComponent().deletingLastPathComponent()
    let triple = environment["BELFRY_TRIPLE"] ?? "x86_64-unknown-linux-gnu"
    let tables = root.path + "/lib/swift/embedded/\(triple)/libswiftUnicodeDataTables.a"
    if FileManager.default.fileExists(atPath: tables) { return tables }
  }
  return "libswiftUnicodeDataTables.a"
}

let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny"),
]
/// Array literals stay in their functions. As globals they are numbered anew wherever a function is
/// compiled once more, and the linker then joins code with another's arrays (Swift 6.3.1: the fields
/// of `Schedule` were those of `Test`).
let arraysInPlace = ["-Xllvm", "-sil-disable-pass=object-outliner"]
let leanSwift: [SwiftSetting] = [
  .enableExperimentalFeature("Embedded"), .define("BELFRY_LEAN"), .unsafeFlags(arraysInPlace),
  // A section a function, so that the linker drops what a program does not use.
  .unsafeFlags([
    "-wmo", environment["BELFRY_OPT"] ?? "-Osize", "-Xfrontend", "-function-sections",
    // Bitcode instead of machine code: the linker compiles each program as a whole, so that what one
    // does not use of a module leaves it, tables and metadata included.
    "-Xfrontend", "-emit-bc", "-Xfrontend", "-lto=llvm-full",
    // Nothing here unwinds.
    "-Xcc", "-fno-asynchronous-unwind-tables",
  ]),
]
let swift =
  strict + (lean ? leanSwift : []) + (fuzz ? [.unsafeFlags(["-sanitize=fuzzer,address"])] : [])
let quick = environment["BELFRY_QUICK"] == "1" && !lean
let optimised: [SwiftSetting] = quick ? [.unsafeFlags(["-O"] + arraysInPlace)] : []
let leanC = ["-Os", "-ffunction-sections", "-fdata-sections", "-fno-asynchronous-unwind-tables"]
let c: [CSetting] =
  [.treatAllWarnings(as: .error), .enableWarning("all"), .enableWarning("extra")]
  + (lean ? [.unsafeFlags(leanC)] : [])

func link(_ more: [String] = []) -> [LinkerSetting] {
  guard lean else { return [] }
  let words = [
    "--gc-sections", "-lm", unicodeTables(),
    // Equal functions once; relative relocations in two bits a word, which musl reads from 1.2.4 on.
    "--icf=all", "-z", musl ? "nopack-relative-relocs" : "pack-relative-relocs",
  ]
  // What the linker itself calls (128-bit division) comes from libgcc.a: a board may lack libgcc_s.
  let own =
    ["-enable-experimental-feature", "Embedded", "-use-ld=lld", "-Xclang-linker", "-static-libgcc"]
  return [.unsafeFlags(own + words.flatMap { ["-Xlinker", $0] } + more)]
}
let statically = link(["-Xclang-linker", "-static"])
/// For the programs that are to be small rather than quick: what a function repeats becomes one.
let small = link([
  "-Xlinker", "-mllvm", "-Xlinker", "-enable-machine-outliner=always",
  "-Xlinker", "-mllvm", "-Xlinker", "-inline-threshold=0",
])
let alone = musl ? small + statically : small
let oneSymbol: [LinkerSetting] = [
  .unsafeFlags(["-Xlinker", "--version-script=\(Context.packageDirectory)/plugins/plugin.map"])
]

// MARK: Kinds of target

typealias Needs = [Target.Dependency]
func shim(_ name: String, in folder: String = "CInterop", _ needs: Needs = []) -> Target {
  .target(name: name, dependencies: needs, path: "\(folder)/\(name)", cSettings: c)
}

func systemLibrary(_ name: String, _ config: String, _ package: String) -> Target {
  .systemLibrary(
    name: name, path: "CInterop/\(name)", pkgConfig: config, providers: [.apt([package])])
}

func module(
  _ name: String, _ needs: Needs, in folder: String = "Sources",
  exclude: [String] = [], settings: [SwiftSetting] = [], linker: [LinkerSetting] = []
) -> Target {
  .target(
    name: name, dependencies: needs, path: "\(folder)/\(name)", exclude: exclude,
    swiftSettings: swift + settings, linkerSettings: linker)
}

func program(
  _ name: String, _ needs: Needs, in folder: String = "Sources",
  settings: [SwiftSetting] = [], linker: [LinkerSetting]
) -> Target {
  .executableTarget(
    name: name, dependencies: needs, path: "\(folder)/\(name)", swiftSettings: swift + settings,
    linkerSettings: linker)
}

/// A program whose main is in C: one in Swift compiles all that it imports once more.
func entry(
  _ name: String, _ needs: Needs, in folder: String = "Sources", link: [LinkerSetting]
) -> Target {
  .executableTarget(
    name: name, dependencies: needs, path: "\(folder)/\(name)", cSettings: c, linkerSettings: link)
}

/// A plugin in C; lean, it must not draw in the Swift runtime.
func plugin(_ name: String, _ needs: Needs = []) -> Target {
  .target(
    name: name, dependencies: ["CPlugin"] + needs, path: "plugins/\(name)", publicHeadersPath: ".",
    cSettings: c,
    linkerSettings: oneSymbol
      + (lean ? [.unsafeFlags(["-enable-experimental-feature", "Embedded"])] : []))
}

/// What runs on an app's side: ordinary Swift, in no lean build.
func appModule(_ name: String, _ needs: Needs, path: String? = nil) -> Target {
  .target(name: name, dependencies: needs, path: path, swiftSettings: strict)
}

func appProgram(
  _ name: String, _ needs: Needs, in folder: String,
  settings: [SwiftSetting] = strict
) -> Target {
  .executableTarget(
    name: name, dependencies: needs, path: "\(folder)/\(name)", swiftSettings: settings)
}

// MARK: Targets

let clockNeeds: Needs = ["BelfryCore", "BelfryWire", "BelfrySystem", "BelfryStore", "BelfryServer"]
/// What stands in for a part of Embedded Swift that is at fault.
let runtime: Needs = lean ? ["CSwiftRuntime"] : []
let board: [Target] = [
  // Floor 0: C.
  shim("CInterface"), shim("CLinux"), shim("CLoader"), shim("CPlugin"), shim("CTerminal"),
  shim("CSlimSQLite"), shim("CSwiftRuntime"),
  systemLibrary("CSQLite", "sqlite3", "libsqlite3-dev"),
  systemLibrary("CALSA", "alsa", "libasound2-dev"),
  systemLibrary("CICU", "icu-i18n", "libicu-dev"),
  // Floor 1: pure. Optimised arithmetic may call libm (`fma`), which nothing here imports.
  module("BelfryCore", runtime, settings: optimised, linker: lean ? [] : [.linkedLibrary("m")]),
  // Floor 2: bytes, and Linux.
  module(
    "BelfryWire", ["BelfryCore", "CInterface"],
    exclude: [
      "Push/README.md", "Varlink/io.belfry.Scheduler.varlink",
      "Varlink/org.varlink.service.varlink",
    ]),
  module("BelfrySystem", ["BelfryCore", "CLinux"]),
  // Floor 3: one edge of the world each.
  module(
    "BelfryStore", ["BelfryCore", "BelfryWire", "BelfrySystem", "CSQLite"], settings: optimised),
  module(
    "BelfrySound", ["BelfryCore", "BelfryWire", "BelfrySystem", "CALSA", "CLoader"],
    exclude: ["Resources"]),
  module(
    "BelfryWorker", ["BelfryCore", "BelfryWire", "BelfrySystem", "CPlugin", "CLoader", "CLinux"]),
  module("BelfryServer", ["BelfryCore", "BelfryWire", "BelfrySystem"], exclude: ["README.md"]),
  module("BelfryClient", ["BelfryCore", "BelfryWire", "BelfrySystem"]),
  // Floor 4: composition roots.
  module("BelfryDaemon", clockNeeds, exclude: ["README.md"]),
  module("BelfryCommand", ["BelfryCore", "BelfryWire", "BelfrySystem", "BelfryClient"]),
  // Floor 5: programs.
  entry("belfryd", ["BelfryDaemon"] + (lean ? ["CSlimSQLite"] : []), link: statically),
  entry("belfry-worker", ["BelfryWorker"], link: small),
  entry("belfry-speaker", ["BelfrySound"], link: alone),
  entry("belfry", ["BelfryCommand"], link: alone),
  // Plugins: the C header and their own library, never a module of Belfry's.
  .target(
    name: "Console", dependencies: ["CPlugin", "CTerminal"] + runtime, path: "plugins/Console",
    swiftSettings: swift, linkerSettings: link() + oneSymbol),
  plugin("Exec"), plugin("PushFile"),
]
/// Debian has no ICU for musl.
let calendars = musl ? [] : [plugin("Calendars", ["CICU"])]

let apps: [Target] = [
  appModule("BelfryKit", ["BelfryCore", "BelfryWire", "BelfrySystem", "BelfryClient"]),
  appModule("BelfryUIKit", ["BelfryKit"]),
  appModule("BelfryCloudKit", ["BelfryCore", "BelfryWire", "BelfryKit"]),
  // What an app's processes tell each other through the daemon, in the tests.
  appModule("KitSamples", ["BelfryKit"], path: "Tests/Fixtures/KitSamples"),
  appProgram("KitProbe", ["KitSamples"], in: "Tests/Fixtures"),
  appProgram("UIKitTraps", ["BelfryUIKit"], in: "Tests/Fixtures"),
  appProgram("AlarmClock", ["BelfryUIKit"], in: "Tests/Examples"),
  appProgram("SchoolBell", ["BelfryKit"], in: "Tests/Examples"),
  appProgram("MedicationReminder", ["BelfryKit"], in: "Tests/Examples"),
  appProgram("ListApp", ["BelfryUIKit", "BelfryCloudKit"], in: "Tests/Examples"),
  // Programs of their time: what is deprecated today is what they are there to use.
  .executableTarget(
    name: "UIKitSamples", dependencies: ["BelfryUIKit", "BelfryCloudKit"],
    path: "Tests/Examples/UIKit",
    swiftSettings: [
      .swiftLanguageMode(.v5), .treatAllWarnings(as: .error),
      .treatWarning("DeprecatedDeclaration", as: .warning),
    ]),
]

/// The unit tests of each module, and what they need beside it and TestSupport.
let unitTests: KeyValuePairs<String, Needs> = [
  "BelfryCore": ["SchedulerFixtures"], "BelfryWire": [], "BelfrySystem": [],
  "BelfryStore": ["CFaultVFS", "CSQLite", "SchedulerFixtures"], "BelfrySound": [],
  "BelfryWorker": [], "BelfryServer": [], "BelfryClient": [], "BelfryDaemon": [],
  "BelfryCommand": [], "BelfryKit": ["KitSamples"], "BelfryUIKit": [], "BelfryCloudKit": [],
]

func isTested(_ module: String) -> Bool {
  !lean && (chosenTests?.contains { module == $0 || module == "Belfry" + $0 } ?? true)
}
let tests: [Target] =
  unitTests.filter { isTested($0.key) }.map { module, more in
    .testTarget(
      name: module + "Tests", dependencies: [.target(name: module), "TestSupport"] + more,
      swiftSettings: strict)
  }
  // Whole lives of a board, by the pure core, with a store in memory or a real one.
  + (isTested("Simulation")
    ? [
      .testTarget(
        name: "SimulationTests",
        dependencies: ["BelfryCore", "BelfryStore", "CSQLite", "SchedulerFixtures"],
        swiftSettings: strict)
    ] : [])
let fixtures =
  (tests.isEmpty
    ? []
    : [
      appModule("SchedulerFixtures", ["BelfryCore"], path: "Tests/Fixtures/SchedulerFixtures"),
      appModule("TestSupport", ["BelfrySystem"], path: "Tests/Fixtures/TestSupport"),
    ])
  + (tests.isEmpty && !testBuild ? [] : [shim("CFaultVFS", in: "Tests/Fixtures", ["CSQLite"])])

/// The clock once more, by links to its sources: with failpoints, a disk that fails, time by steps.
let breakable: [Target] = [
  shim("CSteppedClock", in: "Tests/Fixtures"),
  module(
    "BelfryDaemonBreakable", clockNeeds, in: "Tests/Fixtures/Breakable", exclude: ["README.md"],
    settings: [.define("BELFRY_BREAKABLE")]),
  entry(
    "belfryd-breakable",
    ["BelfryDaemonBreakable", "CFaultVFS", "CSteppedClock"] + (lean ? ["CSlimSQLite"] : []),
    in: "Tests/Fixtures/Breakable", link: statically),
]

let measured: [Target] =
  [("Store", "BelfryStore"), ("Rule", "BelfrySystem"), ("Scheduler", "BelfrySystem")].map {
    program(
      $0 + "Benchmark", [.init(stringLiteral: $1)], in: "Tests/Benchmarks", linker: statically)
  }
  + (forApps
    ? ["Kit", "UIKit"].map {
      appProgram(
        $0 + "Benchmark", [.init(stringLiteral: "Belfry" + $0)], in: "Tests/Benchmarks")
    } : [])

/// Folders of Tests/Fuzz, behind `Fuzz`: a program for each parser of outside input.
let fuzzed = [
  "Days", "INI", "JSON", "Names", "Notification", "Push", "Rule", "Sound", "Strings", "Text",
  "TZif", "Varlink", "Work", "WorkerMessages",
]
/// Nothing but these links the sanitizers in a fuzz build.
let readers = [
  "CInterface", "CLinux", "CLoader", "CALSA", "BelfryCore", "BelfryWire", "BelfrySystem",
  "BelfrySound",
]
let fuzzTargets =
  board.filter { readers.contains($0.name) }
  + fuzzed.map {
    program(
      "Fuzz" + $0, ["BelfryCore", "BelfryWire"] + ($0 == "Sound" ? ["BelfrySound"] : []),
      in: "Tests/Fuzz",
      settings: [.enableExperimentalFeature("Extern"), .unsafeFlags(["-parse-as-library"])],
      linker: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])])
  }

// MARK: The package

let plugins: [Product] = (["Console", "Exec", "PushFile"] + (musl ? [] : ["Calendars"])).map {
  .library(name: "belfry-" + $0.lowercased(), type: .dynamic, targets: [$0])
}
let libraries: [Product] = ["BelfryKit", "BelfryUIKit", "BelfryCloudKit"].map {
  .library(name: $0, targets: [$0])
}

let package = Package(
  name: "belfry",
  products: fuzz ? [] : plugins + (forApps ? libraries : []),
  targets: fuzz
    ? fuzzTargets
    : board + calendars + (forApps ? apps : []) + tests + fixtures + (testBuild ? breakable : [])
      + (benchmarks ? measured : []))
