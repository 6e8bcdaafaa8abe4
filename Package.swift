// swift-tools-version: 6.2
import Foundation
import PackageDescription

// BELFRY_LEAN=1 compiles the same sources as Embedded Swift ("Building lean" in Tests/README.md).
// Give that build a --scratch-path of its own: the two kinds of object file cannot share one.
let environment = Context.environment
let lean = environment["BELFRY_LEAN"] == "1"
let fuzz = environment["BELFRY_FUZZ"] == "1"
// BELFRY_TEST_BUILD=1: programs that a test can break on purpose (Tests/Fixtures/CFaultVFS).
let testBuild = environment["BELFRY_TEST_BUILD"] == "1"
let benchmarks = environment["BELFRY_BENCHMARKS"] == "1"
// BELFRY_TESTS="Core Daemon Simulation": only these modules' tests, and nothing for Swift apps unless
// one is theirs. For a quick round of edit and test, and for a sanitizer that looks at some modules.
let chosenTests = environment["BELFRY_TESTS"]?.split(separator: " ").map(String.init)
let forApps =
  !lean && !fuzz && (chosenTests.map { $0.contains { $0.hasSuffix("Kit") } } ?? true)
let pluginMap = Context.packageDirectory + "/plugins/plugin.map"

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
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
]
let swift: [SwiftSetting] =
  strict
  + (lean
    ? [
      .enableExperimentalFeature("Embedded"),
      .define("BELFRY_LEAN"),
      // A section a function, so that the linker drops what a program does not use.
      .unsafeFlags([
        "-wmo", environment["BELFRY_OPT"] ?? "-Osize", "-Xfrontend", "-function-sections",
        // Array literals stay in their functions. As globals they are numbered anew in every module
        // that compiles a function once more, and the linker then joins the code of one module
        // with another's arrays (Swift 6.3.1: `Schedule` was checked against `Test`'s fields).
        "-Xllvm", "-sil-disable-pass=object-outliner",
        // Bitcode instead of machine code: the linker compiles each program as a whole, so that
        // what one does not use of a module leaves it, tables and metadata included.
        "-Xfrontend", "-emit-bc", "-Xfrontend", "-lto=llvm-full",
        // Nothing here unwinds.
        "-Xcc", "-fno-asynchronous-unwind-tables",
      ]),
    ] : [])
  + (fuzz ? [.unsafeFlags(["-sanitize=fuzzer,address"])] : [])
let c: [CSetting] =
  [.treatAllWarnings(as: .error), .enableWarning("all"), .enableWarning("extra")]
  + (lean
    ? [
      .unsafeFlags([
        "-Os", "-ffunction-sections", "-fdata-sections", "-fno-asynchronous-unwind-tables",
      ])
    ] : [])

func link(_ more: [String] = []) -> [LinkerSetting] {
  guard lean else { return [] }
  let words = [
    "--gc-sections", "-lm", unicodeTables(),
    // Equal functions once; relative relocations in two bits a word (glibc 2.36, musl 1.2.4).
    "--icf=all", "-z", "pack-relative-relocs",
  ]
  // What the linker itself calls (128-bit division) comes from libgcc.a: a board may lack libgcc_s.
  let own = ["-use-ld=lld", "-Xclang-linker", "-static-libgcc"]
  return [.unsafeFlags(own + words.flatMap { ["-Xlinker", $0] } + more)]
}
/// For the programs that are to be small rather than quick: what a function repeats becomes one.
let small: [LinkerSetting] = link([
  "-Xlinker", "-mllvm", "-Xlinker", "-enable-machine-outliner=always",
  "-Xlinker", "-mllvm", "-Xlinker", "-inline-threshold=0",
])
let oneSymbol: [LinkerSetting] = [
  .unsafeFlags(["-Xlinker", "--version-script=\(pluginMap)"])
]

