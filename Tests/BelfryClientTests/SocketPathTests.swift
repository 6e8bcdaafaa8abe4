import BelfrySystem
import TestSupport
import Testing

@testable import BelfryClient

@Suite struct SocketPathTests {
  /// What is given, BELFRY_SOCKET, the user's runtime directory, `/run/belfry/socket`.
  @Test func theFirstThatThereIsIsTaken() throws {
    let scratch = try Scratch()
    try Files.makeFolder(scratch["belfry"], mode: 0o700)
    var variables = ["BELFRY_SOCKET": "/of/environment", "XDG_RUNTIME_DIR": scratch.path]
    let listener = try UnixSocketListener(scratch["belfry/socket"])
    #expect(SocketPath.find(given: "/given") { variables[$0] } == "/given")
    // As Varlink's clients write it.
    #expect(SocketPath.find(given: "unix:/given") { variables[$0] } == "/given")
    #expect(SocketPath.find(given: nil) { variables[$0] } == "/of/environment")
    variables["BELFRY_SOCKET"] = ""
    #expect(SocketPath.find(given: nil) { variables[$0] } == scratch["belfry/socket"])
    variables["BELFRY_SOCKET"] = nil
    #expect(SocketPath.find(given: nil) { variables[$0] } == scratch["belfry/socket"])
    variables["XDG_RUNTIME_DIR"] = nil
    #expect(SocketPath.find(given: nil) { variables[$0] } == "/run/belfry/socket")
    listener.close()
  }

  @Test func aRuntimeDirectoryWithoutASocketIsPassedOver() throws {
    let scratch = try Scratch()
    try Files.makeFolder(scratch["belfry"], mode: 0o700)
    let there = ["XDG_RUNTIME_DIR": scratch.path]
    #expect(SocketPath.find(given: nil) { there[$0] } == "/run/belfry/socket")
    // Neither is a file that is no socket one.
    try Files.write([], to: scratch["belfry/socket"])
    #expect(SocketPath.find(given: nil) { there[$0] } == "/run/belfry/socket")
    let relative = ["XDG_RUNTIME_DIR": "run"]
    #expect(SocketPath.find(given: nil) { relative[$0] } == "/run/belfry/socket")
  }
}
