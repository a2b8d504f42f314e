internal import RealModule

extension FrameDecoder {
    /// What is measured of a frame once its symbols are known.
    struct Details: Sendable {
        /// Mean square of the chirp's samples.
        var signalPower: Double
        /// Pitch of each of the twenty tones as received.
        var pitchesHertz: [Double]
        /// How far all of them are off, by their median.
        var tuningCents: Double
        /// Tempo as played over the nominal one.
        var speed: Double
        /// Symbols after the preamble whose strongest tone was another one.
        var correctedSymbolCount: Int
    }

    /// Energy over the noise floor from which on a tone is taken at its own pitch, the strongest bin's near it, and not at the
    /// common one. Of the 60 bins within ±47 cents of a high tone the strongest one of noise has more once in ten million times.
    static let minimumOwnPitch: Float = 20

    /// Measures a decoded frame, if that has not been done: power, pitches, tuning, speed.
    mutating func details(of frame: DecodedFrame, _ samples: borrowing SampleRing) -> Details {
        if let details = frame.details { return details }
        var soft = observe(samples, frame.timing)
        let tones = format.frame(of: frame.codeword)
        let tuning = commonTuning(of: tones, in: soft, fallback: frame.timing.tuningCents)
        // The timing has the tuning of where the frame was read first. In noise that may be the better one.
        let retuned = self.soft(tuningCents: tuning)
        if retuned.frameLLR >= soft.frameLLR { soft = retuned }
        let peaks = tones.enumerated().map { ownPeak(of: $0.element, symbol: $0.offset, in: soft) }
        var signal = 0.0
        for (symbol, tone) in tones.enumerated() {
            let (exact, floor) = (soft.energies[32 * symbol + Int(tone)], soft.floors[Int(tone)])
            signal += Double(peaks[symbol].map { max(exact, $0.energy) - floor } ?? max(0, exact - floor))
        }
        // Each tone's own where it is plain, and else the common one.
        let pitches = zip(tones, peaks).map { pitchHertz(of: $0, cents: $1?.cents ?? tuning) }
        if frame.hasFreeTones { soft = self.soft(tuningCents: nil) }
        return Details(
            signalPower: power(ofTone: signal / Double(format.frameSymbolCount)), pitchesHertz: pitches,
            tuningCents: tuning, speed: speed(of: frame, tuningCents: tuning),
            correctedSymbolCount: correctedSymbols(frame.codeword, in: soft))
    }

    /// Measures a plain frame, whose symbols are all right, by what is at hand: a soft frame less than half a symbol beside its place, and the
    /// correlations with its tones.
    func details(ofPlain frame: DecodedFrame, in soft: SoftFrame, _ correlator: WordCorrelator) -> Details {
        let tones = format.frame(of: frame.codeword)
        let tuning = commonTuning(of: tones, in: soft, fallback: frame.timing.tuningCents)
        // Something of the last symbol may be still to come.
        let received = tones.count - 1
        let energy = correlator.energy(at: frame.timing, symbolCount: received) / Float(received)
        let noise = tones.reduce(0) { $0 + soft.floors[Int($1)] } / Float(tones.count)
        let own = correlator.pitchesHertz(at: frame.timing)
        let pitches = tones.enumerated().map { symbol, tone in
            ownPeak(of: tone, symbol: symbol, in: soft) == nil ? pitchHertz(of: tone, cents: tuning) : own[symbol]
        }
        return Details(
            signalPower: power(ofTone: Double(max(0, energy - noise))), pitchesHertz: pitches, tuningCents: tuning,
            speed: speed(of: frame, tuningCents: tuning), correctedSymbolCount: 0)
    }

    /// The power of tones by their mean energy: of power P it is P · length / 2 on the scale on which white noise has its variance.
    private func power(ofTone energy: Double) -> Double { energy * 2 / Double(transform.blockLength) }

    /// Clocks and tapes change pitch and tempo together, and pitch is measured far better.
    private func speed(of frame: DecodedFrame, tuningCents: Double) -> Double {
        let (ratio, tempo) = (Double.exp2(tuningCents / 1200), 1 / frame.timing.periodRatio)
        return abs(ratio / tempo - 1) < 0.004 ? ratio : tempo
    }

    /// The strongest bin near a symbol's tone, where it is plainly the tone's.
    func ownPeak(of tone: UInt8, symbol: Int, in soft: SoftFrame) -> (energy: Float, cents: Double)? {
        spectra.peak(symbol: symbol, tone: tone).flatMap {
            $0.energy > Self.minimumOwnPitch * soft.floors[Int(tone)] ? $0 : nil
        }
    }

    /// How many symbols of a codeword have another tone that is stronger, and by more above its noise.
    private func correctedSymbols(_ codeword: Codeword, in soft: SoftFrame) -> Int {
        let preambleCount = format.startCode.count
        return codeword.symbols.enumerated().count { place, symbol in
            let row = 32 * (place + preambleCount)
            let own = row + Int(symbol)
            return (row..<row + 32).contains {
                soft.ratios[$0] > soft.ratios[own] && soft.energies[$0] > soft.energies[own]
            }
        }
    }
}
