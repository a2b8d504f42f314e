internal import Chirp
internal import ChirpSound
internal import CoreMetrics
internal import Foundation
internal import Glibc
internal import HTTPTypes
internal import Synchronization

/// Decodes sounds on threads of its own, as many at a time as there are processors.
///
/// The threads give way to all others: while sounds are decoded, look-ups are answered as if they were not. Clients take
/// turns, so that the sounds of one do not hold up another's. When too many wait, the last one of the client that has most
/// is refused.
final class DecodePool: Sendable {
    private struct Job {
        let sound: UploadedSound
        let formats: [WireFormat]?
        let finish: @Sendable (Result<[ChannelDetection], any Error>) -> Void
        let charge: @Sendable (Double) -> Void
    }

    private struct State {
        var waiting: [[UInt8]: [Job]] = [:]
        /// Clients with waiting sounds, the next one first.
        var turns: [[UInt8]] = []
        /// Sounds that wait or are being decoded.
        var count = 0
        var isStarted = false
    }

    private let state = Mutex(State())
    private let jobs = DispatchSemaphore(value: 0)
    private let threadCount: Int
    private let countLimit: Int
    private let limits: ServiceLimits
    private let metrics: ServiceMetrics

    init(limits: ServiceLimits, metrics: ServiceMetrics) {
        threadCount = max(1, ProcessInfo.processInfo.activeProcessorCount)
        countLimit = 16 * threadCount
        self.limits = limits
        self.metrics = metrics
    }

    /// Every chirp of a sound, in order of start time.
    ///
    /// - Parameters:
    ///   - formats: those that are listened for, where they are received at the sound's rate; nil for all whose tones the rate has room
    ///     for.
    ///   - client: whose turn it is taken in.
    ///   - charge: receives the processor seconds that it took, also when it throws.
    /// - Throws: ``ServiceError``
    func chirps(
        in sound: UploadedSound, formats: [WireFormat]? = nil, client: String,
        charge: @escaping @Sendable (Double) -> Void
    ) async throws -> [ChannelDetection] {
        try await withCheckedThrowingContinuation { continuation in
            let job = Job(
                sound: sound, formats: formats, finish: { continuation.resume(with: $0) }, charge: charge)
            if let refused = add(job, of: TokenBuckets.key(client)) {
                metrics.decodesRefused.increment()
                refused.finish(.failure(Self.full))
            }
        }
    }

    private static let full = ServiceError(
        .serviceUnavailable, "Too many sounds are being decoded: try again.", headers: [.retryAfter: "2"])

    /// - Returns: the sound that is refused instead, if any.
    private func add(_ job: Job, of client: [UInt8]) -> Job? {
        let (refused, isAdded, starts) = state.withLock { state -> (Job?, Bool, Bool) in
            var refused: Job?
            if state.count >= countLimit {
                let own = state.waiting[client]?.count ?? 0
                guard let most = state.waiting.max(by: { $0.value.count < $1.value.count }), most.value.count > own + 1
                else { return (job, false, false) }
                refused = state.waiting[most.key]?.removeLast()
                state.count -= 1
            }
            if state.waiting[client, default: []].isEmpty { state.turns.append(client) }
            state.waiting[client, default: []].append(job)
            state.count += 1
            defer { state.isStarted = true }
            return (refused, true, !state.isStarted)
        }
        if starts {
            for _ in 0..<threadCount { BlockingThread.start(name: "chirp-decode") { self.work() } }
        }
        if isAdded {
            if refused == nil { metrics.decodesWaiting.increment(by: 1) }
            jobs.signal()
        }
        return refused
    }

    /// The next client's first sound; nil when another took its place in vain.
    private func next() -> Job? {
        state.withLock { state in
            while !state.turns.isEmpty {
                let client = state.turns.removeFirst()
                guard var own = state.waiting[client], !own.isEmpty else {
                    state.waiting[client] = nil
                    continue
                }
                let job = own.removeFirst()
                state.waiting[client] = own.isEmpty ? nil : own
                if !own.isEmpty { state.turns.append(client) }
                return job
            }
            return nil
        }
    }

    /// The least priority there is: such a thread has a 70th of the processor time of any other.
    private static let niceness: Int32 = 19

