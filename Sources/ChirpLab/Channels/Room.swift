internal import RealModule

/// A rectangular room: impulse responses by the image method (Allen and Berkley, "Image method for efficiently
/// simulating small-room acoustics", JASA 65(4), 1979), images placed between samples (Peterson, JASA 80(5), 1986).
public struct Room: Sendable, Hashable {
    /// Length, width and height in metres.
    public let size: SIMD3<Double>
    /// Seconds in which the reverberation falls by 60 dB.
    public let reverberationSeconds: Double
    /// Amplitude reflected by each of the six walls.
    public let reflection: Double
    /// In metres per second, at 20 °C.
    static let speedOfSound = 343.0

    public init(size: SIMD3<Double> = [6.2, 5.1, 2.9], reverberationSeconds: Double) {
        precondition(reverberationSeconds > 0 && size.min() > 0, "a room has a size and a reverberation time")
        self.size = size
        self.reverberationSeconds = reverberationSeconds
        reflection = Self.reflection(size: size, reverberationSeconds: reverberationSeconds)
    }

    /// From a source to a microphone, in metres from one corner.
    ///
    /// It begins 1 ms before the direct sound, which has an amplitude of 1 whatever the distance, and lasts for the
    /// reverberation time. The number of images grows with the cube of that: some 4 million, and 0.1 s, for 1.5 s.
    public func impulseResponse(
        source: SIMD3<Double>, microphone: SIMD3<Double>, sampleRateHertz: Double
    ) -> [Float] {
        let direct = distance(source - microphone)
        let lead = 0.001
        var response = [Float](repeating: 0, count: Int((reverberationSeconds + lead) * sampleRateHertz))
        let reach = direct + reverberationSeconds * Self.speedOfSound
        let interpolation = Interpolation(half: 16)
        // Images along each axis: (distance, number of reflections).
        let axes = (0..<3).map { axis in
            Self.images(length: size[axis], source: source[axis], microphone: microphone[axis], reach: reach)
        }
        let highest = axes.map { $0.map(\.reflections).max() ?? 0 }.reduce(0, +)
        let powers = (0...highest).map { Double.pow(reflection, $0) }
        for x in axes[0] {
            for y in axes[1] {
                let plane = x.offset * x.offset + y.offset * y.offset
                guard plane < reach * reach else { continue }
                for z in axes[2] {
                    let path = (plane + z.offset * z.offset).squareRoot()
                    guard path < reach else { continue }
                    let height = powers[x.reflections + y.reflections + z.reflections] * direct / path
                    let delay = (path - direct) / Self.speedOfSound + lead
                    interpolation.addImpulse(Float(height), at: delay * sampleRateHertz, to: &response)
                }
            }
        }
        return response
    }

    /// A response with source and microphone at random places so far apart, both at least half a metre from each wall.
    ///
    /// - Parameter distanceMetres: at most what the room has space for; nil is returned when it has not.
    public func randomImpulseResponse(
        distanceMetres: Double, sampleRateHertz: Double, using random: inout RandomSource
    ) -> [Float]? {
        randomPlaces(distanceMetres: distanceMetres, using: &random).map {
            impulseResponse(source: $0.source, microphone: $0.microphone, sampleRateHertz: sampleRateHertz)
        }
    }

    /// The responses of microphones side by side, the first of which is at a random place so far from the source, and how much later than the
    /// first each of them hears the direct sound, in seconds.
    ///
    /// - Parameter spacingMetres: from one microphone to the next, in any direction on the level.
    public func randomImpulseResponses(
        distanceMetres: Double, microphones: Int, spacingMetres: Double, sampleRateHertz: Double,
        using random: inout RandomSource
    ) -> [(response: [Float], delaySeconds: Double)]? {
        guard let (source, first) = randomPlaces(distanceMetres: distanceMetres, using: &random) else { return nil }
        let azimuth = Double.random(in: 0..<2 * .pi, using: &random)
        let step: SIMD3<Double> = [spacingMetres * .cos(azimuth), spacingMetres * .sin(azimuth), 0]
        return (0..<microphones).map { number in
            let microphone = first + Double(number) * step
            let delay = (distance(source - microphone) - distance(source - first)) / Self.speedOfSound
            return (impulseResponse(source: source, microphone: microphone, sampleRateHertz: sampleRateHertz), delay)
        }
    }

