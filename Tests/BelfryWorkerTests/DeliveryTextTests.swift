import BelfryCore
import BelfryWire
import CPlugin
import Testing

@testable import BelfryWorker

/// What of N7 to N9 a plugin sees.
struct DeliveryTextTests {
  static func texts(
    _ change: (inout Notification) -> Void
  ) -> (body: String?, action: String?, hasAction: Bool) {
    var notification = Notification()
    notification.identifier = "tea"
    change(&notification)
    let id = OccurrenceID(uuid: UUIDBits(high: 1, low: 2), generation: 0, k: 0)
    let due = Instant(nanoseconds: 0)
    let delivery = DeliveryMessage(
      token: 1, parts: .alert, handedOver: due,
      deliveryContent: DeliveryContent(
        Occurrence(id: id, app: "a", notification: notification, due: due),
        notification.text(in: .none, zone: .utc)))
    let frame = DeliveryMarshaller(delivery, sink: "s", now: ClockReading(real: due, elapsed: 0))
    return frame.withDelivery { pointer in
      let value = pointer.pointee
      return (text(value.body), text(value.action), value.flags & BELFRY_FLAG_HAS_ACTION != 0)
    }
  }

  static func text(_ text: belfry_text) -> String? {
    text.bytes.map { start in
      let bytes = UnsafeRawBufferPointer(start: start, count: Int(text.size))
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  @Test func N7_theBodyIsStripped() {
    func body(_ format: String) -> String? {
      Self.texts {
        $0.alertBody = format
        $0.alertBodyIsFormat = true
      }.body
    }
    #expect(body("50 % %d%% %n") == "50 % % ")
    #expect(body("%n") == nil)
    #expect(Self.texts { $0.alertBody = "Disk 90%full" }.body == "Disk 90%full")
    #expect(Self.texts { _ in }.body == nil)
  }

  @Test func N8_theActionHasATitle() {
    let plain = Self.texts { $0.alertBody = "Tea" }
    #expect(plain.action == "View" && plain.hasAction)
    let named = Self.texts {
      $0.alertBody = "Tea"
      $0.alertAction = "Pour"
    }
    #expect(named.action == "Pour" && named.hasAction)
  }

  @Test func N9_withoutActionThereIsNoButton() {
    let hidden = Self.texts {
      $0.alertBody = "Tea"
      $0.alertAction = "Pour"
      $0.hasAction = false
    }
    #expect(hidden.action == nil && !hidden.hasAction)
    #expect(!Self.texts { $0.alertAction = "Pour" }.hasAction)
  }

  @Test func everyTextStandsInTheFieldOfItsName() {
    let id = OccurrenceID(uuid: UUIDBits(high: 1, low: 2), generation: 0, k: 0)
    var told = DeliveryContent(id: id, app: "the.app", due: Instant(nanoseconds: 0))
    told.identifier = "the identifier"
    told.title = "the title"
    told.subtitle = "the subtitle"
    told.body = "the body"
    told.action = "the action"
    told.launchImage = "the image"
    told.category = "the category"
    told.threadIdentifier = "the thread"
    told.soundName = "the sound"
    told.userInfo = "{\"the\":1}"
    let delivery = DeliveryMessage(
      token: 1, parts: [.alert, .sound], handedOver: told.due, replaces: "the replaced",
      deliveryContent: told)
    let frame = DeliveryMarshaller(
      delivery, sink: "lamp", now: ClockReading(real: told.due, elapsed: 0))
    frame.withDelivery { pointer in
      let value = pointer.pointee
      #expect(Self.text(value.id) == id.deliveryID(sink: "lamp"))
      #expect(Self.text(value.replaces_id) == "the replaced")
      #expect(Self.text(value.app) == "the.app")
      #expect(Self.text(value.identifier) == "the identifier")
      #expect(Self.text(value.title) == "the title")
      #expect(Self.text(value.subtitle) == "the subtitle")
      #expect(Self.text(value.body) == "the body")
      #expect(Self.text(value.action) == "the action")
      #expect(Self.text(value.launch_image) == "the image")
      #expect(Self.text(value.category) == "the category")
      #expect(Self.text(value.thread) == "the thread")
      #expect(Self.text(value.sound) == "the sound")
      #expect(Self.text(value.user_info) == "{\"the\":1}")
    }
  }
}
