import BelfrySystem
import Foundation
import TestSupport
import Testing

@testable import BelfryDaemon

@Suite struct ServiceNotifierTests {
  /// A datagram socket bound by the C library's own calls; `@` is the abstract name space.
  private func listener(_ address: String) -> Int32 {
    let fd = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var raw = sockaddr_un()
    raw.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(address.utf8)
    withUnsafeMutableBytes(of: &raw.sun_path) { path in
      for (index, byte) in bytes.enumerated() { path[index] = byte }
      if address.hasPrefix("@") { path[0] = 0 }
    }
    let size = socklen_t(2 + bytes.count + (address.hasPrefix("@") ? 0 : 1))
    let result = withUnsafePointer(to: &raw) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(fd, $0, size) }
    }
    #expect(result == 0)
    return fd
  }

  private func receive(_ fd: Int32) -> String? {
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = recv(fd, &buffer, 256, Int32(MSG_DONTWAIT))
    return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
  }

  @Test(arguments: [false, true])
  func oneDatagramAMessage(isAbstract: Bool) throws {
    let scratch = try Scratch()
    let address = isAbstract ? "@belfry-test-\(getpid())" : scratch["notify"]
    let fd = listener(address)
    defer { close(fd) }
    let notifier = ServiceNotifier(address: address)
    #expect(notifier.isConnected)
    notifier.ready()
    notifier.watchdog()
    notifier.status("all is well")
    notifier.shutdown()
    let messages = (0..<5).map { _ in receive(fd) }
    #expect(messages == ["READY=1", "WATCHDOG=1", "STATUS=all is well", "STOPPING=1", nil])
  }

  @Test(arguments: [nil, "", "relative", "/nowhere/at/all"] as [String?])
  func withoutAListenerNothingHappens(address: String?) {
    let notifier = ServiceNotifier(address: address)
    #expect(!notifier.isConnected)
    notifier.ready()
  }

  @Test func aFullListenerIsNeverWaitedFor() throws {
    let scratch = try Scratch()
    let fd = listener(scratch["notify"])
    defer { close(fd) }
    let notifier = ServiceNotifier(address: scratch["notify"])
    for _ in 0..<10_000 { notifier.watchdog() }
  }

  @Test(
    arguments: [
      (nil, nil, nil), ("2000000", nil, 1_000_000_000), ("2000000", "PID", 1_000_000_000),
      ("2000000", "1", nil), ("0", nil, nil), ("-5", nil, nil), ("soon", nil, nil),
    ] as [(String?, String?, Int64?)])
  func pingsComeTwiceInTheTimeGiven(microseconds: String?, pid: String?, interval: Int64?) {
    let variables = [
      "WATCHDOG_USEC": microseconds, "WATCHDOG_PID": pid == "PID" ? "\(getpid())" : pid,
    ]
    #expect(
      ServiceNotifier.interval(pid: getpid(), variable: { variables[$0] ?? nil }) == interval)
  }
}
