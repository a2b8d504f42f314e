internal import Chirp
internal import RealModule

/// Watches how loud the channels of the input are together, and says when that is probably not what was meant.
public struct LevelMonitor: Sendable {
    /// Something about the input that a person can change.
    public enum Notice: Sendable, Hashable {
        /// Samples at full scale: the input is turned up too far. The part of them, 0–1.
        case clipped(share: Double)
        /// Nothing but zeros: muted, or not connected.
        case silent(seconds: Double)
        /// Hardly any noise: probably not the microphone that was meant. Root mean square in decibels of full scale.
        case quiet(decibels: Double)
    }

    /// A sample from here on is at full scale: 32,767 of 32,768 and all that rounds to it.
    static let fullScale: Float = 0.9999
    /// Beyond this it is a server's floating-point sample, which nothing has cut off.
    static let beyondScale: Float = 1.0001
    /// More than this part of samples at full scale within a second is clipping: single peaks do no harm.
    static let clippedShare = 0.001
    /// Below this level there is no sound at all; the last bit of 24 alternating makes −138 dB.
    static let silenceDecibels = -140.0
    /// A microphone in a still room delivers −65 to −45 dB with its own noise; sockets with nothing in them −85 to −95.
    static let quietDecibels = -75.0
    /// How long it lasts before it is said, in seconds.
    static let silenceSeconds = 5
    static let quietSeconds = 10

    private let windowLength: Int
    private var sampleCount = 0
    private var clippedCount = 0
    private var sum = 0.0
    private var silentSeconds = 0
    private var quietSeconds = 0
    private var wasClipped = false
    /// Peak of the last block, 0–1.
    public private(set) var peak: Float = 0

    /// - Parameter channelCount: how many channels have a sample in each frame.
    public init(sampleRateHertz: Double, channelCount: Int = 1) {
        windowLength = max(1, Int(sampleRateHertz)) * channelCount
    }

    /// Takes the next samples, frame by frame one of each channel, and gives back what they make worth saying: each condition once, until it has gone.
    public mutating func process(_ samples: [Float]) -> [Notice] {
        var notices: [Notice] = []
        peak = 0
        for sample in samples {
            let magnitude = abs(sample)
            peak = max(peak, magnitude)
            if magnitude >= Self.fullScale, magnitude <= Self.beyondScale { clippedCount += 1 }
            sum += Double(sample) * Double(sample)
            sampleCount += 1
            if sampleCount == windowLength { notices += endWindow() }
        }
        return notices
    }

    private mutating func endWindow() -> [Notice] {
        var notices: [Notice] = []
        let share = Double(clippedCount) / Double(windowLength)
        if share > Self.clippedShare, !wasClipped { notices.append(.clipped(share: share)) }
        wasClipped = share > Self.clippedShare
        let power = sum / Double(windowLength)
        let decibels = power > 0 ? 10 * Double.log10(power) : -.infinity
        silentSeconds = decibels < Self.silenceDecibels ? silentSeconds + 1 : 0
        let isQuiet = decibels >= Self.silenceDecibels && decibels < Self.quietDecibels
        quietSeconds = isQuiet ? quietSeconds + 1 : 0
        if silentSeconds == Self.silenceSeconds { notices.append(.silent(seconds: Double(silentSeconds))) }
        if quietSeconds == Self.quietSeconds { notices.append(.quiet(decibels: decibels)) }
        (sampleCount, clippedCount, sum) = (0, 0, 0)
        return notices
    }
}
