internal import RealModule

/// The 32 tones as a picture that moves to the left: pitch goes up, time to the right, two pitches in a character cell.
struct ToneWaterfall {
    /// Two columns of the meter make one of the picture, so that a symbol is two characters wide and a chirp forty.
    private static let meterColumnsPerColumn = 2
    /// Enough for the widest terminals.
    private static let capacity = 1_000
    /// From the noise floor to full brightness, in decibels.
    private static let range: Float = 36
    /// Colours of a terminal with 256 of them, from black over violet, red and yellow to white.
    private static let palette = [16, 17, 18, 54, 90, 126, 162, 197, 203, 209, 215, 221, 228, 231]
    private static let shades: [Character] = [" ", "░", "▒", "▓", "█"]

    private var columns: [[Float]] = []
    private var partial: SIMD32<Float>?
    /// Slowly follows the median of the tones' powers, in decibels: music and hum do not lift it, as they are few.
    private var floor: Float = -70

    mutating func append(_ powers: SIMD32<Float>) {
        guard let first = partial else {
            partial = powers
            return
        }
        partial = nil
        let peak = pointwiseMax(first, powers)
        let decibels = (0..<32).map { 10 * Float.log10(max(peak[$0], 1e-12)) }
        let median = decibels.sorted()[16]
        floor += (max(median, -100) - floor) * 0.05
        columns.append(decibels)
        if columns.count > Self.capacity { columns.removeFirst(columns.count - Self.capacity) }
    }

    /// The picture.
    ///
    /// - Parameters:
    ///   - rows: 16, 8 or 4: one, two or four tones in half a character.
    ///   - width: characters in a row.
    func lines(rows: Int, width: Int, inColour: Bool) -> [String] {
        let tonesPerHalf = 16 / rows
        let shown = columns.suffix(width)
        let margin = width - shown.count
        return (0..<rows).map { row in
            let top = 31 - 2 * row * tonesPerHalf
            var line = String(repeating: " ", count: margin)
            var colours = (-1, -1)
            for column in shown {
                let upper = brightness(column[(top - tonesPerHalf + 1)...top])
                let lower = brightness(column[(top - 2 * tonesPerHalf + 1)...(top - tonesPerHalf)])
                guard inColour else {
                    line.append(Self.shades[Int(max(upper, lower) * Float(Self.shades.count - 1) + 0.5)])
                    continue
                }
                let next = (Self.colour(upper), Self.colour(lower))
                // An escape only where the colour changes: most cells are as dark as their neighbours.
                if next != colours { line += "\u{1B}[38;5;\(next.0);48;5;\(next.1)m" }
                colours = next
                line.append("▀")
            }
            return inColour ? line + "\u{1B}[0m" : line
        }
    }

    private func brightness(_ decibels: ArraySlice<Float>) -> Float {
        let loudest = decibels.max() ?? floor
        return min(max((loudest - floor - 6) / Self.range, 0), 1)
    }

    private static func colour(_ brightness: Float) -> Int {
        palette[Int(brightness * Float(palette.count - 1) + 0.5)]
    }
}
