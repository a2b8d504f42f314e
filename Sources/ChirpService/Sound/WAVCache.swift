internal import Chirp
internal import ChirpLinks
internal import ChirpSound
internal import NIOCore

/// Chirps as WAV files, the latest ones ready: a code's sound never changes, and is made once however many ask.
actor WAVCache {
    static let sampleRateHertz = 44_100
    private let synthesiser: Synthesiser
    /// 154 KB each, 20 MB in all.
    private var files = BoundedCache<Shortcode, Task<ByteBuffer, Never>>(capacity: 128)
    /// How many were made up to now.
    private(set) var madeCount = 0

    init(_ synthesiser: Synthesiser) { self.synthesiser = synthesiser }

    /// The WAV file of a code.
    func file(of code: Shortcode) async -> ByteBuffer {
        if let task = files[code] { return await task.value }
        let synthesiser = synthesiser
        let task = Task.detached { Self.wave(synthesiser.samples(of: code.codeword)) }
        files.insert(task, for: code)
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
