internal import Chirp
internal import ChirpReport
internal import ChirpSound

/// Finds the chirps of one file and says what there is to say of it.
struct FileDecoding: Sendable {
    let raw: RawFormat?
    let asJSON: Bool
    let desk: LinkDesk

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
            for channels in try Self.passes(over: source) {
                if channels.lowerBound > 0 { try source.rewind() }
                try decode(channels, of: source, emit: emit)
            }
        } catch {
            emit(.failure(sentence(for: error)))
        }
    }

    /// The channels, in groups that are listened to at once; several when a file has so many that all receivers
    /// together would take too much memory.
    private static func passes(over source: AudioFileReader) throws(AudioFileError) -> [Range<Int>] {
        let most = SoundDecoder.mostChannels(sampleRateHertz: source.sampleRateHertz)
        guard source.channelCount > most else { return [0..<source.channelCount] }
        guard source.canRewind else {
            throw .tooManyChannels(path: source.path, count: source.channelCount, most: most)
        }
        return stride(from: 0, to: source.channelCount, by: most).map { $0..<min($0 + most, source.channelCount) }
    }

    private func decode(_ channels: Range<Int>, of source: AudioFileReader, emit: (Message) -> Void) throws {
        let decoder: SoundDecoder
        do {
            decoder = try SoundDecoder(sampleRateHertz: source.sampleRateHertz, channels: channels)
        } catch {
            throw FileProblem(path: source.path, cause: error)
        }
        var block = AudioBlock(channelCount: source.channelCount)
        while try source.read(into: &block) { report(decoder.process(block), of: source, emit: emit) }
        report(decoder.finish(), of: source, emit: emit)
    }

    private func report(_ heard: [HeardChirp], of source: AudioFileReader, emit: (Message) -> Void) {
        if asJSON {
            var links: [Shortcode: JSONValue] = [:]
            for one in heard {
                let code = one.chirp.shortcode
                let link = links[code] ?? desk.heardBlocking(code)?.json ?? .null
                links[code] = link
                let report = DetectionReport(file: source.path, channel: one.channel, chirp: one.chirp, link: link)
                emit(.result(report.json.text))
            }
        } else {
            for chirp in SightedChirp.merging(heard) {
                let line = chirp.line(file: source.path, channelCount: source.channelCount)
                let link = desk.heardBlocking(chirp.chirp.shortcode).map { "  \($0.line)" } ?? ""
                emit(.result(line + link))
            }
        }
    }
}

/// Something that is wrong with the content of a file, and which file.
struct FileProblem: ExplainedError {
    let path: String
    let cause: any Error

    var sentence: String { "\(AudioFileError.Operation.read.name(path)): \(chirp.sentence(for: cause))" }
}
