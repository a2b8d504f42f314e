internal import RealModule

/// The spectrum of one block of samples, and its value at any frequency between the bins.
///
/// The block is transformed with its middle at time zero and zeros around it, so that the correlation with a tone at any
/// frequency is nearly real-weighted sum of the four nearest bins. The weights are the least-squares ones: the four bins'
/// exponentials, summed with them, come as close as they can to the tone over the block. That is also the sum of
/// greatest signal-to-noise ratio in white noise.
struct FractionalBinTransform: ~Copyable, Sendable {
    let sampleRateHertz: Double
    /// Samples of a block: odd, so that it has a middle one.
    let blockLength: Int
    let length: Int
    private var transform: FourierTransform
    /// `taps[f]`: weights of the four bins around a frequency that lies f / fractionCount beyond the second of them.
    let taps: [SIMD4<Float>]
    /// Correlation gain of a tone at each fraction: the block's length less what the weights lose.
    let gains: [Float]

    static let fractionCount = 64

    /// - Parameters:
    ///   - longestBlock: the longest block that may be used, in samples.
    ///   - bandHertz: the frequencies that are looked at.
    ///   - padding: share of the block's length by which zeros make it longer at least: the more, the less four bins lose.
    init(longestBlock: Double, sampleRateHertz: Double, bandHertz: ClosedRange<Double>, padding: Double = 1.0 / 16) {
        self.sampleRateHertz = sampleRateHertz
        let whole = Int(longestBlock)
        blockLength = whole % 2 == 1 ? whole : whole - 1
        length = Self.fastLength(atLeast: blockLength + Int(Double(blockLength) * padding))
        // Eight bins more on either side: they are looked at in groups.
        let binsPerHertz = Double(length) / sampleRateHertz
        let bins = Int(bandHertz.lowerBound * binsPerHertz) - 8..<Int(bandHertz.upperBound * binsPerHertz) + 9
        transform = FourierTransform(length: length, bins: bins)
        let (blockLength, length) = (blockLength, length)
        let weights = (0...Self.fractionCount).map {
            Self.weights(offset: Double($0) / Double(Self.fractionCount), blockLength: blockLength, length: length)
        }
        taps = weights.map { $0.taps }
        gains = weights.map { $0.gain }
    }

    /// The smallest length of at least `minimum` that is 2^a or 5·2^a. At these the plans that FFTW estimates are as fast as
    /// those it measures; at other products of 2, 3 and 5 they take about twice the time.
    static func fastLength(atLeast minimum: Int) -> Int {
        var power = 8
        while power < minimum { power *= 2 }
        return power / 8 * 5 >= minimum ? power / 8 * 5 : power
    }

    /// Sum of cos(2π ν n / length) over the block: the inner product of two exponentials ν bins apart.
    static func kernel(_ distance: Double, blockLength: Int, length: Int) -> Double {
        let x = Double.pi * distance / Double(length)
        return abs(x) < 1e-9 ? Double(blockLength) : Double.sin(x * Double(blockLength)) / Double.sin(x)
    }

    /// Least-squares weights of bins −1, 0, 1, 2 for a tone `offset` bins above bin 0.
    private static func weights(offset: Double, blockLength: Int, length: Int) -> (taps: SIMD4<Float>, gain: Float) {
        let bins = [-1.0, 0, 1, 2]
        let matrix = bins.map { row in bins.map { kernel(row - $0, blockLength: blockLength, length: length) } }
        let right = bins.map { kernel($0 - offset, blockLength: blockLength, length: length) }
        let solution = Self.solution(matrix, right)
        let gain = (0..<4).reduce(0) { $0 + solution[$1] * right[$1] }
        return (SIMD4<Float>(solution.map(Float.init)), Float(gain))
    }

    /// The solution of a system of linear equations, by elimination.
    static func solution(_ left: [[Double]], _ right: [Double]) -> [Double] {
        var matrix = zip(left, right).map { $0 + [$1] }
        let count = right.count
        // A little of the identity keeps the weights small where the exponentials are nearly dependent.
        for i in 0..<count { matrix[i][i] *= 1 + 1e-6 }
        for pivot in 0..<count {
            for row in 0..<count where row != pivot {
                let factor = matrix[row][pivot] / matrix[pivot][pivot]
                for column in pivot...count { matrix[row][column] -= factor * matrix[pivot][column] }
            }
        }
        return (0..<count).map { matrix[$0][count] / matrix[$0][$0] }
    }

