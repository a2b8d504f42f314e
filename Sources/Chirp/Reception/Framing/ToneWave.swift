/// A tone's cosines and, as imaginary parts, sines at some samples, counted from the middle of them, and zeros up to a multiple of eight.
struct ToneWave: Sendable {
    let count: Int
    private(set) var values: [ComplexLanes] = []
    let cosineEnergy: Float
    let sineEnergy: Float

    /// - Parameter step: from one sample to the next, in radians.
    init(step: Double, count: Int) {
        self.count = count
        let groupCount = (count + 7) / 8
        values.reserveCapacity(groupCount)
        let first = -0.5 * step * Double(count - 1)
        var angles = SIMD8<Double>()
        for lane in 0..<8 { angles[lane] = first + Double(lane) * step }
        var group = ComplexLanes(angles: angles)
        let turn = ComplexLanes(angles: SIMD8(repeating: 8 * step))
        for _ in 0..<groupCount {
            values.append(group)
            group = group * turn
        }
        values[groupCount - 1] = values[groupCount - 1] * SIMD8(firstLanes: count - 8 * (groupCount - 1))
        cosineEnergy = values.reduce(into: SIMD8()) { $0 += $1.real * $1.real }.total
        sineEnergy = Float(count) - cosineEnergy
    }
}
