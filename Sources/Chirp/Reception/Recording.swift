/// The last few seconds of samples.
struct Recording: Sendable {
    /// Samples of silence before the first one.
    let silence: Int
    /// Samples that are kept at least.
    let span: Int
    /// Samples that are taken at a time.
    var chunkLength: Int { span / 4 }
    private(set) var samples: [Float] = []
    /// Number of the first of `samples`, counted from the first one heard.
    private(set) var origin = 0

    init(silence: Int, span: Int) {
        self.silence = silence
        self.span = span
        samples.reserveCapacity(2 * span)
        reset()
    }

    /// Number of the sample after the last one.
    var end: Int { origin + samples.count }

    mutating func reset() {
        samples.removeAll(keepingCapacity: true)
        samples.append(contentsOf: repeatElement(0, count: silence))
        origin = -silence
    }

    /// Adds samples, those that are not finite as zeros, and drops the oldest.
    mutating func append(_ new: Span<Float>) {
        drop()
        samples.reserveCapacity(samples.count + new.count)
        do {
            for index in new.indices {
                let value = new[index]
                // Not a number, or infinite: the difference is not a number.
                samples.append(value - value == 0 ? value : 0)
            }
        }
    }

    mutating func appendSilence(_ count: Int) {
        drop()
        samples.append(contentsOf: repeatElement(0, count: count))
    }

    private mutating func drop() {
        let surplus = samples.count - span
        guard surplus > span / 2 else { return }
        samples.removeFirst(surplus)
        origin += surplus
    }

    /// Lets samples be changed; the body is given them and the number of the first.
    mutating func change<Result>(_ body: (inout [Float], Int) -> Result) -> Result {
        body(&samples, origin)
    }
}
