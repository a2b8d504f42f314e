internal import Chirp
internal import ChirpSound

/// Finds the chirps of one file and says what there is to say of it.
struct FileDecoding: Sendable {
    let raw: RawFormat?
    let asJSON: Bool
    let desk: LinkDesk
    /// What the receivers of one file may take, in bytes.
    let memoryBytes: Double

    enum Message: Sendable {
        /// A line of results.
        case result(String)
        case warning(String)
        case failure(String)
    }

    /// Decodes a file to its end.
    ///
    /// - Parameter emit: is given the messages as they arise: results in order of start time.
    func decode(_ path: String, emit: (Message) -> Void) {
        do {
            let source = try AudioFileReader(path: path, raw: raw)
            defer { for warning in source.flaws.sentences(path: path) { emit(.warning(warning)) } }
            var printer = ChirpPrinter(file: path, channelCount: source.channelCount, asJSON: asJSON, desk: desk)
            let passes = try passes(over: source)
            guard passes.count > 1 else {
                return try listen(to: passes[0], of: source) { heard, decidedSeconds in
                    for line in printer.lines(for: heard, decidedSeconds: decidedSeconds) { emit(.result(line)) }
                }
            }
            var all: [HeardChirp] = []
            for channels in passes {
                if channels.lowerBound > 0 { try source.rewind() }
                try listen(to: channels, of: source) { heard, _ in all += heard }
            }
            all.sort { ($0.chirp.startSeconds, $0.channel) < ($1.chirp.startSeconds, $1.channel) }
            for line in printer.lines(for: all, decidedSeconds: .infinity) { emit(.result(line)) }
        } catch {
            emit(.failure(sentence(for: error)))
        }
    }

    /// A pipe cannot be read again, and so may take this much more.
    private static let pipeFactor = 4.0

    /// The channels, in groups that are listened to at once; several when a file has so many that all receivers
    /// together would take too much memory.
    private func passes(over source: AudioFileReader) throws(AudioFileError) -> [Range<Int>] {
        let bytes = memoryBytes * (source.canRewind ? 1 : Self.pipeFactor)
        let most = SoundDecoder.mostChannels(sampleRateHertz: source.sampleRateHertz, memoryBytes: bytes)
        guard source.channelCount > most else { return [0..<source.channelCount] }
        guard source.canRewind else {
            throw .tooManyChannels(path: source.path, count: source.channelCount, most: most)
        }
        return stride(from: 0, to: source.channelCount, by: most).map { $0..<min($0 + most, source.channelCount) }
    }

    /// - Parameter report: is given what was heard, and the time before which nothing is still to come.
    private func listen(
        to channels: Range<Int>, of source: AudioFileReader, report: ([HeardChirp], Double) -> Void
    ) throws {
        let decoder: SoundDecoder
        do {
            decoder = try SoundDecoder(sampleRateHertz: source.sampleRateHertz, channels: channels)
        } catch {
            throw FileProblem(path: source.path, cause: error)
        }
        var block = AudioBlock(channelCount: source.channelCount)
        var failure: (any Error)?
        do {
            while try source.read(into: &block) { report(decoder.process(block), decoder.decidedSeconds) }
        } catch {
            failure = error
        }
        // What was heard before a disk failed is told all the same.
        report(decoder.finish(), .infinity)
        if let failure { throw failure }
    }
}

/// Something that is wrong with the content of a file, and which file.
struct FileProblem: ExplainedError {
    let path: String
    let cause: any Error

    var sentence: String { "\(AudioFileError.Operation.read.name(path)): \(chirp.sentence(for: cause))" }
}
