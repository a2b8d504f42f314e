internal import Chirp
internal import RealModule

/// Endless sound without a chirp in it, piece by piece.
public enum Background: Sendable {
    /// White Gaussian noise.
    case white
    /// Noise of other colours, in bursts and gusts, with hum beneath.
    case coloured
    /// What machines sound like: tones in a row at steady beats, on the chirp's pitches and beside them, sweeps, whistles.
    case machines
    /// Notes of the chirp's own scale, which is that of all music tuned to A = 440 Hz: melody and chords with overtones.
    case melody
    /// Recordings played from random places at speeds of 0.7–1.4, forwards and backwards, one to three at once, with a
    /// little noise beneath.
    case recordings([[Float]])
    /// What repeats every 1.8 to 15 seconds: recordings, if there are any, melodies, machines, metronomes and alarms.
    case loops([[Float]])

    public var name: String {
        switch self {
        case .white: "white noise"
        case .coloured: "coloured noise"
        case .machines: "machines"
        case .melody: "random melodies"
        case .recordings: "recordings"
        case .loops: "loops"
        }
    }

    /// How long the pieces are that it is made in: for what repeats, long enough for sixteen copies at the shortest distance and eight at the
    /// longest.
    var pieceSeconds: Double {
        if case .loops = self { 120 } else { 30 }
    }

    /// The next piece, of so many samples at the laboratory's rate.
    func piece(count: Int, using random: inout RandomSource) -> [Float] {
        var samples = [Float](repeating: 0, count: count)
        switch self {
        case .white:
            Gaussian().add(to: &samples, deviation: 0.1, using: &random)
        case .coloured: addColouredNoise(to: &samples, using: &random)
        case .machines:
            addMachines(to: &samples, using: &random)
            let level = Double.random(in: -60 ... -20, using: &random)
            Gaussian().add(to: &samples, deviation: Float(Double.amplitudeRatio(decibels: level)), using: &random)
        case .melody:
            addMelody(to: &samples, using: &random)
            Gaussian().add(to: &samples, deviation: 0.001, using: &random)
        case .recordings(let recordings):
            addRecording(recordings, gain: 1, to: &samples, using: &random)
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                addRecording(recordings, gain: .random(in: 0.1...1, using: &random), to: &samples, using: &random)
            }
            let level = Double.random(in: -80 ... -20, using: &random)
            Gaussian().add(to: &samples, deviation: Float(Double.amplitudeRatio(decibels: level)), using: &random)
        case .loops(let recordings): addLoop(recordings, to: &samples, using: &random)
        }
        return samples
    }

    func addRecording(
        _ recordings: [[Float]], gain: Float, to samples: inout [Float], using random: inout RandomSource
    ) {
        guard let recording = recordings.randomElement(using: &random), !recording.isEmpty else { return }
        let speed = Double.random(in: 0.7...1.4, using: &random)
        let needed = min(Int(Double(samples.count) * speed) + 2, recording.count)
        let start = Int.random(in: 0...recording.count - needed, using: &random)
        let stretch = recording[start..<start + needed]
        let player = Background.players[Int((speed - 0.7) / 0.025)]
        let played = player.resampled(Bool.random(using: &random) ? Array(stretch) : stretch.reversed())
        guard !played.isEmpty else { return }
        for i in samples.indices { samples[i] += gain * played[i % played.count] }
    }

    /// Players at 29 speeds: making one takes longer than a second of sound. Their few taps let a little of the
    /// highest octave fold back, which is as good a background.
    private static let players = (0..<29).map {
        Resampling(to: Scenario.sampleRateHertz, speed: 0.7 + 0.025 * Double($0), half: 8)
    }

    func addMelody(to samples: inout [Float], using random: inout RandomSource) {
        let rate = Scenario.sampleRateHertz
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            // Each voice has its tempo; a beat of 87 ms would be a chirp's own.
            let beat = Double.random(in: 0.06...0.4, using: &random)
            let overtones = Int.random(in: 1...4, using: &random)
            var time = 0.0
            while time * rate < Double(samples.count) {
                let length = beat * Double(Int.random(in: 1...4, using: &random))
                let note = Int.random(in: -24...31, using: &random)
                let pitch = WireFormat.original.basePitchHertz * Double.exp2(Double(note) / 12)
                let range = Int(time * rate)..<min(Int((time + length) * rate), samples.count)
                for overtone in 1...overtones where pitch * Double(overtone) < rate / 2 {
                    addNote(pitchHertz: pitch * Double(overtone), gain: 0.2 / Double(overtone), to: &samples, in: range)
                }
                time += length
            }
        }
    }

    func addNote(pitchHertz: Double, gain: Double, to samples: inout [Float], in range: Range<Int>) {
        let step = 2 * Double.pi * pitchHertz / Scenario.sampleRateHertz
        // A plucked note, 20 dB down after a second.
        let decay = Double.exp(-2.3 / Scenario.sampleRateHertz)
        let (c, s) = (decay * Double.cos(step), decay * Double.sin(step))
        var (re, im) = (gain, 0.0)
        for i in range {
            samples[i] += Float(im)
            (re, im) = (re * c - im * s, re * s + im * c)
        }
    }
}
