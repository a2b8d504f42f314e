import Chirp
import Testing

@Suite struct WireFormatTests {
    private let format = WireFormat.original

    @Test func `there are 32 tones, semitones from 1760.0 to 10548.1 Hz`() {
        #expect(format.toneCount == 32)
        #expect(format.pitchHertz(of: 0) == 1760)
        #expect(abs(format.pitchHertz(of: 12) - 3520) < 1e-9)
        #expect(abs(format.pitchHertz(of: 17) - 4698.6) < 0.05)
        #expect(abs(format.pitchHertz(of: 19) - 5274.0) < 0.05)
        #expect(abs(format.highestPitchHertz - 10548.1) < 0.05)
    }

    @Test func `a frame is twenty symbols and 1.744 s`() {
        #expect(format.frameSymbolCount == 20)
        #expect(abs(format.frameSeconds - 1.744) < 1e-12)
    }

    @Test func `characters and symbols belong to each other`() {
        for (index, character) in "0123456789abcdefghijklmnopqrstuv".enumerated() {
            #expect(format.symbol(for: character) == UInt8(index))
            #expect(format.text(of: [UInt8(index)]) == String(character))
        }
        for character in "wxyz/:@[`{ é" { #expect(format.symbol(for: character) == nil) }
    }
}
