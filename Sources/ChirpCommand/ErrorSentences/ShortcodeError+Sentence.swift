internal import Chirp

extension ShortcodeError: ExplainedError {
    var sentence: String {
        switch self {
        case .empty: "a code has 10 characters, and there are none"
        case .character(let character, let position):
            "“\(character)” at position \(position) is not a character of a code: those are 0–9 and a–v"
        case .length(let count):
            "a code has 10 characters, a longcode 18 and a whole frame 20, and this has \(count)"
        case .startCode(let found): "a frame of 20 characters begins with “hj”, and this one with “\(found)”"
        case .parity(let found, let expected):
            "the parity “\(found)” does not belong to these ten characters, whose parity is “\(expected)”: "
                + "there is a typing error in one or the other"
        }
    }
}

/// A code on the command line that is none.
struct CodeProblem: ExplainedError {
    let code: String
    let cause: ShortcodeError

    var sentence: String { "“\(code)”: \(cause.sentence)" }
}
