public import Chirp
internal import RealModule

/// Columns of a ``ToneMeter``, and the format whose tones they are.
public struct ToneColumns: Sendable {
    public let format: WireFormat
    public let columns: [SIMD32<Float>]

    public init(format: WireFormat, columns: [SIMD32<Float>]) {
        self.format = format
        self.columns = columns
    }
}

/// The power of each of a format's 32 tones as sound goes by, for people to look at; it decides nothing.
///
/// All 32 are followed at once by Goertzel's recursion ("An algorithm for the evaluation of finite trigonometric series",
/// 1958), one lane of a vector each, over Hann windows of half a symbol, four in a symbol.
public struct ToneMeter: Sendable {
    /// Columns in a symbol.
    public static let columnsPerSymbol = 4

    /// The format whose tones are measured.
    public let format: WireFormat
    private let coefficients: SIMD32<Float>
    /// 0 for the tones that do not exist at the rate, 1 for the others.
    private let presence: SIMD32<Float>
    private let window: [Float]
    private let hop: Int
    private var pending: [Float] = []

    public init(sampleRateHertz: Double, format: WireFormat = .original) {
        var (coefficients, presence) = (SIMD32<Float>.zero, SIMD32<Float>.zero)
        for tone in 0..<format.toneCount {
            let pitch = format.pitchHertz(of: UInt8(tone))
            // A tone that does not exist at this rate would fold back: its lane has no power.
            guard pitch < sampleRateHertz / 2 else { continue }
            coefficients[tone] = Float(2 * Double.cos(2 * .pi * pitch / sampleRateHertz))
            presence[tone] = 1
        }
        self.format = format
        self.coefficients = coefficients
        self.presence = presence
        let length = Int(format.symbolSeconds / 2 * sampleRateHertz)
        window = (0..<length).map { Float(0.5 - 0.5 * Double.cos(2 * .pi * (Double($0) + 0.5) / Double(length))) }
        hop = max(1, Int(format.symbolSeconds * sampleRateHertz / Double(Self.columnsPerSymbol)))
    }

    /// Takes the next samples and gives back a column for every quarter of a symbol that they complete: the mean power of
    /// each tone, 0.5 for a tone at full scale.
    public mutating func process(_ samples: [Float]) -> [SIMD32<Float>] {
        pending += samples
        var columns: [SIMD32<Float>] = []
        var start = 0
        while start + window.count <= pending.count {
            columns.append(power(from: start))
            start += hop
        }
        pending.removeFirst(start)
        return columns
    }

    private func power(from start: Int) -> SIMD32<Float> {
        var (last, beforeLast) = (SIMD32<Float>.zero, SIMD32<Float>.zero)
        for (index, weight) in window.enumerated() {
            let next = coefficients * last - beforeLast + pending[start + index] * weight
            beforeLast = last
            last = next
        }
        let squares = last * last + beforeLast * beforeLast - coefficients * last * beforeLast
        // A sine of amplitude a adds up to a · length / 4 through a Hann window; its mean power is a² / 2.
        let scale = 8 / Float(window.count * window.count)
        return squares * presence * scale
    }
}
