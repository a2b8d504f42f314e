internal import Chirp

extension ShortcodeError: UserFacingError {
    var userMessage: String {
        let format = WireFormat.original
        let counts =
            "a code has \(format.dataSymbolCount) characters, a longcode \(format.codewordSymbolCount) "
            + "and a frame \(format.frameSymbolCount)"
        switch self {
        case .empty: return "the code is empty; \(counts)"
        case .character(let character, let position):
            return "“\(character)” at position \(position) is not allowed in a code; use "
                + Self.ranges(format.alphabet)
        case .length(let count): return "\(counts); this one has \(count)"
        case .startCode(let found):
            return "a frame of \(format.frameSymbolCount) characters begins with "
                + "“\(format.text(of: format.startCode))”, but this one with “\(found)”"
        case .parity(let found, let expected):
            return "the parity “\(found)” does not match the first \(format.dataSymbolCount) characters, whose "
                + "parity is “\(expected)”; check the code for typing errors"
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
struct CodeProblem: UserFacingError {
    let code: String
    let cause: ShortcodeError

    var userMessage: String { "“\(code)”: \(cause.userMessage)" }
}
