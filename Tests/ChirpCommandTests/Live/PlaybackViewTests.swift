import Chirp
import ChirpSound
import Testing

@testable import chirp

@Suite struct PlaybackViewTests {
    private func lines(width: Int, height: Int, inColour: Bool = false) throws -> [String] {
        let codeword = try Codeword(parsing: "gsm2h88c7u")
        var schedule = try PlaybackSchedule(ChirpSequence([codeword]), sampleRateHertz: 44_100)
        var position: PlaybackSchedule.Position?
        var picture = ToneWaterfall()
        while let block = schedule.next() {
            guard let next = block.position, next != position else { continue }
            position = next
            var powers = SIMD32<Float>(repeating: 1e-9)
            powers[Int(codeword.frame[next.symbolIndex])] = 0.1
            for _ in 0..<4 { picture.append(powers) }
        }
        return PlaybackView.lines(
            picture, try #require(position), chirpCount: 1, size: (width, height), inColour: inColour)
    }

    @Test func `the tones are drawn above the symbols, high ones above low ones`() throws {
        let lines = try lines(width: 80, height: 24)
        #expect(lines.count == 9)
        #expect(lines.last == "♪  hjgsm2h88c7udtnef4ok  gsm2h88c7u")
        #expect(lines.prefix(8).map { $0.prefix(2) } == ["v ", "r ", "n ", "j ", "f ", "b ", "7 ", "3 "])
        // Each of the twenty symbols is two characters wide, in the row of its four tones.
        let alphabet = WireFormat.original.alphabet
        for (row, line) in lines.prefix(8).enumerated() {
            let tones = alphabet[(28 - 4 * row)...(31 - 4 * row)]
            let picture = Array(line.dropFirst(2).suffix(40))
            for (index, symbol) in "hjgsm2h88c7udtnef4ok".enumerated() {
                #expect((picture[2 * index] != " ") == tones.contains(symbol), "\(line)")
            }
        }
    }

    @Test(arguments: [(80, 13), (19, 24), (1, 1)])
    func `a small terminal has the symbols alone`(width: Int, height: Int) throws {
        #expect(try lines(width: width, height: height) == ["♪  hjgsm2h88c7udtnef4ok  gsm2h88c7u"])
    }

    @Test func `without colours there is no escape`() throws {
        #expect(try lines(width: 80, height: 24).allSatisfy { !$0.contains("\u{1B}") })
        #expect(try lines(width: 80, height: 24, inColour: true).contains { $0.contains("\u{1B}[38;5;") })
    }
}
