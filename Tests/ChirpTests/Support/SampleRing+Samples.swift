@testable import Chirp

extension SampleRing {
    /// All of some samples, the first of them being number 0.
    init(_ samples: [Float]) {
        self.init(silence: 0, span: samples.count)
        take(samples)
    }

    /// Takes some samples, all of which may be looked at.
    mutating func take(_ samples: [Float]) {
        var count = 0
        while count < samples.count { count += append(samples.span.extracting(count...)) }
        horizon = end
    }
}
