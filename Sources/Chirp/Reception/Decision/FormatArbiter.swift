/// Decides which detections of several formats are believed where they overlap.
///
/// A chirp of one format has tones of which another format's receiver now and then makes a weak chirp of its own: `fast` has the tones of
/// `original`. So a detection that shares time and band with a clearly more certain one of another format is believed only when it is as
/// good as certain itself.
///
/// A detection is compared with those of earlier steps, and, if it is not certain, with what the other formats' receivers are just
/// receiving or found at the end of its own. Steps have a length of their own, so that the result does not depend on how the samples are cut.
struct FormatArbiter {
    /// Length of a step, in seconds.
    static let stepSeconds = 0.02
    /// The confidence from which on a detection is believed beside any other.
    static let certainConfidence = 0.999
    /// How many times as likely to be wrong as the other one a detection is that is not believed.
    private static let minimumDoubtRatio = 10.0
    /// How much of the shorter of two chirps they must share.
    private static let minimumSharedFraction = 0.25
    /// How long detections are remembered, in seconds: a receiver looks three frames back.
    private static let memorySeconds = 8.0

    /// Detections of earlier steps.
    private var known: [DetectedChirp] = []
    /// Detections of this step.
    private var fresh: [DetectedChirp] = []

    /// Those detections of the current step that are believed.
    mutating func believed(_ chirps: [DetectedChirp]) -> [DetectedChirp] {
        let believed = chirps.filter { chirp in !known.contains { Self.contradicts($0, chirp) } }
        fresh += believed
        return believed
    }

    /// Whether a detection that was believed is contradicted by another one of the same step.
    func isContradictedInStep(_ chirp: DetectedChirp) -> Bool { fresh.contains { Self.contradicts($0, chirp) } }

    /// The confidence from which on another detection makes one unlikely.
    static func contradictingConfidence(of chirp: DetectedChirp) -> Double {
        1 - (1 - chirp.confidence) / minimumDoubtRatio
    }

    /// When a frame of another format may have begun that makes a detection unlikely, in seconds; nil where none does.
    static func startsOfRivals(of chirp: DetectedChirp, in format: WireFormat) -> ClosedRange<Double>? {
        guard isContestable(chirp, by: format) else { return nil }
        let shared = minimumSharedFraction * min(format.frameSeconds, chirp.durationSeconds)
        return chirp.startSeconds - format.frameSeconds + shared...chirp.startSeconds + chirp.durationSeconds - shared
    }

    /// Ends the step: its detections count from now on.
    mutating func endStep(atSeconds seconds: Double) {
        guard !known.isEmpty || !fresh.isEmpty else { return }
        known.removeAll { $0.startSeconds + $0.durationSeconds < seconds - Self.memorySeconds }
        known += fresh
        fresh = []
    }

    /// Whether any detection of some format may make a detection unlikely: another format in the same band, where that is not certain itself.
    private static func isContestable(_ chirp: DetectedChirp, by format: WireFormat) -> Bool {
        chirp.confidence < certainConfidence && chirp.repeats == 1 && format != chirp.format
            && format.bandHertz.overlaps(chirp.format.bandHertz)
    }

    /// Whether a detection makes another one unlikely.
    private static func contradicts(_ other: DetectedChirp, _ chirp: DetectedChirp) -> Bool {
        guard isContestable(chirp, by: other.format), other.confidence > contradictingConfidence(of: chirp) else {
            return false
        }
        let end = min(other.startSeconds + other.durationSeconds, chirp.startSeconds + chirp.durationSeconds)
        let shared = end - max(other.startSeconds, chirp.startSeconds)
        return shared > minimumSharedFraction * min(other.durationSeconds, chirp.durationSeconds)
    }
}
