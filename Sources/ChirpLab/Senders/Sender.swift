public import Chirp

/// Turns frames into sound as one kind of sender does.
public struct Sender: Sendable {
    public let name: String
    /// The sound of a row of symbols at a sample rate; anything random about the sender is drawn from the source.
    let sound: @Sendable (_ symbols: [UInt8], _ sampleRateHertz: Double, inout RandomSource) -> [Float]

    /// A sender with a model of the caller's.
    public init(
        name: String, sound: @escaping @Sendable ([UInt8], _ sampleRateHertz: Double, inout RandomSource) -> [Float]
    ) {
        self.name = name
        self.sound = sound
    }

    /// This project's synthesiser.
    public static let own = played()

    /// A kind of program that is on the air, played at a speed drawn anew for each chirp, each of its tones off by a
    /// number of cents of its own.
    public static func model(
        _ model: SenderModel, speed: ClosedRange<Double> = 1...1, toneErrorCents: ClosedRange<Double> = 0...0
    ) -> Sender {
        Sender(name: model.name) { symbols, rate, random in
            var model = model.played(speed: .random(in: speed, using: &random))
            let errors = model.tonePitchesHertz.map { _ in Double.random(in: toneErrorCents, using: &random) }
            model = model.detuned(cents: errors)
            return model.samples(ofSymbols: symbols, sampleRateHertz: rate)
        }
    }

    /// This project's synthesiser, played at a speed and with a tuning drawn anew for each chirp.
    public static func played(
        speed: ClosedRange<Double> = 1...1, tuningCents: ClosedRange<Double> = 0...0, format: WireFormat = .original
    ) -> Sender {
        Sender(name: "own") { symbols, rate, random in
            let format = format.played(
                speed: .random(in: speed, using: &random), tuningCents: .random(in: tuningCents, using: &random))
            guard let synthesiser = try? Synthesiser(sampleRateHertz: rate, format: format) else {
                preconditionFailure("a laboratory's sample rate is one of the synthesiser's")
            }
            return synthesiser.samples(ofSymbols: symbols)
        }
    }
}
