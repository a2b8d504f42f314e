import Foundation
import Testing

@testable import ChirpSound

@Suite struct SoundFileHeaderTests {
    @Test(arguments: [UInt32(1) << 31, .max])
    func `a header with a rate beyond what the library takes is read without a crash`(rate: UInt32) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString + ".wav")
        defer { try? FileManager.default.removeItem(at: file) }
        func bytes(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
        // PCM of 16 bits, one channel, and a length of data that is wrong, so that the header is not believed.
        var header = Array("RIFF".utf8)
        header += bytes(44)
        header += Array("WAVEfmt ".utf8)
        header += bytes(16)
        header += [1, 0, 1, 0]
        header += bytes(rate)
        header += bytes(88_200)
        header += [2, 0, 16, 0]
        header += Array("data".utf8)
        header += bytes(.max)
        header += [1, 2, 3, 4, 5, 6, 7, 8]
        try Data(header).write(to: file)
        if let reader = try? AudioFileReader(path: file.path) { #expect(reader.sampleRateHertz <= Double(Int32.max)) }
    }

    /// Without an end where the file's is, libsndfile would find the last chunk again and again.
    @Test(arguments: [false, true]) func `a WAV file that ends in a chunk's head is refused`(isPiped: Bool) throws {
        func bytes(_ numbers: [UInt32]) -> [UInt8] {
            numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
        }
        // Floats of 32 bits, two channels, in the extensible format, and then the beginning of a chunk of a few megabytes.
        var file = Array("RIFF".utf8) + bytes([2_026]) + Array("WAVEfmt ".utf8)
        file += bytes([40, 0x0002_FFFE, 8_000, 64_000, 0x0020_0008, 0x0020_0016, 3, 3, 0x0010_0000, 0xAA00_0080])
        file += bytes([0x719B_3800]) + Array("fact".utf8) + bytes([4, 240]) + Array("LIST".utf8) + [0x1A, 0xA6]
        let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString + ".wav").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        if isPiped {
            let pipe = Pipe()
            try pipe.fileHandleForWriting.write(contentsOf: Data(file))
            try pipe.fileHandleForWriting.close()
            let end = "/proc/self/fd/\(pipe.fileHandleForReading.fileDescriptor)"
            #expect(throws: AudioFileError.self) { try AudioFileReader(path: end) }
        } else {
            try Data(file).write(to: URL(filePath: path))
            #expect(throws: AudioFileError.self) { try AudioFileReader(path: path) }
        }
    }

    @Test func `no raw format has a rate beyond 31 bits`() {
        #expect(RawFormat(encoding: .s16le, sampleRateHertz: Int(Int32.max), channelCount: 1) != nil)
        #expect(RawFormat(encoding: .s16le, sampleRateHertz: Int(Int32.max) + 1, channelCount: 1) == nil)
    }
}
