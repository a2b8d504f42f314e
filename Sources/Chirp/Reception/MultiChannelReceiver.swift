/// A chirp and the channels that heard it, counted from 0.
public struct ChannelDetection: Sendable, Hashable {
    /// The channel in which it was heard, or of several that were added up the one in which it was plainest.
    public let channel: Int
    /// The channels that were added up; one where it was heard in one by itself.
    public let channels: [Int]
    /// What was heard.
    public let chirp: DetectedChirp

    /// A detection in one channel.
    public init(channel: Int, chirp: DetectedChirp) { self.init(channel: channel, channels: [channel], chirp: chirp) }

    /// A detection in several channels that were added up.
    public init(channel: Int, channels: [Int], chirp: DetectedChirp) {
        self.channel = channel
        self.channels = channels
        self.chirp = chirp
    }
}

/// Finds the chirps in the channels of one recording or device: in each by itself, and, where none has heard enough, in all of them together.
///
/// The channels may have heard them up to 30 ms apart, inverted, at other levels, or not at all: each has its own noise, against which its
/// tones are weighed. Two channels of independent noise hear as far as one with about 1.9 dB less noise. Only chirps in the original format
/// are added up, and of the first eight channels.
///
/// A chirp that several channels hear by themselves is given back once for each.
public struct MultiChannelReceiver: ~Copyable, Sendable {
    /// The rate of the samples that it takes, in hertz.
    public let sampleRateHertz: Double
    /// The formats that it listens for: those that are received at this rate, each once.
    public var formats: [WireFormat] { channels[0].receiver.formats }
    /// How many channels it takes.
    public var channelCount: Int { channels.count }
    private let channels: [ReceiverBox<MultiFormatReceiver>]
    /// The receivers of the original format, of the channels that are added up.
    private let originals: [ReceiverBox<Receiver>]
    /// Whether there are channels to add up.
    private let combines: Bool
    private var combiner: ChannelCombiner?
    /// Finds copies in all channels together.
    private var copies: CopyCombiner?
    /// After how many samples the channels are added up again, and how many have been taken since.
    private let stepSamples: Int
    private var takenInStep = 0
    /// What was last reported of several channels together: what else their sum looks like in its time is made of it.
    private var latestSum: DecodedFrame?
    /// What was lately heard, and in this step.
    private var heard: [ChannelDetection] = []
    private var heardInStep: [ChannelDetection] = []

    /// Listens to several channels for some formats.
    ///
    /// - Parameters:
    ///   - sampleRateHertz: the rate of the samples.
    ///   - channelCount: at least one.
    ///   - formats: those of them that are received at this rate are listened for; at least one.
    ///   - combines: whether channels, and copies of a chirp, are added up where none can be heard by itself; see ``Receiver``.
    /// - Throws: ``ReceptionError/sampleRate(_:supported:)``, of the first format, when none is received at this rate.
    public init(
        sampleRateHertz: Double, channelCount: Int, formats: [WireFormat] = [.original], combines: Bool = false
    ) throws(ReceptionError) {
        precondition(channelCount > 0, "a recording has at least one channel")
        self.sampleRateHertz = sampleRateHertz
        var channels: [ReceiverBox<MultiFormatReceiver>] = []
        for _ in 0..<channelCount {
            channels.append(
                ReceiverBox(
                    try MultiFormatReceiver(
                        sampleRateHertz: sampleRateHertz, fitting: formats, combinesCopies: combines)))
        }
        self.channels = channels
        originals = channels.prefix(ChannelCombiner.maximumChannelCount).compactMap { channel in
            channel.receiver.receivers.first { $0.receiver.format == .original }
        }
        self.combines = combines && originals.count > 1
        stepSamples = Int(
            WireFormat.original.symbolSeconds * sampleRateHertz / Double(CoarseAcquisition.blocksPerSymbol))
        forgetChannels()
        if self.combines { for original in originals { original.receiver.pending.awaitsOtherChannels = true } }
    }

