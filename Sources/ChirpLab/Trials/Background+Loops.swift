internal import Chirp
internal import RealModule

extension Background {
    /// What repeats: a stretch of some seconds over and over, with noise beneath that does not.
    ///
    /// A recording, a melody, a machine, a metronome or an alarm; of every third the copies are not at quite the same distance, as when
    /// a hand starts them.
    func addLoop(_ recordings: [[Float]], to samples: inout [Float], using random: inout RandomSource) {
        let rate = Scenario.sampleRateHertz
        let spacing = Int(Double.random(in: 1.8...15, using: &random) * rate)
        let stretch = loopedStretch(recordings, count: spacing, using: &random)
        let jitter = Int.random(in: 0..<3, using: &random) == 0 ? Int(0.01 * rate) : 0
        var start = 0
        while start < samples.count {
            for (offset, sample) in stretch.enumerated() where start + offset < samples.count {
                samples[start + offset] += sample
            }
            start += spacing + Int.random(in: 0...jitter, using: &random)
        }
        let level = Double.random(in: -80 ... -10, using: &random)
        Gaussian().add(to: &samples, deviation: Float(Double.amplitudeRatio(decibels: level)), using: &random)
    }

    private func loopedStretch(
        _ recordings: [[Float]], count: Int, using random: inout RandomSource
    ) -> [Float] {
        var stretch = [Float](repeating: 0, count: count)
        switch Int.random(in: recordings.isEmpty ? 2..<6 : 0..<6, using: &random) {
        case 0, 1: addRecording(recordings, gain: 1, to: &stretch, using: &random)
        case 2: addMelody(to: &stretch, using: &random)
        case 3: addMachines(to: &stretch, using: &random)
        case 4: addBeats(to: &stretch, using: &random)
        default: addAlarm(to: &stretch, using: &random)
        }
        return stretch
    }

    /// A metronome's beats, or a song's: short notes of one pitch at 40 to 240 a minute, an accent on the first of some.
    private func addBeats(to samples: inout [Float], using random: inout RandomSource) {
        let rate = Scenario.sampleRateHertz
        let beat = 60 / Double.random(in: 40...240, using: &random)
        let length = Double.random(in: 0.005...0.1, using: &random)
        let accent = Int.random(in: 1...6, using: &random)
        // Every other one has pitches of the chirp's own scale.
        let note = Double.random(in: -24...31, using: &random)
        let pitch =
            WireFormat.original.basePitchHertz
            * Double.exp2((Bool.random(using: &random) ? note.rounded() : note) / 12)
        var (time, number) = (0.0, 0)
        while time * rate < Double(samples.count) {
            let range = Int(time * rate)..<min(Int((time + length) * rate), samples.count)
            let accented = number % accent == 0
            addNote(pitchHertz: accented ? pitch * 1.5 : pitch, gain: accented ? 0.4 : 0.3, to: &samples, in: range)
            time += beat
            number += 1
        }
    }

    /// Two to four steady tones in turn, as alarms, reversing lorries and level crossings have, with a pause or without.
    private func addAlarm(to samples: inout [Float], using random: inout RandomSource) {
        let rate = Scenario.sampleRateHertz
        let length = Double.random(in: 0.04...0.6, using: &random)
        let pause = Bool.random(using: &random) ? Double.random(in: 0.02...0.6, using: &random) : 0
        let isOwn = Bool.random(using: &random)
        let pitches = (0..<Int.random(in: 2...4, using: &random)).map { _ in
            isOwn
                ? WireFormat.original.pitchHertz(of: UInt8.random(in: 0..<32, using: &random))
                : 400 * Double.exp2(.random(in: 0...4.5, using: &random))
        }
        var (time, number) = (0.0, 0)
        while time * rate < Double(samples.count) {
            let pitch = pitches[number % pitches.count]
            addSteadyTone(
                fromHertz: pitch, toHertz: pitch, gain: 0.3, to: &samples,
                in: Int(time * rate)..<min(Int((time + length) * rate), samples.count))
            time += length + pause
            number += 1
        }
    }
}
