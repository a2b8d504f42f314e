internal import RealModule

/// Normal deviates of mean 0 and variance 1 by the ziggurat method with 128 layers (Marsaglia and Tsang, "The Ziggurat
/// Method for Generating Random Variables", J. Statistical Software 5(8), 2000; layer index and value are drawn from
/// different bits, after Doornik, 2005).
public struct Gaussian: Sendable {
    /// Right edge of each layer; `edges[0]` is that of the base rectangle with the tail folded in.
    private let edges: [Float]
    /// `edges[i + 1] / edges[i]`: below this share of a layer's width the point is under the curve for certain.
    private let certain: [Float]

    private static let layerCount = 128
    /// Where the tail begins and the area of every layer, for 128 layers (Marsaglia and Tsang, section 2).
    private static let tailStart = 3.442619855899
    private static let layerArea = 9.91256303526217e-3

    public init() {
        func density(_ x: Double) -> Double { Double.exp(-0.5 * x * x) }
        var x = [Double](repeating: 0, count: Self.layerCount + 1)
        x[0] = Self.layerArea / density(Self.tailStart)
        x[1] = Self.tailStart
        for i in 2..<Self.layerCount {
            x[i] = (-2 * Double.log(Self.layerArea / x[i - 1] + density(x[i - 1]))).squareRoot()
        }
        edges = x.map(Float.init)
        certain = (0..<Self.layerCount).map { Float(x[$0 + 1] / x[$0]) }
    }

    /// One deviate.
    @inline(__always)
    public func next(using random: inout RandomSource) -> Float {
        while true {
            let bits = random.next()
            let layer = Int(bits & 127)
            // 24 bits of sign and magnitude from the upper half: uniform in −1…1.
            let u = Float(Int64(bitPattern: bits) >> 39) * 0x1p-24
            if u.magnitude < certain[layer] { return u * edges[layer] }
            if let deviate = exceptional(layer: layer, u: u, using: &random) { return deviate }
        }
    }

    /// The 1.2 % of cases at a layer's edge or in the tail.
    @inline(never)
    private func exceptional(layer: Int, u: Float, using random: inout RandomSource) -> Float? {
        if layer == 0 {
            // Marsaglia, "Generating a variable from the tail of the normal distribution", 1964.
            var x = 0.0
            var y = 0.0
            repeat {
                x = -Double.log(1 - Double.random(in: 0..<1, using: &random)) / Self.tailStart
                y = -Double.log(1 - Double.random(in: 0..<1, using: &random))
            } while 2 * y < x * x
            return Float(u < 0 ? -(Self.tailStart + x) : Self.tailStart + x)
        }
        let x = Double(u * edges[layer])
        let outer = Double(edges[layer])
        let inner = Double(edges[layer + 1])
        let low = Double.exp(-0.5 * (outer * outer - x * x))
        let high = Double.exp(-0.5 * (inner * inner - x * x))
        return high + Double.random(in: 0..<1, using: &random) * (low - high) < 1 ? Float(x) : nil
    }

    /// Adds deviates of a given standard deviation to every sample.
    public func add(to samples: inout [Float], deviation: Float, using random: inout RandomSource) {
        for i in samples.indices { samples[i] += deviation * next(using: &random) }
    }
}