    /// Takes the next samples of all channels and gives back the chirps that they completed.
    ///
    /// - Parameters:
    ///   - samples: those of the first channel, then those of each further one.
    ///   - stride: how many samples after a channel's first one the next channel's stands.
    ///   - count: samples of each channel.
    public mutating func process(_ samples: Span<Float>, stride: Int, count: Int) -> [ChannelDetection] {
        precondition(
            count >= 0 && (channelCount - 1) * stride + count <= samples.count, "the samples of all channels are there")
        var found: [ChannelDetection] = []
        var position = 0
        while position < count {
            let end = combines ? min(count, position + stepSamples - takenInStep) : count
            for (number, box) in channels.enumerated() {
                let part = samples.extracting(stride * number + position..<stride * number + end)
                found += detections(of: number, box.receiver.process(part))
            }
            takenInStep += end - position
            position = end
            guard takenInStep == stepSamples else { continue }
            takenInStep = 0
            endStep()
            found += combineChannels()
        }
        return found
    }

    /// Ends the stream and gives back the chirps that end with it. The receiver then begins anew at time zero.
    public mutating func finish() -> [ChannelDetection] {
        defer { forgetChannels() }
        var found: [ChannelDetection] = []
        for (number, box) in channels.enumerated() {
            found += detections(of: number, box.receiver.finish())
        }
        return found + combineChannels()
    }

    /// Forgets everything heard and begins anew at time zero.
    public mutating func reset() {
        for box in channels { box.receiver.reset() }
        forgetChannels()
    }

    /// Forgets what the channels have heard together.
    private mutating func forgetChannels() {
        if combines {
            combiner = ChannelCombiner(
                format: .original, channelCount: min(channelCount, ChannelCombiner.maximumChannelCount))
            copies = CopyCombiner(format: .original)
        }
        takenInStep = 0
        latestSum = nil
        heard = []
        heardInStep = []
    }

    /// What a channel heard by itself, without what all of them together have heard more certainly as another word, or another one has.
    private mutating func detections(of number: Int, _ chirps: [DetectedChirp]) -> [ChannelDetection] {
        guard !chirps.isEmpty else { return [] }
        let found = chirps.filter { chirp in
            guard !isMisreading(chirp, by: number) else { return false }
            guard let latestSum, chirp.format == .original else { return true }
            let offset = abs(chirp.startSeconds * sampleRateHertz - latestSum.timing.startSample)
            return offset > WireFormat.original.frameSeconds * sampleRateHertz - symbolSamples
                || chirp.confidence > latestSum.confidence
        }.map { ChannelDetection(channel: number, chirp: $0) }
        if combines { heardInStep += found }
        return found
    }

    /// Whether a channel took for another word what another channel has heard at about the same time, and with more certainty: in a room a few
    /// words in a thousand are made of the tones of the right one, read early or late.
    private func isMisreading(_ chirp: DetectedChirp, by number: Int) -> Bool {
        let reach = Double(Codeword.readingShifts.upperBound) + 0.5
        return heard.contains { other in
            other.channel != number && other.chirp.format == chirp.format
                && other.chirp.codeword != chirp.codeword && other.chirp.confidence >= chirp.confidence
                && abs(other.chirp.startSeconds - chirp.startSeconds) < reach * chirp.format.symbolSeconds
                && chirp.codeword.isMadeOfTones(of: other.chirp.codeword, in: chirp.format)
        }
    }

    /// Remembers what was heard in a step for those that follow: which channel came first within it depends on how the samples were cut.
    private mutating func endStep() {
        guard !heardInStep.isEmpty else { return }
        heard += heardInStep
        heardInStep = []
        let latest = heard.reduce(0) { max($0, $1.chirp.startSeconds) }
        heard.removeAll { $0.chirp.startSeconds < latest - 2 * $0.chirp.format.frameSeconds }
    }

    private var symbolSamples: Double { WireFormat.original.symbolSeconds * sampleRateHertz }

