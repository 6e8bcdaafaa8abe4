import Testing

@testable import BelfryCore

struct AlertTextTests {
  private func table(_ text: String) throws -> StringsTable {
    try StringsTable(Array(text.utf8))
  }

  private func alert(_ change: (inout Notification) -> Void) -> Notification {
    var notification = Notification()
    change(&notification)
    return notification
  }

  @Test func N8_theActionHasADefaultTitle() {
    var notification = Notification()
    let text = { notification.text(in: .none, zone: .utc) }
    #expect(text() == AlertText())
    notification.alertBodyIsFormat = true
    notification.alertBody = "Tea %d%%"
    #expect(text() == AlertText(body: "Tea %", action: "View"))
    notification.alertAction = "Pour"
    notification.alertTitle = "Kitchen %d"
    #expect(text() == AlertText(body: "Tea %", title: "Kitchen %d", action: "Pour"))
    notification.hasAction = false
    #expect(text().action == nil)
    notification.alertBody = "%d"
    #expect(text().body == nil)
  }

  @Test func N8_theActionIsOfTheAppsLanguage() {
    let notification = alert { $0.alertBody = "x" }
    #expect(notification.text(in: Localization(language: "de-AT"), zone: .utc).action == "Anzeigen")
    let words = Localization(language: "fr")
    #expect(alert { $0.alertTitle = "x" }.text(in: words, zone: .utc).action == "Afficher")
    #expect(alert { $0.alertSubtitle = "x" }.text(in: words, zone: .utc).action == nil)
  }

  @Test func L1_everyTextIsLookedUp() throws {
    let words = Localization(
      tables: [
        try table(#"b = "Body"; t = "Title"; s = "Sub"; a = "Act";"#)
      ])
    let notification = alert {
      $0.alertBody = "b"
      $0.alertTitle = "t"
      $0.alertSubtitle = "s"
      $0.alertAction = "a"
    }
    #expect(
      notification.text(in: words, zone: .utc)
        == AlertText(body: "Body", title: "Title", subtitle: "Sub", action: "Act"))
    let literal = alert { $0.alertBody = "B" }
    #expect(literal.text(in: words, zone: .utc).body == "B")
  }

  @Test func L1_eachKeyFallsBack() throws {
    let words = Localization(
      tables: [
        try table("one = \"Servus\";"), try table("one = \"Hallo\"; two = \"Tag\";"),
        try table("one = \"Hello\"; two = \"Day\"; three = \"Base\";"),
      ], language: "de-AT")
    for (key, text) in [("one", "Servus"), ("two", "Tag"), ("three", "Base"), ("four", "four")] {
      #expect(alert { $0.alertBody = key }.text(in: words, zone: .utc).body == text)
    }
  }

  @Test func N7_L1_theKeyIsLookedUpBeforeStripping() throws {
    let words = Localization(tables: [try table(#""%d tea" = "Tee %d 100 %%"; "tea" = "no";"#)])
    func body(_ text: String, isFormat: Bool) -> String? {
      alert {
        $0.alertBody = text
        $0.alertBodyIsFormat = isFormat
      }.text(in: words, zone: .utc).body
    }
    #expect(body("%d tea", isFormat: true) == "Tee  100 %")
    // What is no key is stripped, and not looked up again.
    #expect(body("%dtea", isFormat: true) == "tea")
    #expect(body("%d tea", isFormat: false) == "Tee %d 100 %%")
  }

  @Test(arguments: ["Disk 90%full", "100%sure", "%", "50 %% off", "%d", "a %n$@ b"])
  func N7_textThatIsNoFormatIsShownAsItWasWritten(_ body: String) {
    #expect(alert { $0.alertBody = body }.text(in: .none, zone: .utc).body == body)
  }

  @Test func N7_L2_withArgumentsNothingIsStripped() throws {
    let words = Localization(tables: [try table(#"k = "%2$@ um %1$@: %d 5 %%"; e = "%@";"#)])
    let notification = alert {
      $0.alertBody = "k"
      $0.alertLocalizationArgs = [.integer(9), .string("Tee")]
      $0.alertTitle = "%@ minutes"
      $0.alertTitleLocalizationArgs = [.double(5)]
      $0.alertSubtitle = "%%"
      $0.alertAction = "Pour %@"
      $0.alertActionLocalizationArgs = [.string("%@")]
    }
    #expect(
      notification.text(in: words, zone: .utc)
        == AlertText(
          body: "Tee um 9: %d 5 %", title: "5 minutes", subtitle: "%%", action: "Pour %@"))
    // Nothing is left of it, so there is no alert.
    let empty = alert {
      $0.alertBody = "e"
      $0.alertLocalizationArgs = [.string("")]
    }
    #expect(empty.text(in: words, zone: .utc) == AlertText())
  }

  @Test func L1_aTablesTextIsBounded() throws {
    let long = String(repeating: "x", count: 20_000)
    let words = Localization(tables: [try table("k = \(long);")])
    let text = alert {
      $0.alertBody = "k"
      $0.alertTitle = "k"
    }.text(in: words, zone: .utc)
    #expect(text.body?.utf8.count == Notification.Limit.alertBody + 3)
    #expect(text.title?.utf8.count == Notification.Limit.title + 3)
  }
}

struct ArgumentValidationTests {
  private func refusal(_ change: (inout Notification) -> Void) -> FieldError? {
    var notification = Notification()
    change(&notification)
    do throws(FieldError) {
      _ = try notification.validated()
      return nil
    } catch {
      return error
    }
  }

  @Test func L2_otherTypesAreRefusedByIndex() {
    let good: [PropertyList] = [.string(""), .integer(0), .double(1), .date(.distantPast)]
    #expect(refusal { $0.alertLocalizationArgs = good } == nil)
    for bad: PropertyList in [.boolean(true), .data([]), .array([]), .dictionary([:])] {
      let error = refusal { $0.alertTitleLocalizationArgs = good + [bad] }
      #expect(error?.field == "alertTitleLocalizationArgs[4]")
      #expect(error?.code == .wrongType)
    }
    #expect(
      refusal { $0.alertActionLocalizationArgs = [.double(.nan)] }?.field
        == "alertActionLocalizationArgs[0]")
    #expect(
      refusal { $0.alertSubtitleLocalizationArgs = [.integer(1), .string("\0")] }?.field
        == "alertSubtitleLocalizationArgs[1]")
  }

  @Test func L2_A2_argumentsAreBounded() {
    let most = [PropertyList](repeating: .integer(1), count: Notification.Limit.arguments)
    #expect(refusal { $0.alertLocalizationArgs = most } == nil)
    #expect(refusal { $0.alertLocalizationArgs = most + [.integer(1)] }?.code == .tooLong)
    let bytes = Notification.Limit.argumentBytes
    let longest = PropertyList.string(String(repeating: "x", count: bytes - 4))
    #expect(refusal { $0.alertLocalizationArgs = [longest] } == nil)
    let tooLong = PropertyList.string(String(repeating: "x", count: bytes - 3))
    let error = refusal { $0.alertLocalizationArgs = [tooLong] }
    #expect(error?.field == "alertLocalizationArgs")
    #expect(error?.code == .tooLong)
  }
}
