/// What copies of one chirp say whose amplitudes were added up.
struct CoherentSum: Sendable {
    /// Logarithm of the likelihood ratio of some chirp to none.
    let frameLLR: Float
    /// Those of each tone in each symbol, and its energy over the noise in one copy, `[32 · symbol + tone]`.
    let logLikelihoods: [Float]
    let energies: [Float]
    /// Nats that the tones which are there have for the choice of the copies' delays, all together.
    let choice: Float
    /// The sum, and the copies that are in it.
    let phasors: TonePhasors
    let members: [TonePhasors]

    /// How much more energy the sum has besides a word's tones than the copies have together, in standard deviations of independent noise: what
    /// channels hear of the same noise adds up with the tones.
    func sharedNoise(besides tones: [UInt8]) -> Float {
        let rest = TonePhasors.rest(besides: tones)
        func energy(_ phasors: TonePhasors) -> Float {
            rest.indices.reduce(Float(0)) { $0 + (rest[$1] * phasors.energies($1)).total }
        }
        let own = members.reduce(Float(0)) { $0 + energy($1) }
        let count = rest.reduce(Float(0)) { $0 + $1.total }
        guard own > 0, members.count > 1 else { return 0 }
        return (energy(phasors) / own - 1) * (count / (1 - 1 / Float(members.count))).squareRoot()
    }
}