    /// Reports what the channels have heard together and none by itself.
    private mutating func combineChannels() -> [ChannelDetection] {
        guard combines else { return [] }
        let sums = sums()
        // What copies say as well is surer.
        var found = combineCopies()
        for sum in sums {
            let place = sum.places[sum.best]
            let before = originals[sum.best].receiver.work.patterns
            let decoded = originals[sum.best].receiver.decodeSum(
                sum.soft, places: [place], sum.isIndependent ? .channels : .likeChannels, channels: sum.coherent)
            combiner?.noteDecoding(patterns: originals[sum.best].receiver.work.patterns - before)
            guard let frame = decoded, latestSum?.overlaps(frame, by: symbolSamples) != true,
                zip(originals, sum.places).allSatisfy({ !$0.receiver.hasHeard(frame, at: $1) }),
                Receiver.isLikeliestShift(
                    frame.codeword, at: zip(sum.places, histories).map { ($0.0, $0.1) }, .original)
            else { continue }
            latestSum = frame
            // What was digital silence has said nothing.
            let histories = histories
            let channels = originals.indices.filter { histories[$0].isKnown(aroundPlace: sum.places[$0], .original) }
            for (original, place) in zip(originals, sum.places) { original.receiver.noteSum(frame, at: place) }
            found.append(
                ChannelDetection(
                    channel: sum.best, channels: channels,
                    chirp: originals[sum.best].receiver.chirp(frame, in: sum.soft, repeats: 1)))
        }
        return found
    }

    /// Reports what copies say in all channels together and in none by itself.
    private mutating func combineCopies() -> [ChannelDetection] {
        guard let metrics = combiner?.takeMetrics(), let areIndependent = combiner?.areIndependent else { return [] }
        var found: [ChannelDetection] = []
        for (start, metric) in metrics {
            copies?.follow(metric, start: start)
            guard areIndependent else { continue }
            let (evidence, channels) = copyEvidence(before: start)
            for copies in evidence {
                let heard = decode(copies, of: channels)
                found += heard
                if !heard.isEmpty { break }
            }
        }
        return found
    }

    /// What the likeliest copies say, the newest of which begins before a start, and the channels that heard them.
    private mutating func copyEvidence(before start: Int) -> (evidence: [CopyEvidence], channels: [Int]) {
        let histories = histories
        // Nothing is known of digital silence, and nothing is believed that repeats itself elsewhere than in steady noise.
        let channels = histories.indices.filter { histories[$0][start - 1] != ToneHistory.unknown }
        guard channels.count > 1, channels.allSatisfy({ originals[$0].receiver.detector.noiseIsStationary }) else {
            return ([], channels)
        }
        let live = ToneHistories(channels.map { histories[$0] })
        return (copies?.copies(endingAt: start - 1, isSteadyNoise: true, live) ?? [], channels)
    }

    private mutating func decode(_ evidence: CopyEvidence, of channels: [Int]) -> [ChannelDetection] {
        let heard = channels.enumerated().map { (original: originals[$1], places: evidence.places(inChannel: $0)) }
        guard heard.allSatisfy({ $0.original.receiver.isSteadyNoise(but: $0.places) }) else { return [] }
        copies?.noteDecoding()
        let (best, histories) = (evidence.plainestChannel, histories)
        guard let (sum, chirp) = heard[best].original.receiver.decodeCopies(evidence, channel: best),
            heard[best].original.receiver.isOfCopies(sum.codeword, evidence),
            heard.allSatisfy({ !$0.original.receiver.isKnown(sum.codeword) }),
            Receiver.isLikeliestShift(
                sum.codeword, at: evidence.places.enumerated().map { ($1, histories[channels[$0 % channels.count]]) },
                .original)
        else { return [] }
        for (original, places) in heard {
            original.receiver.noteRepeated(sum.codeword, at: original.receiver.sample(ofPlace: places[0]))
        }
        return [ChannelDetection(channel: channels[best], channels: channels, chirp: chirp)]
    }

    private var histories: [ToneHistory] { originals.compactMap { $0.receiver.scan.coherent.recorder?.history } }

    /// What the channels' own samples say where their energies together look like a chirp.
    private mutating func sums() -> [ChannelCombiner.Sum] {
        guard originals.allSatisfy({ $0.receiver.scan.coherent.recorder?.awaitsFloor != true }) else { return [] }
        let histories = histories
        let blockCount = originals.map { $0.receiver.scan.blockCount }.min() ?? 0
        let places = combiner?.places(blockCount: blockCount, histories) ?? []
        return places.compactMap { place in
            let frames = originals.map { $0.receiver.correlate(aroundBlock: place.start) }
            return combiner?.sum(place, histories) { channel, start in
                originals[channel].receiver.ratios(at: start, like: frames[channel])
            }
        }
    }
}
