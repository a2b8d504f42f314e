import Chirp
import Testing

@Suite struct CodewordTests {
    @Test(arguments: try Vectors.longcodes())
    func `the longcode of every original code is reproduced`(vector: Vectors.Longcodes.Vector) throws {
        let codeword = try Shortcode(parsing: vector.code).codeword
        #expect(codeword.description == vector.code + vector.parity)
        #expect(WireFormat.original.text(of: codeword.frame) == "hj" + vector.code + vector.parity)
        #expect(try Codeword(parsing: vector.code + vector.parity) == codeword)
    }

    @Test func `the frame of the documented example has the documented pitches`() throws {
        let pitches = [
            4698.6, 5274.0, 4434.9, 8869.8, 6271.9, 1975.5, 4698.6, 2793.8, 2793.8, 3520.0, 2637.0, 9956.1, 3729.3,
            9397.3, 6644.9, 3951.1, 4186.0, 2217.5, 7040.0, 5587.7,
        ]
        let frame = try Shortcode(parsing: "gsm2h88c7u").codeword.frame
        #expect(frame.count == pitches.count)
        for (symbol, pitch) in zip(frame, pitches) {
            #expect(abs(WireFormat.original.pitchHertz(of: symbol) - pitch) <= 0.05)
        }
    }

    @Test func `symbols that are no codeword make none`() throws {
        var symbols = try Shortcode(parsing: "gsm2h88c7u").codeword.symbols
        #expect(Codeword(symbols: symbols) != nil)
        #expect(Codeword(symbols: Array(symbols.dropLast())) == nil)
        #expect(Codeword(symbols: []) == nil)
        symbols[4] = 32
        #expect(Codeword(symbols: symbols) == nil)
    }
}
