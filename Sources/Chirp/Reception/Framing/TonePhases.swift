internal import RealModule

/// Phases of the 32 tones, in rows of eight: what correlations with the tones are turned by to refer to a common moment.
struct TonePhases: Sendable {
    typealias Lanes = SIMD8<Float>
    static let rows = 4

    private(set) var cosines = [Lanes](repeating: Lanes(), count: rows)
    private(set) var sines = [Lanes](repeating: Lanes(), count: rows)

    /// By which the tones go on in some time.
    init(pitchesHertz: [Double], seconds: Double, isInverted: Bool = false) {
        self.init(turns: pitchesHertz.map { -($0 * seconds + (isInverted ? 0.5 : 0)) })
    }

    /// exp(−2πi · turns) for each tone.
    init(turns: [Double]) {
        for (tone, turn) in turns.enumerated() {
            let angle = -2 * Double.pi * (turn - turn.rounded(.down))
            cosines[tone / 8][tone % 8] = Float(Double.cos(angle))
            sines[tone / 8][tone % 8] = Float(Double.sin(angle))
        }
    }

    /// Turns each phase by another one.
    mutating func turn(by other: TonePhases) { Self.turn(&cosines, &sines, by: other) }

    /// This is apart from the structure, so that a write to one array is checked once and not for each element.
    private static func turn(_ cosines: inout [Lanes], _ sines: inout [Lanes], by other: TonePhases) {
        var cosines = cosines.mutableSpan
        var sines = sines.mutableSpan
        for row in 0..<rows {
            let (a, b) = (cosines[row], sines[row])
            cosines[row] = a * other.cosines[row] - b * other.sines[row]
            sines[row] = a * other.sines[row] + b * other.cosines[row]
        }
    }

    /// The product of correlations, real and imaginary part in turn, and phases.
    func turn(_ correlations: [Float], into real: inout [Lanes], _ imaginary: inout [Lanes], at base: Int) {
        let values = correlations.span
        var reals = real.mutableSpan
        var imaginaries = imaginary.mutableSpan
        for row in 0..<Self.rows {
            let part = SIMD16(lowHalf: values.eight(at: 16 * row), highHalf: values.eight(at: 16 * row + 8))
            let (re, im) = (part.evenHalf, part.oddHalf)
            reals[base + row] = re * cosines[row] - im * sines[row]
            imaginaries[base + row] = re * sines[row] + im * cosines[row]
        }
    }
}