var targets: [Target] = [
  // Floor 0: C.
  .target(name: "CLinux", path: "CInterop/CLinux", cSettings: c),
  .target(name: "CLoader", path: "CInterop/CLoader", cSettings: c),
  .target(name: "CPlugin", path: "CInterop/CPlugin", cSettings: c),
  .target(name: "CTerminal", path: "CInterop/CTerminal", cSettings: c),
  .systemLibrary(
    name: "CSQLite", path: "CInterop/CSQLite", pkgConfig: "sqlite3",
    providers: [.apt(["libsqlite3-dev"])]),
  .target(name: "CSlimSQLite", path: "CInterop/CSlimSQLite", cSettings: c),
  .systemLibrary(
    name: "CALSA", path: "CInterop/CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]
  ),
  .systemLibrary(
    name: "CICU", path: "CInterop/CICU", pkgConfig: "icu-i18n", providers: [.apt(["libicu-dev"])]),
  // Floor 1: pure.
  // Optimised arithmetic may call libm (`fma`), which nothing here imports.
  .target(
    name: "BelfryCore", swiftSettings: swift, linkerSettings: lean ? [] : [.linkedLibrary("m")]),
  // Floor 2: bytes, and Linux.
  .target(
    name: "BelfryWire", dependencies: ["BelfryCore"],
    exclude: ["Push/README.md", "Varlink/io.belfry.Scheduler.varlink"], swiftSettings: swift),
  .target(name: "BelfrySystem", dependencies: ["BelfryCore", "CLinux"], swiftSettings: swift),
  // Floor 3: one edge of the world each.
  .target(
    name: "BelfryStore", dependencies: ["BelfryCore", "BelfryWire", "BelfrySystem", "CSQLite"],
    swiftSettings: swift),
  .target(
    name: "BelfrySound",
    dependencies: ["BelfryCore", "BelfryWire", "BelfrySystem", "CALSA", "CLoader"],
    exclude: ["Resources"], swiftSettings: swift),
  .target(
    name: "BelfryWorker",
    dependencies: ["BelfryCore", "BelfryWire", "BelfrySystem", "CPlugin", "CLoader", "CLinux"],
    swiftSettings: swift),
  .target(
    name: "BelfryServer", dependencies: ["BelfryCore", "BelfryWire", "BelfrySystem"],
    exclude: ["README.md"], swiftSettings: swift),
  .target(
    name: "BelfryClient", dependencies: ["BelfryCore", "BelfryWire", "BelfrySystem"],
    swiftSettings: swift),
  // Floor 4: composition roots.
  .target(
    name: "BelfryDaemon",
    dependencies: ["BelfryCore", "BelfryWire", "BelfrySystem", "BelfryStore", "BelfryServer"],
    exclude: ["README.md"],
    swiftSettings: swift + (testBuild ? [.define("BELFRY_FAILPOINTS")] : [])),
  .target(
    name: "BelfryCommand",
    dependencies: ["BelfryCore", "BelfryWire", "BelfrySystem", "BelfryClient"],
    swiftSettings: swift),
  // Floor 5: programs.
  .executableTarget(
    name: "belfryd",
    dependencies: ["BelfryDaemon", "BelfrySystem"] + (lean ? ["CSlimSQLite"] : [])
      + (testBuild ? ["CFaultVFS"] : []),
    swiftSettings: swift + (testBuild ? [.define("BELFRY_TEST_BUILD")] : []),
    linkerSettings: link(["-Xclang-linker", "-static"])),
  .executableTarget(
    name: "belfry-worker", dependencies: ["BelfryWorker"], swiftSettings: swift,
    linkerSettings: small),
  .executableTarget(
    name: "belfry-speaker", dependencies: ["BelfrySound"], swiftSettings: swift,
    linkerSettings: small),
  .executableTarget(
    name: "belfry", dependencies: ["BelfryCommand", "BelfrySystem"], swiftSettings: swift,
    linkerSettings: small),
  // Plugins: the C header and their own library, never a module of Belfry's.
  .target(
    name: "Console", dependencies: ["CPlugin", "CTerminal"], path: "plugins/Console",
    swiftSettings: swift,
    linkerSettings: link() + oneSymbol),
  .target(
    name: "Exec", dependencies: ["CPlugin"], path: "plugins/Exec", publicHeadersPath: ".",
    cSettings: c,
    linkerSettings: oneSymbol
      + (lean ? [.unsafeFlags(["-enable-experimental-feature", "Embedded"])] : [])),
  .target(
    name: "PushFile", dependencies: ["CPlugin"], path: "plugins/PushFile", publicHeadersPath: ".",
    cSettings: c,
    linkerSettings: oneSymbol
      + (lean ? [.unsafeFlags(["-enable-experimental-feature", "Embedded"])] : [])),
  .target(
    name: "Calendars", dependencies: ["CPlugin", "CICU"], path: "plugins/Calendars",
    publicHeadersPath: ".", cSettings: c,
    linkerSettings: oneSymbol
      + (lean ? [.unsafeFlags(["-enable-experimental-feature", "Embedded"])] : [])),
]

