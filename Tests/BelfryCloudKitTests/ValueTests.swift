import Testing

@testable import BelfryCloudKit

/// What an app keeps: ids and tokens, in archives.
@Suite struct ValueTests {
  private func again<T: NSObject & NSSecureCoding>(_ value: T, secure: Bool) throws -> T? {
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: value, requiringSecureCoding: secure)
    return try NSKeyedUnarchiver.unarchivedObject(ofClass: T.self, from: data)
  }

  @Test func P7_aTokenCanBeKept() throws {
    let token = CKServerChangeToken("QmVsZnJ5-_x")
    for secure in [false, true] {
      let read = try #require(try again(token, secure: secure))
      #expect(read == token && read !== token && read.text == token.text)
    }
    #expect(token.copy() as? CKServerChangeToken == token)
    #expect(token != CKServerChangeToken("other") && token.hash == token.hash)
  }

  @Test func P2_idsAreValues() throws {
    let uuid = UUID()
    let id = CKNotificationID(uuid)
    #expect(id == CKNotificationID(uuid) && id != CKNotificationID(UUID()))
    #expect(Set([id, CKNotificationID(uuid)]).count == 1)
    #expect([id].contains(CKNotificationID(uuid)))
    #expect(try again(id, secure: true) == id)
    #expect(CKNotificationID(text: "no") == nil)
  }

  @Test func P3_recordsAndZonesAreValues() throws {
    let zone = CKRecordZone.ID(zoneName: "Notes", ownerName: "_ada")
    let record = CKRecord.ID(recordName: "r", zoneID: zone)
    #expect(record == CKRecord.ID(recordName: "r", zoneID: zone))
    #expect(record != CKRecord.ID(recordName: "r"))
    #expect(try again(record, secure: true) == record)
    #expect(try again(zone, secure: true) == zone)
    #expect([record: 1][CKRecord.ID(recordName: "r", zoneID: zone)] == 1)
  }

  @Test func anArchiveOfSomethingElseIsNil() throws {
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: NSString(string: "x"), requiringSecureCoding: true)
    #expect(
      (try? NSKeyedUnarchiver.unarchivedObject(ofClass: CKServerChangeToken.self, from: data))
        == nil)
  }
}
