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

    @Test func `no raw format has a rate beyond 31 bits`() {
        #expect(RawFormat(encoding: .s16le, sampleRateHertz: Int(Int32.max), channelCount: 1) != nil)
        #expect(RawFormat(encoding: .s16le, sampleRateHertz: Int(Int32.max) + 1, channelCount: 1) == nil)
    }
}
