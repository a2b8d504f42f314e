extension ShortcodeError {
    /// A sentence for people.
    var message: String {
        let format = WireFormat.original
        let counts =
            "a code has \(format.dataSymbolCount) characters, a longcode \(format.codewordSymbolCount) "
            + "and a frame \(format.frameSymbolCount)"
        switch self {
        case .empty: return "the code is empty; \(counts)"
        case .character(let character, let position):
            return "“\(character)” at position \(position) is not allowed in a code; use 0–9 and a–v"
        case .length(let count): return "\(counts); this one has \(count)"
        case .startCode(let found):
            return "a frame of \(format.frameSymbolCount) characters begins with "
                + "“\(format.text(of: format.startCode))”, but this one with “\(found)”"
        case .parity(let found, let expected):
            return "the parity “\(found)” does not match the first \(format.dataSymbolCount) characters, whose "
                + "parity is “\(expected)”; check the code for typing errors"
        }
    }
}

extension ReceptionError {
    /// A sentence for people.
    var message: String {
        switch self {
        case .sampleRate(let rate, let supported):
            "the sample rate is \(hertz(rate)); chirps are heard from \(hertz(supported.lowerBound)) to "
                + hertz(supported.upperBound)
        }
    }
}

extension SynthesisError {
    /// A sentence for people.
    var message: String {
        switch self {
        case .sampleRate(let rate, let supported):
            "the highest tones of a chirp do not exist at a sample rate of \(hertz(rate)): "
                + "choose one from \(hertz(supported.lowerBound)) to \(hertz(supported.upperBound))"
        }
    }
}

/// A rate may be any number: the widest integer of a machine of 32 bits has room for those below two thousand million.
private func hertz(_ value: Double) -> String {
    if let whole = Int(exactly: value.rounded(.towardZero)) { return "\(whole) Hz" }
    return value.isNaN ? "not a number" : "too \(value > 0 ? "high" : "low") a number of hertz"
}