    private func randomPlaces(
        distanceMetres: Double, using random: inout RandomSource
    ) -> (source: SIMD3<Double>, microphone: SIMD3<Double>)? {
        let margin = 0.5
        let space = size - 2 * margin
        guard space.min() > 0 else { return nil }
        func place() -> SIMD3<Double> {
            [0, 1, 2].reduce(into: SIMD3<Double>()) {
                $0[$1] = margin + Double.random(in: 0...space[$1], using: &random)
            }
        }
        for _ in 0..<10_000 {
            let source = place()
            let azimuth = Double.random(in: 0..<2 * .pi, using: &random)
            let height = Double.random(in: -1...1, using: &random)
            let flat = (1 - height * height).squareRoot()
            let direction: SIMD3<Double> = [flat * .cos(azimuth), flat * .sin(azimuth), height]
            let microphone = source + distanceMetres * direction
            let inside = (0..<3).allSatisfy { (margin...size[$0] - margin).contains(microphone[$0]) }
            if inside { return (source, microphone) }
        }
        return nil
    }

    /// Allen and Berkley's equation 10 along one axis: images at 2nL ± source.
    static func images(
        length: Double, source: Double, microphone: Double, reach: Double
    ) -> [(offset: Double, reflections: Int)] {
        let order = Int((reach / (2 * length)).rounded(.up)) + 1
        return (-order...order).flatMap { n in
            let shift = 2 * Double(n) * length
            return [
                (offset: shift + source - microphone, reflections: abs(2 * n)),
                (offset: shift - source - microphone, reflections: abs(2 * n - 1)),
            ]
        }.filter { $0.offset.magnitude < reach }
    }

    private func distance(_ v: SIMD3<Double>) -> Double { (v * v).sum().squareRoot() }
}

/// Convolution with one of several impulse responses, drawn anew for each sound; made once and used for every trial. The
/// sound grows by the response's length.
public struct Reverberation: Channel {
    private let convolutions: [FastConvolution]

    /// - Parameters:
    ///   - impulseResponses: at least one, at the sound's sample rate.
    ///   - signalLength: the longest sound that will pass, in samples.
    public init(impulseResponses: [[Float]], signalLength: Int) {
        precondition(!impulseResponses.isEmpty, "reverberation has an impulse response")
        convolutions = impulseResponses.map { FastConvolution(response: $0, signalLength: signalLength) }
    }

    public func pass(_ sound: inout Sound, using random: inout RandomSource) {
        sound.samples = convolutions[Int.random(in: convolutions.indices, using: &random)](sound.samples)
    }
}

/// Several microphones in a room, at one of some places: each hears the sound its own way.
public struct MicrophoneArray: Sendable {
    private let places: [[(convolution: FastConvolution, delaySeconds: Double)]]

    /// - Parameters:
    ///   - places: at least one, with the response of each microphone and how much later than the first it hears.
    ///   - signalLength: the longest sound that will pass, in samples.
    public init(places: [[(response: [Float], delaySeconds: Double)]], signalLength: Int) {
        precondition(!places.isEmpty, "microphones are somewhere")
        self.places = places.map { place in
            place.map { (FastConvolution(response: $0.response, signalLength: signalLength), $0.delaySeconds) }
        }
    }

    /// What each microphone hears of a sound, all at one place.
    func hear(_ samples: [Float], using random: inout RandomSource) -> [(samples: [Float], delaySeconds: Double)] {
        places[Int.random(in: places.indices, using: &random)].map { ($0.convolution(samples), $0.delaySeconds) }
    }
}
