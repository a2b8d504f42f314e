internal import RealModule

extension Background {
    /// Noise of a spectrum drawn at random between the rumble of wind and hiss, its level moving
    /// as gusts and handling noise do.
    func addColouredNoise(to samples: inout [Float], using random: inout RandomSource) {
        var noise = [Float](repeating: 0, count: samples.count)
        Gaussian().add(to: &noise, deviation: 0.1, using: &random)
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            // A first-order shelf: from its corner on, 6 dB an octave down or up.
            let corner = 100 * Double.exp2(.random(in: 0...7, using: &random))
            let pole = Float(Double.exp(-2 * .pi * corner / Scenario.sampleRateHertz))
            let rises = Double.random(in: 0..<1, using: &random) < 0.3
            var memory: Float = 0
            for i in noise.indices {
                memory = pole * memory + (1 - pole) * noise[i]
                noise[i] = rises ? noise[i] - memory : memory
            }
        }
        // Gusts: a gain in decibels that wanders between points a tenth of a second to three seconds apart.
        var (place, from, to) = (0, 0.0, Double.random(in: -30...0, using: &random))
        while place < noise.count {
            let length = Int(Double.random(in: 0.1...3, using: &random) * Scenario.sampleRateHertz)
            let first = Float(Double.amplitudeRatio(decibels: from))
            let ratio = Float(Double.amplitudeRatio(decibels: (to - from) / Double(length)))
            var gain = first
            for i in place..<min(place + length, noise.count) {
                samples[i] += gain * noise[i]
                gain *= ratio
            }
            (place, from, to) = (place + length, to, Double.random(in: -30...0, using: &random))
        }
        if Bool.random(using: &random) {
            for harmonic in 1...6 {
                addSteadyTone(
                    fromHertz: 50 * Double(harmonic), toHertz: 50 * Double(harmonic), gain: 0.05 / Double(harmonic),
                    to: &samples, in: samples.indices)
            }
        }
    }

    /// Tones as machines make them.
    func addMachines(to samples: inout [Float], using random: inout RandomSource) {
        let rate = Scenario.sampleRateHertz
        var place = 0.0
        while place * rate < Double(samples.count) {
            let seconds = Double.random(in: 1...6, using: &random)
            let stretch = Int(place * rate)..<min(Int((place + seconds) * rate), samples.count)
            let gain = 0.3 * Double.amplitudeRatio(decibels: .random(in: -40...0, using: &random))
            switch Int.random(in: 0..<5, using: &random) {
            case 0: addWhistles(gain: gain, to: &samples, in: stretch, using: &random)
            case 1: addSweeps(gain: gain, to: &samples, in: stretch, using: &random)
            default: addKeying(gain: gain, to: &samples, in: stretch, using: &random)
            }
            place += seconds * Double.random(in: 0.5...1.2, using: &random)
        }
    }

    /// A modem's or a toy's keying: random tones of some scale at a steady beat. A fifth of them use the chirp's own
    /// pitches and beat, with symbols that mean nothing.
    private func addKeying(
        gain: Double, to samples: inout [Float], in range: Range<Int>, using random: inout RandomSource
    ) {
        let isOwn = Double.random(in: 0..<1, using: &random) < 0.2
        let beat = isOwn ? 0.0872 : Double.random(in: 0.01...0.3, using: &random)
        let lowest = isOwn ? 1_760 : 300 * Double.exp2(.random(in: 0...4, using: &random))
        let ratio = isOwn ? Double.exp2(1 / 12) : Double.exp2(.random(in: 0.02...0.5, using: &random))
        let count = isOwn ? 32 : Int.random(in: 2...32, using: &random)
        var start = range.lowerBound
        while start < range.upperBound {
            let end = min(start + Int(beat * Scenario.sampleRateHertz), range.upperBound)
            let pitch = lowest * Double.pow(ratio, Int.random(in: 0..<count, using: &random))
            if pitch < 20_000 {
                addSteadyTone(fromHertz: pitch, toHertz: pitch, gain: gain, to: &samples, in: start..<end)
            }
            start = max(end, start + 1)
        }
    }

    private func addWhistles(
        gain: Double, to samples: inout [Float], in range: Range<Int>, using random: inout RandomSource
    ) {
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let pitch = 200 * Double.exp2(.random(in: 0...6, using: &random))
            addSteadyTone(fromHertz: pitch, toHertz: pitch, gain: gain, to: &samples, in: range)
        }
    }

    private func addSweeps(
        gain: Double, to samples: inout [Float], in range: Range<Int>, using random: inout RandomSource
    ) {
        var start = range.lowerBound
        while start < range.upperBound {
            let length = Int(Double.random(in: 0.05...2, using: &random) * Scenario.sampleRateHertz)
            let (from, to) = (
                200 * Double.exp2(.random(in: 0...6, using: &random)),
                200 * Double.exp2(.random(in: 0...6, using: &random))
            )
            addSteadyTone(
                fromHertz: from, toHertz: to, gain: gain, to: &samples,
                in: start..<min(start + length, range.upperBound))
            start += max(length, 1)
        }
    }

    /// A tone without decay whose pitch moves from one to another.
    func addSteadyTone(
        fromHertz: Double, toHertz: Double, gain: Double, to samples: inout [Float], in range: Range<Int>
    ) {
        guard !range.isEmpty else { return }
        let rate = Scenario.sampleRateHertz
        let step = 2 * Double.pi * fromHertz / rate
        let bend = 2 * Double.pi * (toHertz - fromHertz) / rate / Double(range.count)
        // A phasor turned by another one that is turned itself.
        var (turnRe, turnIm) = (Double.cos(step), Double.sin(step))
        let (bendRe, bendIm) = (Double.cos(bend), Double.sin(bend))
        var (re, im) = (gain, 0.0)
        for i in range {
            samples[i] += Float(im)
            (re, im) = (re * turnRe - im * turnIm, re * turnIm + im * turnRe)
            (turnRe, turnIm) = (turnRe * bendRe - turnIm * bendIm, turnRe * bendIm + turnIm * bendRe)
        }
    }
}
