// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are not ours to choose.
import Foundation

// The calendars by the constants that Swift 1 and 2 had for them.

extension NSCalendar {
  @available(*, deprecated, renamed: "init(identifier:)")
  public convenience init?(calendarIdentifier: NSCalendar.Identifier) {
    self.init(identifier: calendarIdentifier)
  }
}

@available(*, deprecated, renamed: "NSCalendar.Identifier.gregorian")
public let NSGregorianCalendar = NSCalendar.Identifier.gregorian
@available(*, deprecated, renamed: "NSCalendar.Identifier.gregorian")
public let NSCalendarIdentifierGregorian = NSCalendar.Identifier.gregorian
@available(*, deprecated, renamed: "NSCalendar.Identifier.buddhist")
public let NSCalendarIdentifierBuddhist = NSCalendar.Identifier.buddhist
@available(*, deprecated, renamed: "NSCalendar.Identifier.chinese")
public let NSCalendarIdentifierChinese = NSCalendar.Identifier.chinese
@available(*, deprecated, renamed: "NSCalendar.Identifier.coptic")
public let NSCalendarIdentifierCoptic = NSCalendar.Identifier.coptic
@available(*, deprecated, renamed: "NSCalendar.Identifier.ethiopicAmeteMihret")
public let NSCalendarIdentifierEthiopicAmeteMihret = NSCalendar.Identifier.ethiopicAmeteMihret
@available(*, deprecated, renamed: "NSCalendar.Identifier.ethiopicAmeteAlem")
public let NSCalendarIdentifierEthiopicAmeteAlem = NSCalendar.Identifier.ethiopicAmeteAlem
@available(*, deprecated, renamed: "NSCalendar.Identifier.hebrew")
public let NSCalendarIdentifierHebrew = NSCalendar.Identifier.hebrew
@available(*, deprecated, renamed: "NSCalendar.Identifier.ISO8601")
public let NSCalendarIdentifierISO8601 = NSCalendar.Identifier.ISO8601
@available(*, deprecated, renamed: "NSCalendar.Identifier.indian")
public let NSCalendarIdentifierIndian = NSCalendar.Identifier.indian
@available(*, deprecated, renamed: "NSCalendar.Identifier.islamic")
public let NSCalendarIdentifierIslamic = NSCalendar.Identifier.islamic
@available(*, deprecated, renamed: "NSCalendar.Identifier.islamicCivil")
public let NSCalendarIdentifierIslamicCivil = NSCalendar.Identifier.islamicCivil
@available(*, deprecated, renamed: "NSCalendar.Identifier.japanese")
public let NSCalendarIdentifierJapanese = NSCalendar.Identifier.japanese
@available(*, deprecated, renamed: "NSCalendar.Identifier.persian")
public let NSCalendarIdentifierPersian = NSCalendar.Identifier.persian
@available(*, deprecated, renamed: "NSCalendar.Identifier.republicOfChina")
public let NSCalendarIdentifierRepublicOfChina = NSCalendar.Identifier.republicOfChina
