internal import RealModule

extension FrameDecoder {
    /// What is measured of a frame once its symbols are known.
    struct Details: Sendable {
        var signalPower: Double
        /// Pitch of each of the twenty tones as received.
        var pitchesHertz: [Double]
        var tuningCents: Double
        var speed: Double
        /// Symbols after the preamble whose strongest tone was another one.
        var correctedSymbolCount: Int
    }

    /// Energy over the noise floor from which on a tone is taken at its own pitch, the strongest bin's near it, and not at the
    /// common one. Of the 60 bins within ±47 cents of a high tone the strongest one of noise has more once in ten million times.
    static let minimumOwnPitch: Float = 20

    /// Measures a decoded frame: power, pitches, tuning, speed.
    mutating func details(of frame: DecodedFrame, _ samples: borrowing SampleRing) -> Details {
        var soft = observe(samples, frame.timing)
        let tones = format.frame(of: frame.codeword)
        let tuning = commonTuning(of: tones, in: soft, fallback: frame.timing.tuningCents)
        let ratio = Double.exp2(tuning / 1200)
        // The timing has the tuning of where the frame was read first. In noise that may be the better one.
        let retuned = softTuned(cents: tuning)
        if retuned.frameLLR >= soft.frameLLR { soft = retuned }
        var signal = 0.0
        var pitches: [Double] = []
        for (symbol, tone) in tones.enumerated() {
            let floor = soft.floors[Int(tone)]
            let exact = soft.energies[32 * symbol + Int(tone)]
            if let peak = spectra.peak(symbol: symbol, tone: tone), peak.energy > Self.minimumOwnPitch * floor {
                pitches.append(format.pitchHertz(of: tone) * Double.exp2(peak.cents / 1200))
                signal += Double(max(exact, peak.energy) - floor)
            } else {
                pitches.append(format.pitchHertz(of: tone) * ratio)
                signal += Double(exact - min(exact, floor))
            }
        }
        // A tone of power P has energy P · length / 2 on the scale on which white noise has its variance.
        let power = signal / Double(format.frameSymbolCount) * 2 / Double(transform.blockLength)
        if frame.hasFreeTones { soft = softBands() }
        // Clocks and tapes change pitch and tempo together, and pitch is measured far better.
        let tempo = 1 / frame.timing.periodRatio
        let speed = abs(ratio / tempo - 1) < 0.004 ? ratio : tempo
        return Details(
            signalPower: power, pitchesHertz: pitches, tuningCents: tuning, speed: speed,
            correctedSymbolCount: correctedSymbols(frame.codeword, in: soft))
    }

    /// How many symbols of a codeword have another tone that is stronger, and by more above its noise.
    private func correctedSymbols(_ codeword: Codeword, in soft: SoftFrame) -> Int {
        let opening = format.startCode.count
        return codeword.symbols.enumerated().count { place, symbol in
            let row = 32 * (place + opening)
            let own = row + Int(symbol)
            return (row..<row + 32).contains {
                soft.ratios[$0] > soft.ratios[own] && soft.energies[$0] > soft.energies[own]
            }
        }
    }
}
