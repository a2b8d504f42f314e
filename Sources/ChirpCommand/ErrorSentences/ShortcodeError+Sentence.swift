internal import Chirp

extension ShortcodeError: ExplainedError {
    var sentence: String {
        let format = WireFormat.original
        let counts =
            "a code has \(format.dataSymbolCount) characters, a longcode \(format.codewordSymbolCount) "
            + "and a whole frame \(format.frameSymbolCount)"
        switch self {
        case .empty: return "there is no code here: \(counts)"
        case .character(let character, let position):
            return "“\(character)” at position \(position) is not a character of a code: those are "
                + Self.ranges(format.alphabet)
        case .length(let count): return "\(counts), and this has \(count)"
        case .startCode(let found):
            return "a frame of \(format.frameSymbolCount) characters begins with "
                + "“\(format.text(of: format.startCode))”, and this one with “\(found)”"
        case .parity(let found, let expected):
            return "its parity “\(found)” does not belong to its first \(format.dataSymbolCount) characters, whose "
                + "parity is “\(expected)”: one or the other has a typing error"
        }
    }

    /// An alphabet as people write it: the digits and the letters, from first to last.
    private static func ranges(_ alphabet: [Character]) -> String {
        [alphabet.filter(\.isNumber), alphabet.filter(\.isLetter)].compactMap { part in
            part.first.flatMap { first in part.last.map { "\(first)–\($0)" } }
        }.joined(separator: " and ")
    }
}

/// A code on the command line that is none.
struct CodeProblem: ExplainedError {
    let code: String
    let cause: ShortcodeError

    var sentence: String { "“\(code)”: \(cause.sentence)" }
}
