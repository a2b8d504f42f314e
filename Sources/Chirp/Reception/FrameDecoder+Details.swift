internal import RealModule

extension FrameDecoder {
    /// What is measured of a frame once its symbols are known.
    struct Details: Sendable {
        var signalPower: Double
        /// Pitch of each of the twenty tones as heard.
        var pitchesHertz: [Double]
        var tuningCents: Double
        var speed: Double
    }

    /// Measures a decoded frame: power, pitches, tuning, speed.
    mutating func details(of frame: DecodedFrame, _ recording: borrowing Recording) -> Details {
        _ = weigh(recording, frame.hypothesis)
        let tuning = commonTuning(of: frame.codeword.frame, fallback: frame.hypothesis.tuningCents)
        let ratio = Double.exp2(tuning / 1200)
        var signal = 0.0
        var pitches: [Double] = []
        for (symbol, tone) in frame.codeword.frame.enumerated() {
            let nominal = format.pitchHertz(of: tone)
            var pitch = nominal * ratio
            if evidence.ratios[32 * symbol + Int(tone)] > 8,
                let own = spectra.deviationCents(symbol: symbol, tone: tone)
            {
                pitch = nominal * Double.exp2(own / 1200)
            }
            pitches.append(pitch)
            let index = 32 * symbol + Int(tone)
            signal += Double(energies[index] - min(energies[index], evidence.floors[Int(tone)]))
        }
        // A tone of power P has energy P · length / 2 on the scale on which white noise has its variance.
        let power = signal / Double(format.frameSymbolCount) * 2 / Double(transform.blockLength)
        // Clocks and tapes change pitch and tempo together, and pitch is measured far better.
        let tempo = 1 / frame.hypothesis.stretch
        let speed = abs(ratio / tempo - 1) < 0.004 ? ratio : tempo
        return Details(signalPower: power, pitchesHertz: pitches, tuningCents: tuning, speed: speed)
    }
}
