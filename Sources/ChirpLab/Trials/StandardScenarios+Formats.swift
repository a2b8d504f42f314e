internal import Chirp

extension StandardScenarios {
    /// The channels that the formats beside the original are for.
    static func formats(_ recordings: Recordings, seed: UInt64) -> [Row] {
        telephone + ultrasonic(recordings, seed: seed) + fast(seed: seed)
    }

    private static func white(_ format: WireFormat, _ snrs: [(snr: Double, target: Double?)]) -> [Row] {
        snrs.map { snr, target in
            Row("\(format.name)-white\(snr.formattedShortly)", target: target) {
                Scenario(
                    $0, transmission: Transmission(format: format), disturbances: [WhiteNoise(snrDecibels: snr)])
            }
        }
    }

    /// Telephone codecs at 8 kHz, none when ffmpeg is not installed.
    private static var telephone: [Row] {
        let codecs =
            Codec.isAvailable
            ? Codec.Kind.telephone.map { kind in
                Row("telephone-\(kind.rawValue)", target: kind == .muLaw ? 1 : 0.97) {
                    Scenario(
                        $0, transmission: Transmission(format: .telephone),
                        disturbances: [WhiteNoise(snrDecibels: quietSNRDecibels)],
                        capture: [Resampling(to: 8_000)] + [Codec(kind)].compactMap(\.self))
                }
            } : []
        return codecs + white(.telephone, [(-23, 0.99), (-26, nil)])
    }

    private static func ultrasonic(_ recordings: Recordings, seed: UInt64) -> [Row] {
        let loudspeaker = Loudspeaker(downAt19kHertzDecibels: 20, sampleRateHertz: Scenario.sampleRateHertz)
        let rooms: [Row] =
            recordings.music.isEmpty
            ? []
            : [
                Row("ultrasonic-room-0.6s-3m-music+10", target: 0.98) {
                    Scenario(
                        $0, transmission: Transmission(format: .ultrasonic),
                        propagation: [loudspeaker, reverberation(seconds: 0.6, metres: 3, seed: seed, name: $0)],
                        disturbances: [RecordedNoise(recordings: recordings.music, snrDecibels: -10)])
                }
            ]
        return white(.ultrasonic, [(-23, 0.97), (-25, 0.50), (-26, nil)]) + rooms
    }

    private static func fast(seed: UInt64) -> [Row] {
        white(.fast, [(-15, 0.99), (-20, nil)]) + [
            Row("fast-room-0.3s-2m", target: 0.95) {
                Scenario(
                    $0, transmission: Transmission(format: .fast),
                    propagation: [reverberation(seconds: 0.3, metres: 2, seed: seed, name: $0)],
                    disturbances: [WhiteNoise(snrDecibels: quietSNRDecibels)])
            }
        ]
    }
}
