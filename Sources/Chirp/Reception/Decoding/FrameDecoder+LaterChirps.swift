internal import RealModule

extension FrameDecoder {
    /// How much likelier a frame is than chirps of any pitch that begin one to nineteen symbols later, together, in nats.
    ///
    /// Of a chirp that is still to come the receiver has some tones, maybe most. They are as plainly there as a whole chirp's and may
    /// nearly fit another word, a few symbols earlier. But then the preamble fits where that chirp begins, and what is taken for the symbols
    /// before it is noise.
    mutating func marginOverLater(_ frame: DecodedFrame, _ samples: borrowing SampleRing) -> Float {
        let symbolLength = symbolSamples * frame.timing.periodRatio
        var own: Float = 0
        var rivals: [Float] = []
        for quarter in 0..<4 {
            let timing = frame.timing.later(bySamples: 0.25 * Double(quarter) * symbolLength)
            let exact = observe(samples, timing).laterFrameLLRs()
            let free = soft(tuningCents: nil).laterFrameLLRs()
            rivals += exact.later + free.later
            // The codeword evidence, which the preamble's is part of, is relative to that of any twenty tones.
            if quarter == 0 { own = (frame.hasFreeTones ? free.own : exact.own) + frame.features.codewordEvidence }
        }
        let most = rivals.max() ?? 0
        return own - most - Float.log(rivals.reduce(0) { $0 + Float.exp($1 - most) })
    }
}
