/// The last few seconds of samples as a receiver has left them, numbered from the first one heard.
///
/// Samples are taken in chunks that begin at fixed places of the stream, and the oldest are dropped only between two
/// chunks: what is still there when a sample arrives does not depend on how the stream was cut.
struct SampleRing: ~Copyable, Sendable {
    /// Samples of silence before the first one.
    let silence: Int
    /// Samples that are kept at least.
    private let span: Int
    /// Samples of a chunk.
    private let chunkLength: Int
    /// What was heard, for all receivers of the stream.
    private let samples: SharedSamples
    private var streamNumber = 0
    /// What was put in the place of it; later ones hide those before them.
    private var changes: [Change] = []
    /// Number of the oldest sample that is there.
    private(set) var origin = 0
    /// Number of the sample after the last one.
    private(set) var end = 0
    /// Number of the sample after the last one that may be looked at. What a chunk has beyond it depends on how the stream
    /// was cut.
    var horizon = 0 {
        didSet { precondition(horizon <= end, "nothing is looked at before it is heard") }
    }
    private var roomInChunk: Int
    /// How many samples are kept in the place of what was heard.
    var changedCount: Int { changes.reduce(0) { $0 + $1.samples.count } }

    /// Samples in the place of those from a number on.
    private struct Change: Sendable {
        var first: Int
        var samples: [Float]
        var end: Int { first + samples.count }

        /// Forgets the samples before a number.
        mutating func removeAll(before number: Int) {
            guard number > first else { return }
            samples.removeFirst(min(number - first, samples.count))
            first = number
        }

        /// Takes samples from a number on, which is at most that of the next one.
        mutating func set(_ new: Span<Float>, from number: Int) {
            let place = number - first
            let missing = place + new.count - samples.count
            if missing > 0 { samples.append(contentsOf: repeatElement(0, count: missing)) }
            var target = samples.mutableSpan
            target.copy(new, 0..<new.count, to: place)
        }
    }

    /// - Parameter samples: where samples are kept that other rings of the stream take as well.
    init(silence: Int, span: Int, samples: SharedSamples = SharedSamples()) {
        self.silence = silence
        self.span = span
        chunkLength = max(1, span / 16)
        roomInChunk = chunkLength
        self.samples = samples
        samples.reserve(span + chunkLength)
        reset()
    }

    mutating func reset() {
        origin = -silence
        end = 0
        horizon = origin
        roomInChunk = chunkLength
        changes = []
        streamNumber += 1
    }

    /// Adds samples, those that are no numbers or beyond all sound as zeros, up to the end of the chunk; gives their number.
    mutating func append(_ new: Span<Float>) -> Int {
        let taken = makeRoom(new.count)
        samples.append(new.extracting(..<taken), from: end, ofStream: streamNumber)
        end += taken
        return taken
    }

    /// Adds zeros after the last sample, up to the end of the chunk; gives their number.
    mutating func appendSilence(_ length: Int) -> Int {
        let taken = makeRoom(length)
        end += taken
        return taken
    }

    /// How many of so many new samples belong to this chunk.
    private mutating func makeRoom(_ length: Int) -> Int {
        if roomInChunk == 0 {
            roomInChunk = chunkLength
            origin = max(origin, end - span)
            // Where chirps overlap without end, each one's change goes on from that of the one before.
            for index in changes.indices { changes[index].removeAll(before: origin) }
            if !changes.isEmpty { changes.removeAll { $0.samples.isEmpty } }
        }
        let taken = min(length, roomInChunk)
        roomInChunk -= taken
        return taken
    }

    /// Copies samples to `start` and on, zeros for those that are not there or not to be looked at.
    @inline(__always)
    func copy(_ range: Range<Int>, to target: inout MutableSpan<Float>, at start: Int) {
        guard range.lowerBound >= max(0, origin), range.upperBound <= min(horizon, samples.end) else {
            return copyPart(range, to: &target, at: start)
        }
        samples.copy(range, to: &target, at: start)
        if !changes.isEmpty { copyChanges(range, to: &target, at: start) }
    }

    /// The same where some of them are silence.
    private func copyPart(_ range: Range<Int>, to target: inout MutableSpan<Float>, at start: Int) {
        let first = max(0, origin)
        let heard = range.clamped(to: first..<max(first, min(horizon, samples.end)))
        let place = heard.isEmpty ? start : start + heard.lowerBound - range.lowerBound
        target.clear(start..<place)
        if !heard.isEmpty { samples.copy(heard, to: &target, at: place) }
        target.clear(place + heard.count..<start + range.count)
        let known = range.clamped(to: origin..<max(origin, horizon))
        copyChanges(known, to: &target, at: start + known.lowerBound - range.lowerBound)
    }

    private func copyChanges(_ range: Range<Int>, to target: inout MutableSpan<Float>, at start: Int) {
        for change in changes {
            let part = range.clamped(to: change.first..<change.end)
            guard !part.isEmpty else { continue }
            target.copy(
                change.samples.span, part.lowerBound - change.first..<part.upperBound - change.first,
                to: start + part.lowerBound - range.lowerBound)
        }
    }

    /// Puts others in the place of samples that are there, the first of them being number `number`.
    mutating func replace(from number: Int, by new: [Float]) {
        let last = number + new.count
        precondition(number >= origin && last <= end, "the samples are there")
        // Of those that it touches the last one hides the others.
        if let index = changes.lastIndex(where: { $0.first <= last && $0.end >= number }),
            changes[index].first <= number
        {
            changes[index].set(new.span, from: number)
        } else {
            changes.append(Change(first: number, samples: new))
        }
    }
}
