import BelfryCore
import Testing

@testable import BelfryWire

@Suite struct RegistrationCodecTests {
  private func read(_ json: String) throws -> UserRequest? {
    let value = try JSONValue.parse(json)
    let call = VarlinkCall(
      method: "io.belfry.Scheduler.RegisterSettings", parameters: value.object ?? [:])
    guard
      case .request(.user("user.1", let request)) = try SchedulerCall.read(
        call, defaultApp: "user.1")
    else { return nil }
    return request
  }

  @Test func D5_aRegistrationSurvivesItsBytes() throws {
    var action = NotificationAction(identifier: "reply", title: "Antworten …")
    action.activationMode = .background
    action.isDestructive = true
    action.requiresAuthentication = true
    action.behavior = .textInput
    action.buttonTitle = "Senden"
    let registration = AppRegistration(
      settings: [.alert, .sound],
      categories: [
        ActionCategory(
          identifier: "chat", actions: [action, NotificationAction(identifier: "x", title: "X")],
          minimal: ["x"]),
        ActionCategory(identifier: "none", actions: []),
      ])
    let bytes = RegistrationCodec.bytes(of: registration)
    #expect(try RegistrationCodec.read(bytes) == registration)
  }

  @Test func D5_whatIsLeftOutHasItsDefault() throws {
    let request = try read(
      """
      {"settings": {"alert": true, "badge": false, "sound": true}, "categories": [
        {"identifier": "c", "minimal": null, "actions": [
          {"identifier": "a", "title": "A", "behavior": null}]}]}
      """)
    let action = NotificationAction(identifier: "a", title: "A")
    #expect(
      request
        == .register(
          AppRegistration(
            settings: [.alert, .sound],
            categories: [ActionCategory(identifier: "c", actions: [action])])))
  }

  @Test(arguments: [
    (#"{"categories": []}"#, "settings"),
    (#"{"settings": {"alert": true, "badge": true}, "categories": []}"#, "settings.sound"),
    (
      #"{"settings": {"alert": 1, "badge": true, "sound": true}, "categories": []}"#,
      "settings.alert"
    ),
    (
      #"{"settings": {"alert": true, "badge": true, "sound": true, "x": 1}, "categories": []}"#,
      "settings.x"
    ),
    (#"{"settings": {"alert": true, "badge": true, "sound": true}}"#, "categories"),
    (
      #"{"settings": {"alert": true, "badge": true, "sound": true}, "categories": [3]}"#,
      "categories[0]"
    ),
    (
      #"{"settings": {"alert": true, "badge": true, "sound": true}, "categories": [{"identifier": "c", "actions": [{"identifier": "a", "title": "A", "activationMode": "asleep"}]}]}"#,
      "categories[0].actions[0].activationMode"
    ),
    (
      #"{"settings": {"alert": true, "badge": true, "sound": true}, "categories": [{"identifier": "c", "actions": [{"identifier": "a"}]}]}"#,
      "categories[0].actions[0].title"
    ),
  ])
  func A4_whatIsWrongIsNamedByItsPath(_ json: String, _ path: String) throws {
    let failure = #expect(throws: VarlinkFailure.self) { _ = try read(json) }
    #expect(failure?.parameters["field"]?.string == path)
  }
}
