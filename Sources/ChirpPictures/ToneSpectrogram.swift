public import Chirp
internal import RealModule

/// Power over time and pitch on the format's own scale: a row of the picture is a quarter of the way to the next tone.
///
/// Each row is a correlation with one windowed complex tone whose length gives it the bandwidth of a row, up to 53 % of
/// a symbol, 46 ms of the original's (a constant-Q transform: Brown, JASA 89, 1991). Memory is constant: when there are too many
/// columns, every two become one.
public struct ToneSpectrogram: Sendable {
    public let format: WireFormat
    public let sampleRateHertz: Double

    static let rowsPerTone = 4
    /// Tones of margin below the first tone and above the last.
    static let margin = 2
    private static let longestSymbols = 0.046 / 0.0872
    private static let finestHopSeconds = 0.005
    private static let mostColumns = 1_500

    private struct Row: Sendable {
        let cosines: [Float]
        let sines: [Float]
    }

    private let rows: [Row]
    private let hop: Int
    private let reach: Int
    private var buffer: [Float]
    /// Hops that make up one column; doubles when the columns become too many.
    private var hopsPerColumn = 1
    private var hopsInColumn = 0
    /// `power[column][row]`, the greatest within the column.
    private(set) var power: [[Float]] = []
    private(set) var sampleCount = 0

    public init(sampleRateHertz: Double, format: WireFormat = .original) {
        self.sampleRateHertz = sampleRateHertz
        self.format = format
        hop = max(1, Int(Self.finestHopSeconds * sampleRateHertz))
        reach = Int(Self.longestSymbols * format.symbolSeconds * sampleRateHertz) | 1
        // A window is centred on its column's time.
        buffer = [Float](repeating: 0, count: reach / 2)
        let (reach, format) = (reach, format)
        rows = (0..<Self.rowCount(format)).map { row in
            let place = Self.place(ofRow: Double(row))
            let pitch = format.pitchHertz(at: place)
            guard pitch < sampleRateHertz / 2 else { return Row(cosines: [], sines: []) }
            let spacing = format.pitchHertz(at: place + 1 / Double(Self.rowsPerTone)) - pitch
            // The main lobe of a Hann window is 1.44 / T wide at −3 dB (Harris, Proc. IEEE 66, 1978).
            let length = min(reach, Int(1.8 / spacing * sampleRateHertz) | 1)
            let window = (0..<length).map {
                (1 - Double.cos(2 * .pi * (Double($0) + 0.5) / Double(length))) / Double(length)
            }
            let step = 2 * Double.pi * pitch / sampleRateHertz
            return Row(
                cosines: window.enumerated().map { Float($1 * Double.cos(step * Double($0))) },
                sines: window.enumerated().map { Float($1 * Double.sin(step * Double($0))) })
        }
    }

    static func rowCount(_ format: WireFormat) -> Int { (format.toneCount - 1 + 2 * margin) * rowsPerTone + 1 }
    /// Tones above the first of a row, −2 for the lowest.
    static func place(ofRow row: Double) -> Double { row / Double(rowsPerTone) - Double(margin) }

    public var durationSeconds: Double { Double(sampleCount) / sampleRateHertz }
    /// Length of time that one column stands for.
    var columnSeconds: Double { Double(hopsPerColumn * hop) / sampleRateHertz }

    /// Takes the next samples, mono.
    public mutating func process(_ samples: some Collection<Float>) {
        sampleCount += samples.count
        buffer.append(contentsOf: samples)
        analyse()
    }

    /// Ends the sound.
    public mutating func finish() {
        buffer.append(contentsOf: repeatElement(0, count: reach / 2 + hop))
        analyse()
    }

    private mutating func analyse() {
        var start = 0
        while start + reach <= buffer.count {
            let values = rows.map { row -> Float in
                let first = start + (reach - row.cosines.count) / 2
                let (c, s) = (correlate(row.cosines, from: first), correlate(row.sines, from: first))
                return c * c + s * s
            }
            add(values)
            start += hop
        }
        buffer.removeFirst(start)
    }

    private func correlate(_ tone: [Float], from first: Int) -> Float {
        let (tone, samples) = (tone.span, buffer.span.extracting(first..<first + tone.count))
        var sum: Float = 0
        for i in tone.indices { sum = Relaxed.multiplyAdd(tone[i], samples[i], sum) }
        return sum
    }

    private mutating func add(_ values: [Float]) {
        if hopsInColumn == 0 {
            power.append(values)
        } else {
            for i in values.indices { power[power.count - 1][i] = max(power[power.count - 1][i], values[i]) }
        }
        hopsInColumn = (hopsInColumn + 1) % hopsPerColumn
        guard power.count > Self.mostColumns, hopsInColumn == 0 else { return }
        let isOdd = power.count % 2 == 1
        power = stride(from: 0, to: power.count, by: 2).map { i in
            guard i + 1 < power.count else { return power[i] }
            return power[i].indices.map { max(power[i][$0], power[i + 1][$0]) }
        }
        // An odd column at the end is now half full.
        hopsInColumn = isOdd ? hopsPerColumn : 0
        hopsPerColumn *= 2
    }
}

extension WireFormat {
    /// The pitch at a place on the scale of symbols, 0.5 between the first two.
    func pitchHertz(at place: Double) -> Double {
        if let toneSpacingHertz { return basePitchHertz + toneSpacingHertz * place }
        return basePitchHertz * Double.pow(pitchRatio, place)
    }

    /// The place of a pitch on the scale of symbols.
    func place(ofHertz hertz: Double) -> Double {
        if let toneSpacingHertz { return (hertz - basePitchHertz) / toneSpacingHertz }
        return Double.log2(hertz / basePitchHertz) / Double.log2(pitchRatio)
    }
}
