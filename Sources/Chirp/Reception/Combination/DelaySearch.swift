internal import RealModule

/// Finds how much later one copy of a sound began than was supposed, by the phases of its tones: they turn with the delay, each by its pitch.
struct DelaySearch: Sendable {
    private typealias Lanes = SIMD8<Float>

    /// A delay, and how well the phases agree with it.
    struct Peak: Sendable {
        let seconds: Double
        let value: Float
        /// Whether they agree with the inverse of the sound.
        var isInverted = false

        /// Of one copy beside itself.
        static let none = Peak(seconds: 0, value: 0)
    }

    /// From one delay that is looked at to the next, in seconds: a fifth of a period of the highest tone, a twentieth of one of the lowest.
    private static let stepSeconds = 20e-6
    /// Delays of a group, all of whose phases are at hand, and groups.
    private static let fineCount = 80
    private static let coarseCount = 15
    /// Delays reach so far to either side, 12 ms: as far as copies may be off, and what one copy by itself says about its place.
    private static let reachSeconds = 0.5 * stepSeconds * Double(fineCount * coarseCount)

    let pitchesHertz: [Double]
    private let format: WireFormat
    /// Phases at the delays after the middle of a group: of each tone at eight of them, then at the next eight.
    private let fine: [ComplexLanes]
    /// From no delay to the middle of each group.
    private let coarse: [TonePhases]

    init(_ format: WireFormat) {
        self.format = format
        let pitchesHertz = (0..<32).map { format.pitchHertz(of: $0) }
        self.pitchesHertz = pitchesHertz
        fine = (0..<Self.fineCount / 16).flatMap { group in
            pitchesHertz.map { pitch in
                var angles = SIMD8<Double>()
                for lane in 0..<8 {
                    angles[lane] = 2 * Double.pi * pitch * Self.stepSeconds * (Double(8 * group + lane) + 0.5)
                }
                return ComplexLanes(angles: angles)
            }
        }
        coarse = (0..<Self.coarseCount)
            .map {
                let seconds = Double(Self.fineCount * (2 * $0 + 1 - Self.coarseCount)) * 0.5 * Self.stepSeconds
                return TonePhases(pitchesHertz: pitchesHertz, seconds: seconds)
            }
    }

    /// The delays of a copy at which its phases agree most with a sum's, the best first.
    ///
    /// - Parameters:
    ///   - products: of the sum's correlations with the conjugates of the copy's, over all symbols.
    ///   - count: of the peaks at most.
    ///   - mayBeInverted: whether the copy may be, as one channel of a recording is where two wires were exchanged.
    func peaks(_ products: TonePhasors, count: Int, mayBeInverted: Bool) -> [Peak] {
        let values = values(products)
        let all = values.span
        var peaks: [Peak] = []
        var least = -Float.infinity
        for first in stride(from: 0, to: all.count, by: 8) {
            let eight = all.eight(at: first)
            // Most are less than the peaks at hand.
            guard eight.greatest > least || mayBeInverted && (-eight).greatest > least else { continue }
            for index in max(1, first)..<min(first + 8, all.count - 1) {
                let isInverted = mayBeInverted && all[index] < 0
                let sign: Float = isInverted ? -1 : 1
                let at = sign * all[index]
                guard at > least else { continue }
                let (before, after) = (sign * all[index - 1], sign * all[index + 1])
                guard at > before, at >= after else { continue }
                let offset = parabolaPeak(before, at, after)
                let peak = Peak(
                    seconds: (Double(index) + 0.5 + Double(offset)) * Self.stepSeconds - Self.reachSeconds,
                    value: at + 0.25 * (after - before) * offset, isInverted: isInverted)
                if peaks.count == count { peaks.removeLast() }
                peaks.insert(peak, at: peaks.firstIndex { $0.value < peak.value } ?? peaks.count)
                if peaks.count == count { least = peaks[count - 1].value }
            }
        }
        return peaks
    }

    /// The correlations of the frame that begins at a place, in blocks, as they were if it had begun at the place of the first one.
    func correlations(of place: Double, beside first: Double, _ history: borrowing ToneHistory) -> TonePhasors {
        let blockSeconds = format.symbolSeconds / Double(CoarseAcquisition.blocksPerSymbol)
        let turns = TonePhases(pitchesHertz: pitchesHertz, seconds: (place - first) * blockSeconds)
        let symbolCount = format.frameSymbolCount
        return history.amplitudes(from: Int(place.rounded(.down)), symbolCount: symbolCount)
            .correlations(of: place, symbolCount: symbolCount).turned(by: turns)
    }

    /// Real parts of the products' sum at each delay, its phases turned back.
    private func values(_ products: TonePhasors) -> [Float] {
        let half = Self.fineCount / 2
        let phasors = fine.span
        var turned = products
        var values = [Float](repeating: 0, count: Self.fineCount * Self.coarseCount)
        var target = values.mutableSpan
        for (group, turns) in coarse.enumerated() {
            for row in turned.values.indices {
                turned.values[row] = products.values[row].timesConjugate(turns.values[row])
            }
            let middle = Self.fineCount * group + half
            for first in stride(from: 0, to: half, by: 8) {
                // Of a delay and its opposite the cosines are the same, and the sines have opposite signs.
                let (even, odd) = Self.sums(turned.values.span, phasors.extracting(4 * first..<4 * first + 32))
                for lane in 0..<8 {
                    target[middle + first + lane] = even[lane] + odd[lane]
                    target[middle - 1 - first - lane] = even[lane] - odd[lane]
                }
            }
        }
        return values
    }

    /// Sums over the tones of what goes with the cosines and of what goes with the sines.
    private static func sums(_ products: Span<ComplexLanes>, _ phasors: Span<ComplexLanes>) -> (even: Lanes, odd: Lanes)
    {
        precondition(phasors.count == 8 * products.count, "each tone has its phases")
        var (even, odd) = (Lanes(), Lanes())
        for row in products.indices {
            let product = products[row]
            for lane in 0..<8 {
                let phasor = unsafe phasors[unchecked: 8 &* row &+ lane]
                even += phasor.real * product.real[lane]
                odd += phasor.imaginary * product.imaginary[lane]
            }
        }
        return (even, odd)
    }
}
