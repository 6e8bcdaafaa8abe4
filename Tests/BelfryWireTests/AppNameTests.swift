import BelfryCore
import Testing

@testable import BelfryWire

struct AppNameTests {
  @Test(arguments: [
    ("/usr/bin/AlarmClock", "user.1000.AlarmClock"), ("AlarmClock", "user.1000.AlarmClock"),
    ("./my clock é", "user.1000.my_clock___"), ("", "user.1000"), ("/", "user.1000"),
    ("/opt/belfryPackageTests.xctest", "user.1000.belfryPackageTests.xctest"),
  ])
  func A1_aProgramsAppHasTheNameOfItsFile(path: String, name: String) throws {
    #expect(AppName.ofProgram(path, 1000) == name)
    try AppName.check(name)
    #expect(SchedulerEngine.user(of: name) == 1000)
  }

  @Test func A1_aLongNameIsCut() throws {
    let name = AppName.ofProgram(String(repeating: "x", count: 300), .max)
    #expect(name.utf8.count == 128)
    try AppName.check(name)
    #expect(SchedulerEngine.user(of: name) == .max)
  }
}
