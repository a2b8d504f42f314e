internal import Chirp

/// Original chirps whose pitches were read by hand off recordings: up to 48 cents off the nominal tones.
///
/// The same numbers, with where they come from, are in Tests/ChirpTests/Vectors/measured-pitches.json.
struct MeasuredChirp: Sendable {
    let shortcode: Shortcode
    /// Of the twenty symbols, in the order played.
    let pitchesHertz: [Double]

    static let all: [MeasuredChirp] = readings.compactMap { code, pitches in
        (try? Shortcode(parsing: code)).map { MeasuredChirp(shortcode: $0, pitchesHertz: pitches) }
    }

    private static let readings: [(String, [Double])] = [
        (
            "gsm2h88c7u",
            [
                4717, 5300, 4453, 8981, 6324, 1976, 4717, 2797, 2797, 3522, 2640, 10000, 3737, 9400, 6660, 3965, 4189,
                2220, 7131, 5613,
            ]
        ),
        (
            "mnac2dvevb",
            [
                4717, 5300, 6324, 6660, 3143, 3522, 1976, 3737, 10844, 3965, 10844, 3329, 5000, 4717, 2797, 6660, 4189,
                2098, 3965, 2220,
            ]
        ),
        (
            "9gf6q9ltu3",
            [
                4717, 5300, 2963, 4453, 4189, 2490, 7922, 2963, 5945, 9400, 10000, 2098, 7922, 5945, 7521, 3965, 8981,
                5000, 4717, 2098,
            ]
        ),
    ]
}