let tested = [
  "BelfryCore", "BelfryWire", "BelfrySystem", "BelfryStore", "BelfrySound", "BelfryWorker",
  "BelfryServer", "BelfryClient", "BelfryDaemon", "BelfryCommand", "BelfryKit", "BelfryUIKit",
  "BelfryCloudKit",
]
/// What a module's tests need beside the module.
let testSupport: [String: [Target.Dependency]] = [
  "BelfryCore": ["SchedulerFixtures"], "BelfryStore": ["CFaultVFS", "CSQLite"],
  "BelfryKit": ["KitSamples"], "BelfrySystem": ["TestSupport"], "BelfryClient": ["TestSupport"],
  "BelfryDaemon": ["TestSupport"],
]
if forApps {
  // For Swift apps; no part of a board's programs.
  targets += [
    .target(
      name: "BelfryKit",
      dependencies: ["BelfryCore", "BelfryWire", "BelfrySystem", "BelfryClient"],
      swiftSettings: strict),
    .target(name: "BelfryUIKit", dependencies: ["BelfryKit"], swiftSettings: strict),
    .target(
      name: "BelfryCloudKit", dependencies: ["BelfryCore", "BelfryWire", "BelfryKit"],
      swiftSettings: strict),
    // What an app's processes tell each other through the daemon, in the tests.
    .target(
      name: "KitSamples", dependencies: ["BelfryKit"], path: "Tests/Fixtures/KitSamples",
      swiftSettings: strict),
    .executableTarget(
      name: "KitProbe", dependencies: ["KitSamples"], path: "Tests/Fixtures/KitProbe",
      swiftSettings: strict),
    .executableTarget(
      name: "UIKitTraps", dependencies: ["BelfryUIKit"], path: "Tests/Fixtures/UIKitTraps",
      swiftSettings: strict),
    // Programs of their time: what is deprecated today is what they are there to use.
    .executableTarget(
      name: "UIKitSamples", dependencies: ["BelfryUIKit", "BelfryCloudKit"],
      path: "Tests/Examples/UIKit",
      swiftSettings: [
        .swiftLanguageMode(.v5), .treatAllWarnings(as: .error),
        .treatWarning("DeprecatedDeclaration", as: .warning),
      ]),
  ]
  targets += [
    ("AlarmClock", ["BelfryUIKit"]), ("SchoolBell", ["BelfryKit"]),
    ("MedicationReminder", ["BelfryKit"]), ("ListApp", ["BelfryUIKit", "BelfryCloudKit"]),
  ].map { name, libraries in
    .executableTarget(
      name: name, dependencies: libraries.map { .init(stringLiteral: $0) },
      path: "Tests/Examples/\(name)", swiftSettings: strict)
  }
}
if !lean && !fuzz {
  func isChosen(_ module: String) -> Bool {
    chosenTests?.contains { module == $0 || module == "Belfry" + $0 } ?? true
  }
  targets += tested.filter(isChosen).map {
    .testTarget(
      name: $0 + "Tests", dependencies: [.target(name: $0)] + (testSupport[$0] ?? []),
      swiftSettings: strict)
  }
  targets.append(
    .target(
      name: "SchedulerFixtures", dependencies: ["BelfryCore"],
      path: "Tests/Fixtures/SchedulerFixtures", swiftSettings: strict))
  targets.append(
    .target(
      name: "TestSupport", dependencies: ["BelfrySystem"], path: "Tests/Fixtures/TestSupport",
      swiftSettings: strict))
  // Whole lives of a board, by the pure core, with books in memory or real ones.
  if isChosen("Simulation") {
    targets.append(
      .testTarget(
        name: "SimulationTests",
        dependencies: ["BelfryCore", "BelfryStore", "CSQLite", "SchedulerFixtures"],
        swiftSettings: strict))
  }
}
if testBuild || (!lean && !fuzz) {
  targets.append(
    .target(
      name: "CFaultVFS", dependencies: ["CSQLite"], path: "Tests/Fixtures/CFaultVFS",
      cSettings: c))
}

