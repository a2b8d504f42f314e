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
        let first = -0.5 * step * Double(count - 1)
        var (cosine, sine) = (SIMD8<Float>(), SIMD8<Float>())
        for lane in 0..<8 {
            cosine[lane] = Float(Double.cos(first + Double(lane) * step))
            sine[lane] = Float(Double.sin(first + Double(lane) * step))
        }
        let (turnCosine, turnSine) = (Float(Double.cos(8 * step)), Float(Double.sin(8 * step)))
        for _ in 0..<groupCount {
            cosines.append(cosine)
            sines.append(sine)
            (cosine, sine) = (cosine * turnCosine - sine * turnSine, sine * turnCosine + cosine * turnSine)
        }
        let mask = SIMD8<Float>(firstLanes: count - 8 * (groupCount - 1))
        cosines[groupCount - 1] *= mask
        sines[groupCount - 1] *= mask
        cosineEnergy = cosines.reduce(into: SIMD8()) { $0 += $1 * $1 }.total
        sineEnergy = Float(count) - cosineEnergy
    }
}
