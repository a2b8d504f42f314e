internal import Foundation

/// Lossy compression and back, by ffmpeg: a run-time dependency of the rows that use it (Debian package ffmpeg).
public struct Codec: Channel {
    /// A codec and its bit rate, as ffmpeg's arguments.
    public enum Kind: String, Sendable, CaseIterable {
        case mp3At64k = "mp3-64k"
        case opusAt24k = "opus-24k"
        case aacAt48k = "aac-48k"
        /// A telephone's, of a sound at 8 kHz: G.711 µ-law.
        case muLaw = "g711-ulaw"
        /// GSM full rate, 13 kb/s, at 8 kHz.
        case gsm = "gsm"
        /// Opus for speech, 12 kb/s, of a sound at 8 kHz.
        case opusVoiceAt12k = "opus-voice-12k"

        /// Those for music and those for telephones.
        static let music = [mp3At64k, opusAt24k, aacAt48k]
        static let telephone = [muLaw, gsm, opusVoiceAt12k]

        var encoder: [String] {
            switch self {
            case .mp3At64k: ["-c:a", "libmp3lame", "-b:a", "64k", "-f", "mp3"]
            case .opusAt24k: ["-c:a", "libopus", "-b:a", "24k", "-f", "ogg"]
            case .muLaw: ["-c:a", "pcm_mulaw", "-f", "wav"]
            case .gsm: ["-c:a", "libgsm", "-f", "gsm"]
            case .opusVoiceAt12k: ["-c:a", "libopus", "-b:a", "12k", "-application", "voip", "-f", "ogg"]
            case .aacAt48k: ["-c:a", "aac", "-b:a", "48k", "-f", "adts"]
            }
        }
    }

    public let kind: Kind
    private let program: URL

    /// - Returns: nil when ffmpeg is not installed.
    public init?(_ kind: Kind) {
        guard let program = Self.ffmpeg else { return nil }
        self.kind = kind
        self.program = program
    }

    /// Whether ffmpeg is installed.
    public static var isAvailable: Bool { ffmpeg != nil }

    private static let ffmpeg: URL? = ProcessInfo.processInfo.environment["PATH"]?
        .split(separator: ":").map { URL(filePath: String($0)).appending(path: "ffmpeg") }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) }

    public func pass(_ sound: inout Sound, using random: inout RandomSource) throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "chirp-codec-\(ProcessInfo.processInfo.processIdentifier)-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let plain = folder.appending(path: "plain")
        let coded = folder.appending(path: "coded")
        let form = ["-f", "f32le", "-ar", String(Int(sound.sampleRateHertz)), "-ac", "1"]
        try sound.samples.withUnsafeBytes { Data($0) }.write(to: plain)
        try run(form + ["-i", plain.path] + kind.encoder + [coded.path])
        try run(["-i", coded.path] + form + ["-y", plain.path])
        let bytes = try Data(contentsOf: plain)
        sound.samples = [Float](unsafeUninitializedCapacity: bytes.count / 4) { buffer, count in
            count = bytes.copyBytes(to: buffer) / 4
        }
    }

    private func run(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = program
        process.arguments = ["-v", "error", "-nostdin", "-threads", "1"] + arguments
        let messages = Pipe()
        process.standardError = messages
        try process.run()
        let text = messages.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw CodecError(codec: kind.rawValue, message: String(decoding: text, as: UTF8.self))
        }
    }
}

/// What ffmpeg said when it could not compress or restore a sound.
public struct CodecError: Error, Sendable {
    public let codec: String
    public let message: String
}
