internal import Glibc

/// A mono 16-bit WAV file on standard output, which may be a pipe: its header is complete from the start, as the
/// length is known, and nothing is gone back to.
public final class WaveStream: AudioSink {
    public let sampleRateHertz: Double
    private var pending: [UInt8]

    /// - Parameter frameCount: the samples that will be written.
    public init(sampleRateHertz: Int, frameCount: Int) throws(AudioFileError) {
        self.sampleRateHertz = Double(sampleRateHertz)
        pending = Self.header(sampleRateHertz: sampleRateHertz, frameCount: frameCount)
        try flush()
    }

    public func write(_ samples: [Float]) throws(AudioFileError) {
        for sample in samples {
            let value = Int16((min(max(sample, -1), 1) * 32_767).rounded())
            pending += [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
        }
        try flush()
    }

    public func finish() throws(AudioFileError) { try flush() }

    private func flush() throws(AudioFileError) {
        try writeAll(pending[...], to: STDOUT_FILENO, path: "-")
        pending.removeAll(keepingCapacity: true)
    }

    /// RIFF header of 44 bytes (Multimedia Programming Interface and Data Specifications 1.0, 1991). Lengths beyond
    /// 4 GiB are given as the largest that fits, which readers take for "until the end".
    package static func header(sampleRateHertz: Int, frameCount: Int) -> [UInt8] {
        let dataLength = UInt32(clamping: min(2 * frameCount, Int(UInt32.max) - 36))
        func little(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        func little(_ value: UInt16) -> [UInt8] { (0..<2).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        let rate = UInt32(sampleRateHertz)
        let format = little(UInt16(1)) + little(UInt16(1)) + little(rate) + little(2 * rate)
        return Array("RIFF".utf8) + little(dataLength + 36) + Array("WAVEfmt ".utf8) + little(UInt32(16))
            + format + little(UInt16(2)) + little(UInt16(16)) + Array("data".utf8) + little(dataLength)
    }
}
