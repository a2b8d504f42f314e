internal import Chirp
internal import ChirpSound
internal import Foundation

extension AudioFileError: ExplainedError {
    var sentence: String {
        switch self {
        case .system(let operation, let path, let code):
            "\(name(path)): cannot \(operation.verb): \(String(cString: strerror(code)))"
        case .isDirectory(let path): "\(name(path)): is a folder; name the sound files in it"
        case .isEmpty(let path): "\(name(path)): is empty"
        case .notSound(let path, let reason): "\(name(path)): is not a sound file that can be read: \(tidied(reason))"
        case .library(let operation, let path, let reason):
            "\(name(path)): cannot \(operation.verb): \(tidied(reason))"
        case .unknownExtension(let path, let known):
            "\(path): the extension names the format, and is one of \(known.map { "." + $0 }.joined(separator: ", "))"
        }
    }

    private func name(_ path: String) -> String { path == "-" ? "standard stream" : path }

    /// The library's words without the full stop and the line ends that some of them have.
    private func tidied(_ reason: String) -> String {
        reason.split(whereSeparator: \.isNewline).joined(separator: " ").trimmingCharacters(in: [".", " "])
    }
}

extension AudioFileError.Operation {
    var verb: String {
        switch self {
        case .open: "open it"
        case .read: "read it"
        case .write: "write it"
        }
    }
}

extension RawFormatError: ExplainedError {
    var sentence: String {
        switch self {
        case .form(let text): "“\(text)” is not FORMAT:RATE:CHANNELS, such as s16le:44100:1"
        case .encoding(let text):
            "“\(text)” is not a raw format; there are "
                + RawFormat.Encoding.allCases.map(\.rawValue).joined(separator: ", ")
        case .sampleRate(let text): "“\(text)” is not a sample rate in hertz"
        case .channelCount(let text):
            "“\(text)” is not a number of channels from \(RawFormat.channelCounts.lowerBound) to "
                + "\(RawFormat.channelCounts.upperBound)"
        }
    }
}

extension ReceptionError: ExplainedError {
    var sentence: String {
        switch self {
        case .sampleRate(let rate, let supported):
            "the sample rate is \(hertz(rate)); chirps are heard from \(hertz(supported.lowerBound)) to "
                + hertz(supported.upperBound)
        }
    }
}

extension SynthesisError: ExplainedError {
    var sentence: String {
        switch self {
        case .sampleRate(let rate, let supported):
            "the highest tones of a chirp do not exist at a sample rate of \(hertz(rate)): "
                + "choose one from \(hertz(supported.lowerBound)) to \(hertz(supported.upperBound))"
        }
    }
}

private func hertz(_ value: Double) -> String { "\(Int(value)) Hz" }
