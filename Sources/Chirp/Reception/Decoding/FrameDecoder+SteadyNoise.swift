internal import RealModule

extension FrameDecoder {
    /// Whether a frame is faint, and the noise around it so steady that what is likely can be told exactly.
    func isInSteadyNoise(_ coarse: SoftFrame, _ context: ReceptionContext) -> Bool {
        context.noiseIsStationary && context.falseStartCount == 0 && coarse.frameLLR < Self.loudFrameLLR
            && coarse.noiseLogDeviation(coarse.bestTones) < Self.whiteNoise
            && coarse.greatestEnergies.allSatisfy { $0 < Self.loudestEnergyOfFaint }
    }

    /// Decodes what is near a place in steady noise, by the correlations at hand: the likelihoods at all times near it are summed up, each as
    /// likely as the frame there, instead of choosing one of them.
    ///
    /// - Parameters:
    ///   - coarse: the frame at that place.
    ///   - timing: the place, within a sixth of a symbol.
    mutating func decodeInSteadyNoise(
        _ coarse: SoftFrame, at timing: FrameTiming, _ context: ReceptionContext
    ) -> DecodedFrame? {
        let floors = coarse.smoothedFloors()
        let timings = (-Self.steadyReach...Self.steadyReach).map {
            FrameTiming(startSample: timing.startSample + Double($0) * Self.steadyStep * symbolSamples)
        }
        let readings = timings.map {
            coarse.weighed(
                energies: correlator.energies(at: $0), floors: floors, weights: .tuned, likelihood: .steady)
        }
        let soft = SoftFrame(marginalising: readings)
        guard soft.frameLLR > Self.minimumSteadyFrameLLR else { return nil }
        // The mean time, which unlike the likeliest one does not hang on the last bit of two that are as likely.
        let weights = SoftFrame.relativeLikelihoods(of: readings).map { Double($0) }
        let mean = zip(weights, timings).reduce(0) { $0 + $1.0 * ($1.1.startSample - timing.startSample) }
        let place = FrameTiming(startSample: timing.startSample + mean / weights.reduce(0, +))
        guard var frame = decode(soft, at: place, context, minimumLogOdds: Self.minimumSteadyLogOdds) else {
            return nil
        }
        if !isEvenChirp(format.frame(of: frame.codeword), in: soft) {
            // What is no chirp's is judged as it would be elsewhere.
            frame.features.isMarginal = false
            frame.logOdds = AcceptanceModel.fitted.logOdds(frame.features)
        }
        return heldToneReading(coarse, at: timing, context, betterThan: frame) ?? frame
    }

    /// Energy over the noise that no tone of a faint frame has, but what machines and melodies make such frames of.
    private static let loudestEnergyOfFaint: Float = 22
    /// Deviation of the amplitudes of a chirp's tones: one in 200 had more.
    private static let greatestAmplitudeDeviation: Float = 0.95
    /// Energy over the noise that one tone that is not the word's may have by chance, but hardly ever two: of 640 exponential variates two have
    /// more than 10 in one frame of 2,500.
    private static let greatestEnergyBeside: Float = 10
    /// Mean energy over the noise of a word's tones in symbols of others: of 500 chirps none had more than 1.31, and what music made a word of 1.7.
    private static let greatestMeanBeside: Float = 1.4
    /// Share of a word's log-likelihood that each half of it has; words made of shorter chirps in the format `fast` have less in one.
    static let minimumHalfShare: Float = 0.25

    /// Whether what was received of a word is as it is of a chirp in steady noise: its tones are alike, in each half of it, and there are no others.
    private func isEvenChirp(_ tones: [UInt8], in soft: SoftFrame) -> Bool {
        soft.amplitudeDeviation(tones) < Self.greatestAmplitudeDeviation
            && soft.secondEnergyBeside(tones) < Self.greatestEnergyBeside
            && soft.meanEnergyBeside(tones) < Self.greatestMeanBeside
            && soft.weakestHalfShare(tones) > Self.minimumHalfShare
    }

    /// Times that are summed over, in symbols from the place: the acquisition's place is off by an eighth of a symbol at most, or near its
    /// limit by a sixth.
    private static let steadyStep = 1.0 / 32
    private static let steadyReach = 5
    /// Frame likelihood ratio, as a logarithm, below which no word could be believed that is worth its search.
    private static let minimumSteadyFrameLLR: Float = 8
    /// Words that are less likely, as a logarithm of odds, are not looked for.
    private static let minimumSteadyLogOdds: Float = -1
}
