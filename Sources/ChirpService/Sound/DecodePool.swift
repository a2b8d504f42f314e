internal import Chirp
internal import ChirpSound
internal import Foundation
internal import HTTPTypes
internal import Synchronization

/// Decodes sounds on threads of their own, as many at a time as there are processors; refuses when too many wait.
final class DecodePool: Sendable {
    private let queue: OperationQueue
    private let waiting = Mutex(0)
    private let waitingLimit: Int
    private let sampleLimit: Int

    init(sampleLimit: Int) {
        queue = OperationQueue()
        queue.maxConcurrentOperationCount = max(1, ProcessInfo.processInfo.activeProcessorCount)
        waitingLimit = 16 * queue.maxConcurrentOperationCount
        self.sampleLimit = sampleLimit
    }

    /// Every chirp of a sound, in order of start time.
    ///
    /// - Throws: ``ServiceError``
    func chirps(in sound: UploadedSound) async throws -> [ChannelDetection] {
        let isFull = waiting.withLock { count in
            guard count < waitingLimit else { return true }
            count += 1
            return false
        }
        guard !isFull else {
            throw ServiceError(
                .serviceUnavailable, "Too many sounds are being decoded: try again.", headers: [.retryAfter: "2"])
        }
        defer { waiting.withLock { $0 -= 1 } }
        let sampleLimit = sampleLimit
        return try await withCheckedThrowingContinuation { continuation in
            queue.addOperation {
                continuation.resume(with: Result { try Self.decode(sound, sampleLimit: sampleLimit) })
            }
        }
    }

    /// Channels are heard in groups, as many at a time as take little memory, the file being read again for each.
    private static func decode(_ sound: UploadedSound, sampleLimit: Int) throws -> [ChannelDetection] {
        var heard: [ChannelDetection] = []
        var next = 0
        var channelCount = 1
        while next < channelCount {
            let source = try open(sound)
            channelCount = source.channelCount
            guard channelCount <= channelLimit else { throw unusable }
            let most = SoundDecoder.mostChannels(
                sampleRateHertz: source.sampleRateHertz, memoryBytes: memoryBytes)
            let group = next..<min(channelCount, next + most)
            guard let decoder = try? SoundDecoder(sampleRateHertz: source.sampleRateHertz, channels: group) else {
                throw unusable
            }
            var block = AudioBlock(channelCount: channelCount)
            var sampleCount = 0
            while try source.read(into: &block) {
                sampleCount += block.frameCount * channelCount
                guard sampleCount <= sampleLimit else {
                    throw ServiceError(
                        .contentTooLarge,
                        "The sound is too long: at most ten minutes of stereo at 48 kHz, or as many samples.")
                }
                heard += decoder.process(block)
            }
            heard += decoder.finish()
            next = group.upperBound
        }
        return heard.sorted { ($0.chirp.startSeconds, $0.channel) < ($1.chirp.startSeconds, $1.channel) }
    }

    private static let channelLimit = 32
    /// For one sound; as many are decoded at once as there are processors.
    private static let memoryBytes = 32e6
    private static let unusable = ServiceError(
        .unprocessableContent, "A sound has 8,000 to 192,000 samples a second, and at most \(channelLimit) channels.")

    private static func open(_ sound: UploadedSound) throws -> AudioFileReader {
        do {
            return try AudioFileReader(path: sound.path)
        } catch .notSound {
            throw ServiceError(
                .unsupportedMediaType, "The body is not a known sound file, such as WAV, FLAC, Ogg or MP3.")
        } catch {
            throw ServiceError(.badRequest, "The sound file cannot be read.")
        }
    }
}
