/// Phases of the 32 tones, in rows of eight: what correlations with the tones are turned by to refer to a common moment.
struct TonePhases: Sendable {
    static let rows = 4

    private(set) var values: [ComplexLanes]

    /// By which the tones go on in some time.
    init(pitchesHertz: [Double], seconds: Double, isInverted: Bool = false) {
        self.init(turns: pitchesHertz.map { -($0 * seconds + (isInverted ? 0.5 : 0)) })
    }

    /// exp(−2πi · turns) for each tone.
    init(turns: [Double]) {
        var angles = [SIMD8<Double>](repeating: SIMD8(), count: Self.rows)
        for (tone, turn) in turns.enumerated() {
            angles[tone / 8][tone % 8] = -2 * Double.pi * (turn - turn.rounded(.down))
        }
        values = angles.map { ComplexLanes(angles: $0) }
    }

    /// Turns each phase by another one.
    mutating func turn(by other: TonePhases) { Self.turn(&values, by: other.values.span) }

    /// This is apart from the structure, so that a write to the array is checked once and not for each element.
    private static func turn(_ phases: inout [ComplexLanes], by others: Span<ComplexLanes>) {
        var phases = phases.mutableSpan
        for row in 0..<rows { phases[row] = phases[row] * others[row] }
    }

    /// The product of correlations, real and imaginary part in turn, and phases.
    func turn(_ correlations: [Float], into target: inout [ComplexLanes], at base: Int) {
        let (correlations, phases) = (correlations.span, values.span)
        var target = target.mutableSpan
        for row in 0..<Self.rows {
            let parts = SIMD16(
                lowHalf: correlations.eight(at: 16 * row), highHalf: correlations.eight(at: 16 * row + 8))
            target[base + row] = ComplexLanes(parts.evenHalf, parts.oddHalf) * phases[row]
        }
    }
}
