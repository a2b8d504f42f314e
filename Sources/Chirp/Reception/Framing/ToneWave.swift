internal import RealModule

/// A tone's cosines and sines at some samples, counted from the middle of them, and zeros up to a multiple of eight.
struct ToneWave: Sendable {
    let count: Int
    private(set) var cosines: [SIMD8<Float>] = []
    private(set) var sines: [SIMD8<Float>] = []
    let cosineEnergy: Float
    let sineEnergy: Float

    /// - Parameter step: from one sample to the next, in radians.
    init(step: Double, count: Int) {
        self.count = count
        let groupCount = (count + 7) / 8
        cosines.reserveCapacity(groupCount)
        sines.reserveCapacity(groupCount)
        var phasors = EightPhasors(angle: -0.5 * step * Double(count - 1), step: step)
        for _ in 0..<groupCount {
            cosines.append(phasors.cosines)
            sines.append(phasors.sines)
            phasors.advance()
        }
        let mask = SIMD8<Float>(firstLanes: count - 8 * (groupCount - 1))
        cosines[groupCount - 1] *= mask
        sines[groupCount - 1] *= mask
        cosineEnergy = cosines.reduce(into: SIMD8()) { $0 += $1 * $1 }.total
        sineEnergy = Float(count) - cosineEnergy
    }
}

/// A tone's cosines and sines at eight samples in a row, and then at the eight after them.
private struct EightPhasors {
    private(set) var cosines = SIMD8<Float>()
    private(set) var sines = SIMD8<Float>()
    private let turnCosine: Float
    private let turnSine: Float

    /// - Parameters:
    ///   - angle: at the first sample, in radians.
    ///   - step: from one sample to the next.
    init(angle: Double, step: Double) {
        for lane in 0..<8 {
            cosines[lane] = Float(Double.cos(angle + Double(lane) * step))
            sines[lane] = Float(Double.sin(angle + Double(lane) * step))
        }
        turnCosine = Float(Double.cos(8 * step))
        turnSine = Float(Double.sin(8 * step))
    }

    @inline(__always)
    mutating func advance() {
        (cosines, sines) = (
            cosines * turnCosine - sines * turnSine, sines * turnCosine + cosines * turnSine
        )
    }
}
