import TestSupport
import Testing

@testable import BelfrySystem

@Suite struct AccountTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    let users = """
      root:x:0:0:root:/root:/bin/bash
      broken line
      short:x:5
      bad:x:many:7::/:/bin/sh
      bell:x:1000:100:Bell,,,:/home/bell:
      77:x:1001:1001::/home/77:/bin/sh
      bell:x:1002:100::/home/other:/bin/sh
      """
    try Files.write(Array(users.utf8), to: scratch["passwd"])
    let groups = """
      root:x:0:
      users:x:100:bell,other
      audio:x:29:other,bell
      gpio:x:30:belling
      bad:x:many:bell
      video:x:44:bell
      """
    try Files.write(Array(groups.utf8), to: scratch["group"])
  }

  @Test func aUserIsFoundByNameOrNumber() {
    let bell = Account(name: "bell", uid: 1000, gid: 100, home: "/home/bell", shell: "")
    #expect(Account.find("bell", file: scratch["passwd"]) == bell)
    #expect(Account.find("1000", file: scratch["passwd"]) == bell)
    // A number is a number, also where somebody is called so.
    #expect(Account.find("77", file: scratch["passwd"]) == nil)
    #expect(Account.find("nobody here", file: scratch["passwd"]) == nil)
    #expect(Account.find("bell", file: scratch["missing"]) == nil)
  }

  @Test func itsGroupsAreItsOwnAndThoseThatListIt() throws {
    let bell = try #require(Account.find("bell", file: scratch["passwd"]))
    #expect(bell.groups(file: scratch["group"]) == [100, 29, 44])
    #expect(bell.groups(file: scratch["missing"]) == [100])
  }
}
