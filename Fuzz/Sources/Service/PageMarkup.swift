/// The elements of a page as a browser's tokeniser sees them (HTML Standard, section 13.2.5, for what is left of it when
/// there are neither scripts nor styles within the page): every `<` that a letter, `/`, `!` or `?` follows opens a mark.
struct PageMarkup {
    /// The marks in order, with the names of their attributes.
    private(set) var structure: [String] = []
    /// The values of attributes and the text between marks, with references replaced.
    private(set) var values: [String] = []
    private var rest: Substring.UnicodeScalarView

    init(_ page: String) {
        rest = page[...].unicodeScalars
        while !rest.isEmpty {
            values.append(Self.decoded(take { $0 != "<" }))
            guard rest.popFirst() != nil else { break }
            readMark()
        }
    }

    private mutating func take(while holds: (UnicodeScalar) -> Bool) -> Substring.UnicodeScalarView {
        let taken = rest.prefix(while: holds)
        rest = rest[taken.endIndex...]
        return taken
    }

    private mutating func readMark() {
        let opens = { (scalar: UnicodeScalar) in
            scalar.isASCII && scalar.properties.isAlphabetic || "/!?".unicodeScalars.contains(scalar)
        }
        guard let first = rest.first, opens(first) else {
            structure.append("<")
            return
        }
        var mark = String(take { !Self.isSpace($0) && $0 != ">" })
        while let next = rest.first {
            if next == ">" {
                rest.removeFirst()
                break
            }
            if Self.isSpace(next) {
                rest.removeFirst()
                continue
            }
            mark += " " + String(take { !Self.isSpace($0) && $0 != ">" && $0 != "=" })
            guard rest.first == "=" else { continue }
            rest.removeFirst()
            readValue()
        }
        structure.append(mark)
    }

    private mutating func readValue() {
        guard let quote = rest.first, quote == "\"" || quote == "'" else {
            values.append(Self.decoded(take { !Self.isSpace($0) && $0 != ">" }))
            return
        }
        rest.removeFirst()
        values.append(Self.decoded(take { $0 != quote }))
        _ = rest.popFirst()
    }

    private static func isSpace(_ scalar: UnicodeScalar) -> Bool { " \n\t\r\u{C}".unicodeScalars.contains(scalar) }

    private static func decoded(_ text: Substring.UnicodeScalarView) -> String {
        var decoded = String.UnicodeScalarView()
        var rest = text
        while let scalar = rest.popFirst() {
            guard scalar == "&", let end = rest.prefix(8).firstIndex(of: ";"),
                let character = references[String(rest[..<end])]
            else {
                decoded.append(scalar)
                continue
            }
            decoded.append(character)
            rest = rest[rest.index(after: end)...]
        }
        return String(decoded)
    }

    private static let references: [String: UnicodeScalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "#39": "'",
    ]
}
