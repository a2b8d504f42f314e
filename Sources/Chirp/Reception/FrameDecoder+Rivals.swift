internal import RealModule

extension FrameDecoder {
    /// How much likelier a frame is than chirps of any pitch that begin one to nineteen symbols later, together, in nats.
    ///
    /// Of a chirp that is still to come the receiver has heard some tones, maybe most. They are as plainly there as a whole
    /// chirp's and may nearly fit another word, a few symbols earlier. But then the start code fits where that chirp begins, and
    /// what is taken for the symbols before it is noise.
    mutating func leadOverLater(_ frame: DecodedFrame, _ recording: borrowing Recording) -> Float {
        let symbolLength = format.symbolSeconds * sampleRateHertz * frame.hypothesis.stretch
        var own: Float = 0
        var rivals: [Float] = []
        for quarter in 0..<4 {
            var hypothesis = frame.hypothesis
            hypothesis.startSample += 0.25 * Double(quarter) * symbolLength
            _ = weigh(recording, hypothesis)
            let exact = evidence.synchronisations(energies: energies)
            _ = weighBands()
            let free = evidence.synchronisations(energies: energies)
            rivals += exact.later + free.later
            // The parity evidence, which the start code's is part of, is relative to that of any twenty tones.
            if quarter == 0 { own = (frame.hasFreeTones ? free.own : exact.own) + frame.parityEvidence }
        }
        let most = rivals.max() ?? 0
        return own - most - Float.log(rivals.reduce(0) { $0 + Float.exp($1 - most) })
    }
}
