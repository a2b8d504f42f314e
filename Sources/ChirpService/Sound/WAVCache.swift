internal import Chirp
internal import ChirpSound
internal import NIOCore

/// Chirps as WAV files, the latest ones ready: a code's sound never changes, and is made once however many ask.
actor WAVCache {
    static let sampleRateHertz = 44_100
    private let synthesiser: Synthesiser
    private var files: [Shortcode: Task<ByteBuffer, Never>] = [:]
    /// Codes in the order in which they were made.
    private var order: [Shortcode] = []
    /// 154 KB each, 20 MB in all.
    private static let capacity = 128
    /// How many were made up to now.
    private(set) var madeCount = 0

    init(_ synthesiser: Synthesiser) { self.synthesiser = synthesiser }

    /// The WAV file of a code.
    func file(of code: Shortcode) async -> ByteBuffer {
        if let task = files[code] { return await task.value }
        if order.count >= Self.capacity { files[order.removeFirst()] = nil }
        let synthesiser = synthesiser
        let task = Task.detached { Self.wave(synthesiser.samples(of: code.codeword)) }
        files[code] = task
        order.append(code)
        madeCount += 1
        return await task.value
    }

    private static func wave(_ samples: [Float]) -> ByteBuffer {
        let header = WaveStream.header(sampleRateHertz: sampleRateHertz, frameCount: samples.count)
        var buffer = ByteBufferAllocator().buffer(capacity: header.count + 2 * samples.count)
        buffer.writeBytes(header)
        for sample in samples {
            buffer.writeInteger(Int16((min(max(sample, -1), 1) * 32_767).rounded()), endianness: .little)
        }
        return buffer
    }
}
