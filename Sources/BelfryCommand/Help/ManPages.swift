import BelfryCore
import BelfryWire

/// The man pages by their names: belfry(1) of the commands, the others of the manual's documents.
enum ManPages {
  static var names: [String] { ["belfry"] + HelpTopic.pages.map { $0.page.name } }

  /// The page's roff; nil: there is no such page.
  static func text(of name: String) -> String? {
    if name == "belfry" { return ManPage.text }
    return HelpTopic.pages.first { $0.page.name == name }.map { text(of: $0) }
  }

  static func text(of document: HelpDocument) -> String {
    var lines = Roff.head(document.page.name, document.page.section, document.summary)
    lines.append(".SH DESCRIPTION")
    // A paragraph macro right behind a heading says nothing.
    var isFirst = true
    for block in document.blocks {
      switch block {
      case .heading(let text): lines.append(".SH \"" + Roff.escaped(text.uppercased()) + "\"")
      case .text(let text): lines += (isFirst ? [] : [".PP"]) + [Roff.line(text)]
      case .term(let word, let meaning): lines += Roff.paragraph(word, meaning)
      case .keys(let section, let rows):
        lines.append(".SS \"" + Roff.escaped(section) + "\"")
        for row in rows { lines += Roff.paragraph(row.name, HelpDocument.words(of: row)) }
      case .example(let text): lines += (isFirst ? [] : [".PP"]) + Roff.example(text)
      }
      if case .heading = block { isFirst = true } else { isFirst = false }
    }
    return (lines + Roff.seeAlso(document.seeAlso)).joined(separator: "\n") + "\n"
  }
}
