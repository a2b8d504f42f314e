internal import Chirp
internal import ChirpSound
internal import Foundation

/// Finds the chirps of one file and says what there is to say of it.
struct FileDecoding: Sendable {
    let raw: RawFormat?
    /// Those that are listened for, where they are received at a file's rate; nil for whatever fits the rate.
    let formats: [WireFormat]?
    /// Whether copies of a chirp are combined.
    let combinesCopies: Bool
    /// Nil for people.
    let form: OutputForm?
    let resolver: LinkResolver
    /// Detections below this probability of being right are not reported.
    let minimumConfidence: Double
    /// Whether to say which detections are not reported.
    let isVerbose: Bool
    /// What the receivers of one file may take, in bytes.
    let memoryBytes: Double

    enum Message: Sendable {
        /// A line of results.
        case result(String)
        case warning(String)
        /// Something that `--verbose` adds.
        case remark(String)
        case failure(String)
    }

    /// Decodes a file to its end.
    ///
    /// - Parameters:
    ///   - progress: receives the fractions of the file that are decoded; their sum is 1 at the end.
    ///   - emit: receives the messages as they arise: results in order of start time.
    func decode(_ path: String, progress: (Double) -> Void, emit: (Message) -> Void) {
        var fractionDone = 0.0
        defer { progress(1 - fractionDone) }
        do {
            let source = try AudioFileReader(path: path, raw: raw)
            defer { for warning in source.flaws.sentences(path: path) { emit(.warning(warning)) } }
            var printer = ChirpPrinter(file: path, channelCount: source.channelCount, form: form, resolver: resolver)
            let formats = formats(for: source)
            let passes = try ChannelPasses(
                over: source, formatCount: formats.count, memoryBytes: memoryBytes, combinesCopies: combinesCopies
            ).channels
            let frameCount = source.frameCount.map { Double($0 * passes.count) }
            func advance(by frames: Int) {
                guard let frameCount, frameCount > 0 else { return }
                let fraction = min(Double(frames) / frameCount, 1 - fractionDone)
                fractionDone += fraction
                progress(fraction)
            }
            guard passes.count > 1 else {
                return try listen(to: passes[0], of: source, for: formats, advance) { heard, decidedSeconds in
                    let certain = certain(heard, path: path, emit: emit)
                    for line in printer.lines(for: certain, decidedSeconds: decidedSeconds) { emit(.result(line)) }
                }
            }
            var all: [ChannelDetection] = []
            for channels in passes {
                if channels.lowerBound > 0 { try source.rewind() }
                try listen(to: channels, of: source, for: formats, advance) { heard, _ in
                    all += certain(heard, path: path, emit: emit)
                }
            }
            all.sort { ($0.chirp.startSeconds, $0.channel) < ($1.chirp.startSeconds, $1.channel) }
            for line in printer.lines(for: all, decidedSeconds: .infinity) { emit(.result(line)) }
        } catch {
            emit(.failure(userMessage(for: error)))
        }
    }

    /// The detections that are probable enough to be reported.
    private func certain(_ heard: [ChannelDetection], path: String, emit: (Message) -> Void) -> [ChannelDetection] {
        heard.filter { one in
            guard one.chirp.confidence < minimumConfidence else { return true }
            if isVerbose {
                let name = AudioFileError.Operation.read.name(path)
                let figures = String(format: "confidence %.6f is below %g", one.chirp.confidence, minimumConfidence)
                emit(
                    .remark(
                        "\(name): \(MergedDetection.clock(one.chirp.startSeconds)), channel \(one.channel): "
                            + "\(one.chirp.shortcode) not reported: \(figures) (--min-confidence)"))
            }
            return false
        }
    }

    /// The formats to listen for: those that were asked for, else what fits the rate, and of that the original alone in a pipe with so
    /// many channels that there is no memory for more.
    private func formats(for source: AudioFileReader) -> [WireFormat] {
        if let formats { return formats }
        let fitting = SoundDecoder.formats(fitting: source.sampleRateHertz)
        if source.canRewind { return fitting }
        let most = ChannelPasses.mostAtOnce(
            of: source, formatCount: fitting.count, memoryBytes: memoryBytes, combinesCopies: combinesCopies)
        return source.channelCount > most ? [.original] : fitting
    }

    /// - Parameter report: is given what was heard, and the time before which nothing is still to come.
    private func listen(
        to channels: Range<Int>, of source: AudioFileReader, for formats: [WireFormat], _ advance: (Int) -> Void,
        report: ([ChannelDetection], Double) -> Void
    ) throws {
        let decoder: SoundDecoder
        do {
            decoder = try SoundDecoder(
                sampleRateHertz: source.sampleRateHertz, channels: channels, formats: formats,
                combinesCopies: combinesCopies, waitsForCopies: source.canRewind)
        } catch {
            throw FileProblem(path: source.path, cause: error)
        }
        var block = AudioBlock(channelCount: source.channelCount)
        var failure: (any Error)?
        do {
            while try source.read(into: &block) {
                report(decoder.process(block), decoder.decidedSeconds)
                advance(block.frameCount)
            }
        } catch {
            failure = error
        }
        // What was detected before a disk failed is reported all the same.
        report(decoder.finish(), .infinity)
        if let failure { throw failure }
    }
}

/// Something that is wrong with the content of a file, and which file.
struct FileProblem: UserFacingError {
    let path: String
    let cause: any Error

    var userMessage: String { "\(AudioFileError.Operation.read.name(path)): \(chirp.userMessage(for: cause))" }
}