    /// Number of complex bins that `transformBlock` leaves.
    var binCount: Int { transform.binCount }

    /// The position of a frequency among the bins.
    func place(hertz: Double) -> FractionalBin {
        let bin = hertz / sampleRateHertz * Double(length)
        let whole = Int(bin)
        let fraction = Int(((bin - Double(whole)) * Double(Self.fractionCount)).rounded())
        return FractionalBin(firstBin: whole - 1, fraction: fraction)
    }

    /// Transforms `blockLength` samples of a recording, from number `start` on, and hands the spectrum to `read`: `binCount`
    /// complex values, those far outside the band zero, the phase being that in the middle of the block.
    @inline(__always)
    mutating func transformBlock(of recording: borrowing SampleRing, at start: Int, read: (Span<Float>) -> Void) {
        let (blockLength, total) = (blockLength, length)
        let middle = blockLength / 2
        transform.execute { input in
            // Between the two halves it is zero from the beginning.
            recording.copy(start + middle..<start + blockLength, to: &input, at: 0)
            recording.copy(start..<start + middle, to: &input, at: total - middle)
        } read: {
            read($0)
        }
    }

    /// The correlation with a tone: real and imaginary part, the phase being that in the middle of the block.
    @inline(__always)
    func value(_ spectrum: Span<Float>, at place: FractionalBin) -> SIMD2<Float> {
        let weights = taps[place.fraction]
        let i = 2 * place.firstBin
        let real =
            weights[0] * spectrum[i] + weights[1] * spectrum[i + 2] + weights[2] * spectrum[i + 4] + weights[3]
            * spectrum[i + 6]
        let imaginary =
            weights[0] * spectrum[i + 1] + weights[1] * spectrum[i + 3] + weights[2] * spectrum[i + 5] + weights[3]
            * spectrum[i + 7]
        return SIMD2(real, imaginary)
    }
}

/// Where a frequency lies in a spectrum: the first of the four bins that are summed for it, and how far beyond the
/// second it lies.
struct FractionalBin: Sendable {
    let firstBin: Int
    let fraction: Int
}

/// The weights with which a block's spectrum is correlated with several tones.
struct ToneWeights: Sendable {
    /// First of the floats of each tone's four bins, and the weight of each float.
    private let tones: [(place: Int, weights: SIMD8<Float>)]
    private let floatCount: Int

    /// - Parameter bins: where the tones lie; nil for one beyond the band, whose correlation is zero.
    init(_ bins: [FractionalBin?], transform: borrowing FractionalBinTransform) {
        floatCount = 2 * transform.binCount
        tones = bins.map { bin in
            guard let bin else { return (0, SIMD8()) }
            precondition(bin.firstBin >= 0 && bin.firstBin + 4 <= transform.binCount, "tones lie within the spectrum")
            let w = transform.taps[bin.fraction]
            return (2 * bin.firstBin, SIMD8(w[0], w[0], w[1], w[1], w[2], w[2], w[3], w[3]))
        }
    }

    /// A block's correlation with each tone, real and imaginary part in turn, the phase being that in the middle of the block.
    @inline(__always)
    func correlate(_ spectrum: Span<Float>, into correlations: inout [Float]) {
        let tones = tones.span
        var target = correlations.mutableSpan
        precondition(spectrum.count == floatCount, "the spectrum is of the transform that the weights were made for")
        precondition(2 * tones.count <= target.count, "each tone has a place")
        for tone in 0..<tones.count {
            let (place, weights) = unsafe tones[unchecked: tone]
            let taps = unsafe spectrum.eight(uncheckedAt: place) * weights
            let pairs = taps.lowHalf + taps.highHalf
            unsafe target[unchecked: 2 &* tone] = pairs[0] + pairs[2]
            unsafe target[unchecked: 2 &* tone &+ 1] = pairs[1] + pairs[3]
        }
    }
}
