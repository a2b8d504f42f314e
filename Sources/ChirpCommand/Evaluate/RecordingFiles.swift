internal import ChirpLab
internal import ChirpSound
internal import Foundation

/// Sound files that the laboratory mixes with.
enum RecordingFiles {
    /// A folder's music and speech, and further files as music.
    static func load(folder: String?, noise: [String]) throws -> StandardScenarios.Recordings {
        var recordings = StandardScenarios.Recordings(music: try noise.map(sound(path:)))
        guard let folder else { return recordings }
        recordings.music += try sounds(in: folder, "music")
        recordings.speech += try sounds(in: folder, "speech")
        return recordings
    }

    private static func sounds(in folder: String, _ kind: String) throws -> [[Float]] {
        let path = folder + "/" + kind
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            throw EvaluateError.noRecordings(folder: path)
        }
        return try names.filter { !$0.hasPrefix(".") }.sorted().map { try sound(path: path + "/" + $0) }
    }

    /// The mean of a file's channels at the laboratory's sample rate.
    static func sound(path: String) throws -> [Float] {
        let reader = try AudioFileReader(path: path)
        var block = AudioBlock(channelCount: reader.channelCount)
        var mono: [Float] = []
        while try reader.read(into: &block) { mono += block.mean() }
        guard mono.contains(where: { $0 != 0 }) else { throw EvaluateError.silent(path: path) }
        guard reader.sampleRateHertz != Scenario.sampleRateHertz else { return mono }
        return Resampling.resampled(mono, from: reader.sampleRateHertz, to: Scenario.sampleRateHertz)
    }
}
