/// The last few seconds of samples.
///
/// Samples are taken in chunks that begin at fixed places of the stream, and the oldest are dropped only between two
/// chunks: what is still there when a sample arrives does not depend on how the stream was cut.
struct Recording: Sendable {
    /// Samples of silence before the first one.
    let silence: Int
    /// Samples that are kept at least.
    let span: Int
    /// Samples of a chunk.
    private let chunkLength: Int
    /// Room for twice `span`, so that few samples are moved twice.
    private(set) var samples: [Float]
    /// How many of `samples` are in use.
    private var count = 0
    /// Number of the sample after the last one that may be looked at. What a chunk has beyond it depends on how the stream
    /// was cut.
    var horizon = 0
    /// Number of the first of `samples`, counted from the first one heard.
    private(set) var origin = 0
    private var roomInChunk: Int

    init(silence: Int, span: Int) {
        self.silence = silence
        self.span = span
        chunkLength = span / 4
        roomInChunk = chunkLength
        samples = [Float](repeating: 0, count: 2 * span + chunkLength)
        reset()
    }

    /// Number of the sample after the last one.
    var end: Int { origin + count }
    /// How many of `samples` may be looked at.
    var visibleCount: Int { horizon - origin }

    mutating func reset() {
        count = silence
        origin = -silence
        horizon = origin
        roomInChunk = chunkLength
        let range = 0..<silence
        var target = samples.mutableSpan
        target.clear(range)
    }

    /// Adds samples, those that are not finite as zeros, up to the end of the chunk; gives their number.
    mutating func append(_ new: Span<Float>) -> Int {
        let taken = makeRoom(new.count)
        let start = count
        var target = samples.mutableSpan
        target.copyFinite(new, 0..<taken, to: start)
        count += taken
        return taken
    }

    /// Adds zeros up to the end of the chunk; gives their number.
    mutating func appendSilence(_ length: Int) -> Int {
        let taken = makeRoom(length)
        let range = count..<count + taken
        var target = samples.mutableSpan
        target.clear(range)
        count += taken
        return taken
    }

    /// How many of so many new samples belong to this chunk.
    private mutating func makeRoom(_ length: Int) -> Int {
        if roomInChunk == 0 {
            roomInChunk = chunkLength
            if count + chunkLength > samples.count { drop(count - span) }
        }
        let taken = min(length, roomInChunk)
        roomInChunk -= taken
        return taken
    }

    private mutating func drop(_ surplus: Int) {
        // Forward, so that what is read has not been written yet.
        let range = surplus..<count
        var target = samples.mutableSpan
        target.move(range, to: 0)
        count -= surplus
        origin += surplus
    }

    /// Lets samples be changed; the body is given them, the number of those up to the horizon and the number of the first.
    mutating func change<Result>(_ body: (inout MutableSpan<Float>, Int, Int) -> Result) -> Result {
        let (count, origin) = (visibleCount, origin)
        var all = samples.mutableSpan
        return body(&all, count, origin)
    }
}