    private func work() {
        // On Linux, 0 is the calling thread, which has a niceness of its own (setpriority(2)).
        _ = setpriority(Int32(PRIO_PROCESS.rawValue), 0, Self.niceness)
        while true {
            jobs.wait()
            guard let job = next() else { continue }
            metrics.decodesWaiting.decrement(by: 1)
            metrics.decodesInFlight.increment(by: 1)
            let start = Self.processorSeconds
            let result = Result { try decode(job.sound, formats: job.formats, since: start) }
            let seconds = Self.processorSeconds - start
            metrics.decodesInFlight.decrement(by: 1)
            metrics.decodeSeconds.increment(by: seconds)
            if case .success(let heard) = result { metrics.chirpsHeard.increment(by: heard.count) }
            state.withLock { $0.count -= 1 }
            job.charge(seconds)
            job.finish(result)
        }
    }

    /// Of this thread.
    private static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    /// Channels are heard in groups, as many at a time as take little memory, the file being read again for each.
    private func decode(
        _ sound: UploadedSound, formats: [WireFormat]?, since start: Double
    ) throws -> [ChannelDetection] {
        var heard: [ChannelDetection] = []
        var next = 0
        var channelCount = 1
        /// Of all channels together.
        var channelSeconds = 0.0
        while next < channelCount {
            let source = try Self.open(sound)
            channelCount = source.channelCount
            guard channelCount <= Self.channelLimit else { throw Self.unusable }
            let formats = try Self.formats(of: formats, at: source.sampleRateHertz)
            let most = SoundDecoder.maximumChannelCount(
                sampleRateHertz: source.sampleRateHertz, memoryBytes: Self.memoryBytes, formatCount: formats.count,
                combinesCopies: true)
            let group = next..<min(channelCount, next + most)
            let decoder: SoundDecoder
            do {
                decoder = try SoundDecoder(
                    sampleRateHertz: source.sampleRateHertz, channels: group, formats: formats, combinesCopies: true)
            } catch { throw Self.unusable }
            var block = AudioBlock(channelCount: channelCount)
            var frameCount = 0
            while try source.read(into: &block) {
                frameCount += block.frameCount
                guard frameCount * channelCount <= limits.soundSamples else {
                    throw ServiceError(
                        .contentTooLarge,
                        "The sound is too long: at most ten minutes of stereo at 48 kHz, or as many samples.")
                }
                channelSeconds += Double(block.frameCount * group.count) / source.sampleRateHertz
                heard += decoder.process(block)
                let share =
                    limits.soundProcessorShare + limits.furtherFormatProcessorShare * Double(formats.count - 1)
                let budget = limits.soundProcessorSeconds + share * channelSeconds
                guard Self.processorSeconds - start <= budget else {
                    metrics.decodesCutOff.increment()
                    let seconds = String(format: "%.1f", Double(frameCount) / source.sampleRateHertz)
                    throw ServiceError(
                        .contentTooLarge,
                        "The sound takes too much work to decode: it was cut off at \(seconds) s of channels "
                            + "\(group.lowerBound) to \(group.upperBound - 1). Send less of it at a time.")
                }
            }
            heard += decoder.finish()
            next = group.upperBound
        }
        return heard.sorted { ($0.chirp.startSeconds, $0.channel) < ($1.chirp.startSeconds, $1.channel) }
    }

    /// The formats to listen for in a sound of this rate, each once.
    private static func formats(of named: [WireFormat]?, at rate: Double) throws -> [WireFormat] {
        guard WireFormat.original.receptionRatesHertz.contains(rate) else { throw unusable }
        guard let named else { return SoundDecoder.formats(fitting: rate) }
        let fitting = WireFormat.all.filter { named.contains($0) && $0.receptionRatesHertz.contains(rate) }
        guard !fitting.isEmpty else {
            let names = named.map(\.name).joined(separator: ", ")
            let least = Int(named.map(\.receptionRatesHertz.lowerBound).min() ?? 0)
            throw ServiceError(
                .unprocessableContent,
                "The sound has \(Int(rate)) samples a second, which have no room for \(names): send at least \(least).")
        }
        return fitting
    }

    private static let channelLimit = 32
    /// For one sound; as many are decoded at once as there are processors.
    private static let memoryBytes = 48e6
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
