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
            let decoder: SoundDecoder
            do {
                decoder = try SoundDecoder(sampleRateHertz: source.sampleRateHertz, channelCount: source.channelCount)
            } catch {
                throw FileProblem(path: path, cause: error)
            }
            defer { for warning in source.flaws.sentences(path: path) { emit(.warning(warning)) } }
            var block = AudioBlock(channelCount: source.channelCount)
            while try source.read(into: &block) { report(decoder.process(block), of: source, emit: emit) }
            report(decoder.finish(), of: source, emit: emit)
        } catch {
            emit(.failure(sentence(for: error)))
        }
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
