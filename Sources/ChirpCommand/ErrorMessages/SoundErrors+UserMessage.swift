internal import Chirp
internal import ChirpSound
internal import Foundation

extension AudioFileError: UserFacingError {
    var userMessage: String {
        switch self {
        case .system(let operation, let path, let code):
            "\(operation.name(path)): cannot \(operation.verb): \(String(cString: strerror(code)))"
        case .isDirectory(let path):
            "\(AudioFileError.Operation.read.name(path)): is a folder; name the sound files in it, or use chirp decode --recursive"
        case .isEmpty(let path): "\(AudioFileError.Operation.read.name(path)): is empty"
        case .notSound(let path, let reason):
            "\(AudioFileError.Operation.read.name(path)): is not a readable sound file\(reason.asReason)"
                + (FileExtensions.isConvertible(path) ? "; ffmpeg -i makes a WAV file of it" : "")
        case .library(let operation, let path, let reason):
            "\(operation.name(path)): cannot \(operation.verb)\(reason.asReason)"
        case .tooManyChannels(let path, let count, let most):
            "\(AudioFileError.Operation.read.name(path)): has \(count) channels, and at most \(most) can be "
                + "decoded from a pipe; save it to a file first"
        case .tooLong(let path):
            "\(path): the sound exceeds the format's limit of 4 GB; write .flac instead"
        case .unknownExtension(let path, let known):
            "\(path): unknown extension; use one of \(known.map { "." + $0 }.joined(separator: ", "))"
        }
    }
}

extension AudioFileError.Operation {
    var verb: String {
        switch self {
        case .open: "open"
        case .read: "read"
        case .write: "write"
        }
    }

    /// A path as people know it.
    func name(_ path: String) -> String {
        path != "-" ? path : self == .write ? "standard output" : "standard input"
    }
}

extension AudioFileFlaws {
    /// Warnings for a file that could be read despite its defects.
    func sentences(path: String) -> [String] {
        let name = AudioFileError.Operation.read.name(path)
        var sentences: [String] = []
        if let damage {
            sentences.append("\(name): is damaged; decoded up to the damage\(damage.asReason)")
        } else if let readShare {
            sentences.append(
                "\(name): only the first \(Int(100 * readShare)) % of the file were decoded, as several sounds follow each other "
                    + "in it, or it does not say its length: ffmpeg can make one sound of it")
        } else if lengthIsWrong {
            sentences.append("\(name): the data length does not match the header; decoded what is there")
        }
        if nonFiniteSampleCount > 0 {
            let samples = nonFiniteSampleCount == 1 ? "1 sample is" : "\(nonFiniteSampleCount) samples are"
            sentences.append("\(name): \(samples) not finite and were replaced by silence")
        }
        return sentences
    }
}

extension String {
    /// The library's words after a colon, or nothing when they say nothing.
    fileprivate var asReason: String { tidied.isEmpty ? "" : ": " + tidied }

    /// The library's words without the full stop and the line ends that some of them have.
    private var tidied: String {
        if hasPrefix("Unspecified internal error") { return "" }
        // What libsndfile says of a header with impossible numbers.
        if hasPrefix("Internal error") { return "its header is invalid" }
        // And of an MP3 file in which no frame is found.
        if hasPrefix("File does not exist or is not a regular file") { return "no sound was found in it" }
        let words = split(whereSeparator: \.isNewline).joined(separator: " ").trimmingCharacters(in: [".", " "])
        let mark = ["System error : ", "Error : "].first { words.hasPrefix($0) } ?? ""
        return String(words.dropFirst(mark.count))
    }
}

extension RawFormatError: UserFacingError {
    var userMessage: String {
        switch self {
        case .form(let text): "“\(text)” is not of the form FORMAT:RATE:CHANNELS, such as s16le:44100:1"
        case .encoding(let text):
            "“\(text)” is not a raw format; use one of "
                + RawFormat.Encoding.allCases.map(\.rawValue).joined(separator: ", ")
        case .sampleRate(let text): "“\(text)” is not a sample rate in hertz"
        case .channelCount(let text):
            "“\(text)” is not a number of channels from \(RawFormat.channelCounts.lowerBound) to "
                + "\(RawFormat.channelCounts.upperBound)"
        }
    }
}

extension ReceptionError: UserFacingError {
    var userMessage: String {
        switch self {
        case .sampleRate(let rate, let supported):
            "the sample rate \(hertz(rate)) is outside the range of \(hertz(supported.lowerBound)) to "
                + "\(hertz(supported.upperBound)) for decoding"
        }
    }
}

extension SynthesisError: UserFacingError {
    var userMessage: String {
        switch self {
        case .sampleRate(let rate, let supported):
            "the sample rate \(hertz(rate)) is outside the range of \(hertz(supported.lowerBound)) to "
                + "\(hertz(supported.upperBound)) for sending"
        }
    }
}

private func hertz(_ value: Double) -> String { "\(Int(value)) Hz" }
