internal import RealModule

/// What copies of one chirp say together.
struct CopyEvidence: Sendable {
    /// Where they begin, in blocks, the newest first, of each copy in each channel: two copies or more.
    let places: [Double]
    let channelCount: Int
    var copyCount: Int { places.count / channelCount }
    /// Where they begin in one of the channels.
    func places(inChannel channel: Int) -> [Double] {
        stride(from: channel, to: places.count, by: channelCount).map { places[$0] }
    }
    /// What they say together, with energies over the noise in one copy.
    let soft: SoftFrame
    /// Logarithms of the likelihood ratios of each tone in each symbol.
    let logLikelihoods: [Float]
    /// Nats that the tones which are there have for the choice of the copies' delays, all together.
    let choice: Float
    /// Whether their amplitudes were added up.
    var areAligned: Bool { choice > 0 }
    /// What each copy says about each tone: likelihood ratios.
    let likelihoodsOfCopies: [[Float]]
    /// Correlations of each copy with its tones.
    let sounds: [TonePhasors]

    /// How much likelier it is, as a logarithm, that each copy has the tones of a frame than that one of them has each: of different chirps at equal
    /// distances, words are made whose tones come from one here and from another there.
    func agreement(on tones: ArraySlice<UInt8>) -> Float {
        var total = -choice
        for symbol in tones.indices {
            let index = 32 * symbol + Int(tones[symbol])
            let mean = likelihoodsOfCopies.reduce(Float(0)) { $0 + $1[index] } / Float(likelihoodsOfCopies.count)
            total += logLikelihoods[index] - Float.log(mean)
        }
        return total
    }

    /// What a second copy says at least for a word, in nats: a single copy and the likeliest noise at some distance are no copies. Of 119 words of two
    /// to four copies on two or four channels one has less, and of 27 of a single copy none has more than 1.6.
    private static let minimumEvidenceOfSecond: Float = 6

    /// Whether two of the copies or more, in all channels, have the tones of a frame.
    func areTwo(with tones: ArraySlice<UInt8>) -> Bool {
        llrs(of: tones).count { $0 > Self.minimumEvidenceOfSecond } > 1
    }

    /// Share of what a word's tones say at most, of one channel, from which on a copy is heard by itself: at −23 dB.
    private static let plainShare: Float = 0.9

    /// Whether the newest copy has a frame's tones so plainly that it is told by itself.
    func isPlain(_ tones: ArraySlice<UInt8>) -> Bool {
        let most = CopyLikelihood.single[places.count].last ?? 0
        return llrs(of: tones)[0] > Self.plainShare * most * Float(channelCount * tones.count)
    }

    /// Which of the copies are likelier to have the tones of a frame than not to: some that are due may be lost. At least the two likeliest.
    func copies(with tones: ArraySlice<UInt8>) -> [Int] {
        let llrs = llrs(of: tones)
        let second = llrs.sorted()[llrs.count - 2]
        return llrs.indices.filter { llrs[$0] >= min(0, second) }
    }

    /// Logarithms of the likelihood ratios of each copy's tones, in all channels, being those of a frame to there being none.
    private func llrs(of tones: ArraySlice<UInt8>) -> [Float] {
        likelihoodsOfCopies.map { likelihoods in
            tones.indices.reduce(Float(0)) { $0 + Float.log(likelihoods[32 * $1 + Int(tones[$1])]) }
        }
    }

    /// The channel in which the likeliest tones have most energy over its noise.
    var plainestChannel: Int {
        var sums = [Float](repeating: 0, count: channelCount)
        for (symbol, tone) in soft.bestTones.enumerated() {
            for (place, sound) in sounds.enumerated() {
                sums[place % channelCount] += sound.energies(TonePhasors.rows * symbol + Int(tone) / 8)[Int(tone) % 8]
            }
        }
        return sums.indices.max { sums[$0] < sums[$1] } ?? 0
    }

    /// How rough the sound of the copies is besides a word's tones, a mean over them: each has its loudness.
    func roughness(besides tones: [UInt8]) -> Float {
        sounds.reduce(Float(0)) { $0 + $1.roughness(besides: tones) } / Float(sounds.count)
    }
}
