internal import Chirp
internal import ChirpLinks
internal import ChirpSound
internal import NIOCore

/// Chirps as WAV files, the latest ones ready: a code's sound in a format never changes, and is made once however many ask.
actor WAVCache {
    static let sampleRateHertz = 44_100

    private struct Key: Hashable {
        let code: Shortcode
        let format: String
    }

    /// One a format, by name.
    private let synthesisers: [String: Synthesiser]
    /// 154 KB each at most, 20 MB in all.
    private var files = BoundedCache<Key, Task<ByteBuffer, Never>>(capacity: 128)
    /// How many were made up to now.
    private(set) var madeCount = 0

    /// Makes the sounds of all formats.
    ///
    /// - Throws: ``Chirp/SynthesisError`` when one of the formats cannot be sent at ``sampleRateHertz``.
    init() throws(SynthesisError) {
        var synthesisers: [String: Synthesiser] = [:]
        for format in WireFormat.all {
            synthesisers[format.name] = try Synthesiser(sampleRateHertz: Double(Self.sampleRateHertz), format: format)
        }
        self.synthesisers = synthesisers
    }

    /// The WAV file of a code in one of ``Chirp/WireFormat/all``.
    func file(of code: Shortcode, format: WireFormat = .original) async -> ByteBuffer {
        let key = Key(code: code, format: format.name)
        if let task = files[key] { return await task.value }
        guard let synthesiser = synthesisers[format.name] else {
            preconditionFailure("a format that is not one of all has no sound")
        }
        let task = Task.detached { Self.wave(synthesiser.samples(of: code.codeword)) }
        files.insert(task, for: key)
        madeCount += 1
        return await task.value
    }

    static func wave(_ samples: [Float]) -> ByteBuffer {
        let header = WaveStream.header(sampleRateHertz: sampleRateHertz, frameCount: samples.count)
        var buffer = ByteBufferAllocator().buffer(capacity: header.count + 2 * samples.count)
        buffer.writeBytes(header)
        for sample in samples {
            buffer.writeInteger(Int16((min(max(sample, -1), 1) * 32_767).rounded()), endianness: .little)
        }
        return buffer
    }
}
