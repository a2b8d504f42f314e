import ChirpSound
import Testing

@Suite struct FilePathTests {
    @Test(
        arguments: [
            Array("plain.wav".utf8), Array("Größe 日本 🎵.wav".utf8), [0xE4], [0x78, 0xE4, 0xFF, 0x2E], [0xC3],
            [0xC3, 0xA4, 0xC3],
            [0xF0, 0x9F, 0x8E], [0x80, 0x81, 0xBF], [0xED, 0xA0, 0x80], [0xC0, 0xAF], [0xF4, 0x90, 0x80, 0x80],
            Array("\u{10FF80}\u{10FFFF}\u{10FF7F}".utf8), [],
        ] as [[UInt8]])
    func `a path has the bytes that it was made of`(bytes: [UInt8]) {
        #expect(FilePath.bytes(of: FilePath.string(of: bytes)) == bytes)
    }

    @Test func `every two bytes come back, and no two of them are the same path`() {
        var paths: Set<String> = []
        for first in UInt8(1)...255 {
            for second in UInt8(1)...255 {
                let path = FilePath.string(of: [first, second])
                #expect(FilePath.bytes(of: path) == [first, second])
                // Unicode says that some spellings are equal, as letters with accents; their bytes are not.
                paths.insert(path.unicodeScalars.map { String($0.value) }.joined(separator: " "))
            }
        }
        #expect(paths.count == 255 * 255)
    }

    @Test func `text in UTF-8 stays as it is, and the rest is shown as replacement characters`() {
        #expect(FilePath.string(of: Array("Größe.wav".utf8)) == "Größe.wav")
        #expect(FilePath.printable("Größe.wav") == "Größe.wav")
        #expect(FilePath.printable(FilePath.string(of: [0x78, 0xE4, 0x2E])) == "x\u{FFFD}.")
    }
}
