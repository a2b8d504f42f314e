/// The last few seconds of the samples of a stream, which receivers of several formats look at in turn: what each of them changes is in its own
/// ``SampleRing``.
///
/// `@unchecked Sendable`: a store is never handed out, and the receivers that share it have one owner.
final class SharedSamples: @unchecked Sendable {
    // Checks at run time that nothing else looks at these meanwhile would be a fiftieth of what noise costs.
    @exclusivity(unchecked) private var ring: [Float] = []
    /// Number of the sample after the last one.
    var end: Int { unsafe heardCount }
    @exclusivity(unchecked) private var heardCount = 0
    /// How often a stream has begun.
    @exclusivity(unchecked) private var streamNumber = 0
    /// By how many samples one receiver may be ahead of another.
    private let lead: Int

    init(lead: Int = 0) { self.lead = lead }

    /// Makes room for so many samples, before the first one.
    func reserve(_ length: Int) {
        precondition(end == 0, "nothing has been heard")
        unsafe ring.append(contentsOf: repeatElement(0, count: max(0, length + lead - ring.count)))
    }

    /// Takes samples from `number` on, but those that another receiver of the stream has handed over; what is no number or beyond all sound is zero.
    func append(_ samples: Span<Float>, from number: Int, ofStream stream: Int) {
        if unsafe stream != streamNumber { unsafe (streamNumber, heardCount) = (stream, 0) }
        let known = end - number
        precondition(known >= 0, "samples come without a gap")
        guard known < samples.count else { return }
        let (place, first) = place(of: end, samples.count - known)
        unsafe heardCount = number + samples.count
        unsafe Self.copy(samples.extracting(known...), count: first, to: &ring, at: place)
    }

    /// Copies samples to a place in a ring and, from so many on, to its beginning.
    private static func copy(_ samples: Span<Float>, count first: Int, to ring: inout [Float], at place: Int) {
        var target = ring.mutableSpan
        target.copyAudible(samples, 0..<first, to: place)
        target.copyAudible(samples, first..<samples.count, to: 0)
    }

    /// Copies samples that are there to `start` and on.
    @inline(__always)
    func copy(_ range: Range<Int>, to target: inout MutableSpan<Float>, at start: Int) {
        let (place, first) = place(of: range.lowerBound, range.count)
        let samples = unsafe ring
        target.copy(samples.span, place..<place + first, to: start)
        target.copy(samples.span, 0..<range.count - first, to: start + first)
    }

    /// Where in the ring a sample is, and how many of so many from it on lie there before the ring begins anew.
    @inline(__always)
    private func place(of number: Int, _ length: Int) -> (place: Int, first: Int) {
        let count = unsafe ring.count
        let place = number % count
        return (place, min(length, count &- place))
    }
}
