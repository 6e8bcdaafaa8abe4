import Testing

@testable import BelfryCore

struct LanguageTagTests {
  @Test(arguments: [
    ("de-AT", ["de-AT", "de"]), ("de", ["de"]), ("DE_at", ["de-AT", "de"]),
    ("de-Latn-AT-1996", ["de-Latn-AT-1996", "de-Latn-AT", "de-Latn", "de"]),
    ("es-419", ["es-419", "es"]), ("zh-CN", ["zh-CN", "zh-Hans", "zh"]),
    ("zh", ["zh-Hans", "zh"]), ("zh-Hans-SG", ["zh-Hans-SG", "zh-Hans", "zh"]),
    ("zh-TW", ["zh-TW", "zh-Hant"]), ("zh-Hant-HK", ["zh-Hant-HK", "zh-Hant"]), ("fil", ["fil"]),
    ("", []), ("d", []), ("../etc", []), ("de-", []), ("de--AT", []), ("de/AT", []), ("12", []),
    ("de-123456789", []), ("dé", []), ("english", []),
  ])
  func L1_fallsBack(_ tag: String, _ languages: [String]) {
    #expect(LanguageTag.fallbacks(tag) == languages)
  }

  @Test(arguments: [
    ("de_AT.UTF-8", "de-AT"), ("de_AT.UTF-8@euro", "de-AT"), ("de@euro", "de"), ("fr", "fr"),
    ("zh_CN.GB18030", "zh-CN"), ("C", nil), ("C.UTF-8", nil), ("POSIX", nil), ("", nil),
    ("/etc/locale", nil),
  ])
  func L1_readsLocales(_ locale: String, _ tag: String?) {
    #expect(LanguageTag.ofLocale(locale) == tag)
  }

  @Test(arguments: [
    (nil, "View"), ("en", "View"), ("en-GB", "View"), ("de", "Anzeigen"), ("de-AT", "Anzeigen"),
    ("fr-CA", "Afficher"), ("es-419", "Ver"), ("ru", "Просмотр"), ("zh-Hans", "查看"),
    ("zh-CN", "查看"), ("zh", "查看"), ("zh-TW", "View"), ("ja", "View"), ("?", "View"),
  ])
  func N8_viewInSixLanguages(_ language: String?, _ title: String) {
    #expect(Localization(language: language).defaultAction == title)
  }
}
