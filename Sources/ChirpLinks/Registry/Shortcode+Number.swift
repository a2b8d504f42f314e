internal import Chirp

extension Shortcode {
    /// Its 50 bits as a number, the first symbol in the highest ones.
    var number: Int64 { symbols.reduce(0) { $0 << 5 | Int64($1) } }

    /// The code of 50 bits, or nil for a number out of range.
    init?(number: Int64) {
        guard number >= 0, number < 1 << 50 else { return nil }
        self.init(symbols: (0..<10).map { UInt8(truncatingIfNeeded: number >> (45 - 5 * $0)) & 31 })
    }

    /// Draws a code from the system's random source.
    static func random() -> Shortcode {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }
}