if benchmarks {
  for (name, tried) in [
    ("StoreBenchmark", "BelfryStore"), ("RuleBenchmark", "BelfrySystem"),
    ("SchedulerBenchmark", "BelfrySystem"),
  ] {
    targets.append(
      .executableTarget(
        name: name, dependencies: [.init(stringLiteral: tried)], path: "Tests/Benchmarks/\(name)",
        swiftSettings: swift, linkerSettings: link(["-Xclang-linker", "-static"])))
  }
}

// An app's side, so never lean: `BELFRY_BENCHMARKS=1 swift build -c release --product KitBenchmark`.
if benchmarks && forApps {
  targets += ["Kit", "UIKit"].map {
    .executableTarget(
      name: $0 + "Benchmark", dependencies: [.init(stringLiteral: "Belfry" + $0)],
      path: "Tests/Benchmarks/\($0)Benchmark", swiftSettings: strict)
  }
}

// Fuzz builds have these programs, folders of Tests/Fuzz, and what they read with: nothing else
// links the sanitizers. `BELFRY_FUZZ=1 swift build --scratch-path .build-fuzz` makes them,
// `.build-fuzz/debug/FuzzJSON -max_total_time=10` runs one.
let fuzzed = [
  "FuzzINI", "FuzzJSON", "FuzzNotification", "FuzzPush", "FuzzRule", "FuzzSound", "FuzzStrings",
  "FuzzText", "FuzzTZif", "FuzzVarlink", "FuzzWork", "FuzzWorkerMessages",
]
if fuzz {
  let kept = [
    "CLinux", "CLoader", "CALSA", "BelfryCore", "BelfryWire", "BelfrySystem", "BelfrySound",
  ]
  targets.removeAll { !kept.contains($0.name) }
  targets += fuzzed.map {
    .executableTarget(
      name: $0,
      dependencies: ["BelfryCore", "BelfryWire"] + ($0 == "FuzzSound" ? ["BelfrySound"] : []),
      path: "Tests/Fuzz/\($0)",
      swiftSettings: swift + [
        .enableExperimentalFeature("Extern"), .unsafeFlags(["-parse-as-library"]),
      ],
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])])
  }
}

let package = Package(
  name: "belfry",
  products: fuzz
    ? []
    : [
      .library(name: "belfry-console", type: .dynamic, targets: ["Console"]),
      .library(name: "belfry-exec", type: .dynamic, targets: ["Exec"]),
      .library(name: "belfry-pushfile", type: .dynamic, targets: ["PushFile"]),
      .library(name: "belfry-calendars", type: .dynamic, targets: ["Calendars"]),
    ]
      + (forApps
        ? ["BelfryKit", "BelfryUIKit", "BelfryCloudKit"].map {
          .library(name: $0, targets: [$0])
        } : []),
  targets: targets)
