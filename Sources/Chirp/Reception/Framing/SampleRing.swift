/// The last few seconds of samples, numbered from the first one heard.
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
    /// Room for `span`, or the silence, and a chunk: the newest takes the place of the oldest, so that none is ever moved.
    private var ring: [Float]
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

    init(silence: Int, span: Int) {
        self.silence = silence
        self.span = span
        chunkLength = max(1, span / 4)
        roomInChunk = chunkLength
        ring = [Float](repeating: 0, count: max(silence, span) + chunkLength)
        reset()
    }

    mutating func reset() {
        origin = -silence
        end = 0
        horizon = origin
        roomInChunk = chunkLength
        let range = 0..<silence
        var target = ring.mutableSpan
        target.clear(range)
    }

    /// Adds samples, those that are no numbers or beyond all sound as zeros, up to the end of the chunk; gives their number.
    mutating func append(_ new: Span<Float>) -> Int {
        let taken = makeRoom(new.count)
        let (place, first) = place(of: end, taken)
        var target = ring.mutableSpan
        target.copyAudible(new, 0..<first, to: place)
        target.copyAudible(new, first..<taken, to: 0)
        end += taken
        return taken
    }

    /// Adds zeros up to the end of the chunk; gives their number.
    mutating func appendSilence(_ length: Int) -> Int {
        let taken = makeRoom(length)
        let (place, first) = place(of: end, taken)
        var target = ring.mutableSpan
        target.clear(place..<place + first)
        target.clear(0..<taken - first)
        end += taken
        return taken
    }

    /// How many of so many new samples belong to this chunk.
    private mutating func makeRoom(_ length: Int) -> Int {
        if roomInChunk == 0 {
            roomInChunk = chunkLength
            origin = max(origin, end - span)
        }
        let taken = min(length, roomInChunk)
        roomInChunk -= taken
        return taken
    }

    /// Where in the ring a sample is, and how many of so many from it on lie there before the ring begins anew.
    @inline(__always)
    private func place(of number: Int, _ length: Int) -> (place: Int, first: Int) {
        let place = (number &+ silence) % ring.count
        return (place, min(length, ring.count &- place))
    }

    /// Copies samples to `start` and on, zeros for those that are not there or not to be looked at.
    @inline(__always)
    func copy(_ range: Range<Int>, to target: inout MutableSpan<Float>, at start: Int) {
        guard range.lowerBound >= origin, range.upperBound <= horizon else {
            return copyPart(range, to: &target, at: start)
        }
        let (place, first) = place(of: range.lowerBound, range.count)
        target.copy(ring.span, place..<place + first, to: start)
        target.copy(ring.span, 0..<range.count - first, to: start + first)
    }

    private func copyPart(_ range: Range<Int>, to target: inout MutableSpan<Float>, at start: Int) {
        target.clear(start..<start + range.count)
        let (low, high) = (max(origin, range.lowerBound), min(horizon, range.upperBound))
        guard low < high else { return }
        copy(low..<high, to: &target, at: start + low - range.lowerBound)
    }

    /// Puts others in the place of samples that are there, the first of them being number `number`.
    mutating func replace(from number: Int, by samples: Span<Float>) {
        precondition(number >= origin && number + samples.count <= end, "the samples are there")
        let (place, first) = place(of: number, samples.count)
        var target = ring.mutableSpan
        target.copy(samples, 0..<first, to: place)
        target.copy(samples, first..<samples.count, to: 0)
    }
}
