import BelfryKit
import Testing

@testable import BelfryUIKit

@Suite struct SettingsTests {
  private static func action(_ name: String) -> UIMutableUserNotificationAction {
    let action = UIMutableUserNotificationAction()
    action.identifier = name
    action.title = name.lowercased()
    return action
  }

  private static func category(
    _ ample: [String], _ few: [String]?
  ) -> UIMutableUserNotificationCategory {
    let category = UIMutableUserNotificationCategory()
    category.identifier = "C"
    category.setActions(ample.map { action($0) }, for: .default)
    if let few { category.setActions(few.map { action($0) }, for: .minimal) }
    return category
  }

  @Test(
    arguments: [
      (["A", "B"], nil, ["A", "B"], nil),
      (["A", "B", "C", "D", "E"], nil, ["A", "B", "C", "D"], nil),
      (["A", "B", "C"], ["C", "A", "B"], ["A", "B", "C"], ["C", "A"]),
      (["A"], ["B"], ["A", "B"], ["B"]),
      (["A", "B", "C", "D"], ["E"], ["A", "B", "C", "D"], []),
      ([], ["A"], ["A"], ["A"]),
    ] as [([String], [String]?, [String], [String]?)])
  func D5_aCategoryIsRegisteredAsItIsShown(
    ample: [String], few: [String]?, actions: [String], minimal: [String]?
  ) throws {
    let settings = UIUserNotificationSettings(
      types: .alert, categories: [Self.category(ample, few)])
    let registered = try #require(try settings.registrable.first)
    #expect(registered.identifier == "C")
    #expect(registered.actions.map { $0.identifier } == actions)
    #expect(registered.minimal == minimal)
  }

  @Test func D4_D5_anActionKeepsItsFields() throws {
    let action = Self.action("A")
    action.activationMode = .background
    action.behavior = .textInput
    action.isDestructive = true
    action.isAuthenticationRequired = true
    action.parameters = [UIUserNotificationTextInputActionButtonTitleKey: "Send"]
    #expect(action.parameters.count == 1)
    let category = UIMutableUserNotificationCategory()
    category.identifier = "C"
    category.setActions([action], for: .default)
    let settings = UIUserNotificationSettings(types: .alert, categories: [category])
    let back = UIUserNotificationCategory(try #require(try settings.registrable.first))
    let read = try #require(back.actions(for: .default)?.first)
    #expect(read == action)
    #expect(
      read.parameters[UIUserNotificationTextInputActionButtonTitleKey] as? String == "Send")
    #expect(back.actions(for: .minimal) == nil)
  }

  @Test func D5_settingsCopyTheirCategories() throws {
    let category = Self.category(["A"], nil)
    let settings = UIUserNotificationSettings(types: [.alert, .sound], categories: [category])
    category.identifier = "Other"
    #expect(settings.categories?.first?.identifier == "C")
    #expect(
      settings
        == UIUserNotificationSettings(
          types: [.sound, .alert], categories: [Self.category(["A"], nil)]))
    #expect(settings != UIUserNotificationSettings(types: .alert, categories: nil))
    let mutable = try #require(category.mutableCopy() as? UIMutableUserNotificationCategory)
    mutable.identifier = "Third"
    #expect(category.identifier == "Other")
  }

  @Test func D5_whatHasNoIdentifierIsRefused() {
    let nameless = UIUserNotificationSettings(
      types: .alert, categories: [UIMutableUserNotificationCategory()])
    #expect(throws: SchedulerError.self) { try nameless.registrable }
    let category = UIMutableUserNotificationCategory()
    category.identifier = "C"
    category.setActions([UIMutableUserNotificationAction()], for: .default)
    let actionless = UIUserNotificationSettings(types: .alert, categories: [category])
    #expect(throws: SchedulerError.self) { try actionless.registrable }
  }

  @Test func rawValuesAreThoseOfIOS() {
    #expect(UIUserNotificationType.badge.rawValue == 1)
    #expect(UIUserNotificationType.sound.rawValue == 2)
    #expect(UIUserNotificationType.alert.rawValue == 4)
    #expect(UIApplication.State.active.rawValue == 0)
    #expect(UIApplication.State.inactive.rawValue == 1)
    #expect(UIApplication.State.background.rawValue == 2)
    #expect(UIUserNotificationActionContext.minimal.rawValue == 1)
    #expect(UIUserNotificationActivationMode.background.rawValue == 1)
    #expect(UIUserNotificationActionBehavior.textInput.rawValue == 1)
  }
}

@Suite struct CircularRegionTests {
  @Test(arguments: [
    (52.52, 13.405, true), (52.5217, 13.405, true), (52.5219, 13.405, false),
    (-52.52, 13.405, false),
  ]) func R1_containsGoesByTheGreatCircle(latitude: Double, longitude: Double, inside: Bool) {
    let region = CLCircularRegion(
      center: CLLocationCoordinate2D(latitude: 52.52, longitude: 13.405), radius: 200,
      identifier: "x")
    let place = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
    #expect(region.contains(place) == inside)
  }

  @Test func R6_theDateLineIsNoEdge() {
    let region = CLCircularRegion(
      center: CLLocationCoordinate2DMake(0, 179.9995), radius: 200, identifier: "x")
    #expect(region.contains(CLLocationCoordinate2DMake(0, -179.9995)))
    #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
  }
}
