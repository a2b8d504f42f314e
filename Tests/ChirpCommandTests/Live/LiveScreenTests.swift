import Chirp
import ChirpReport
import ChirpSound
import Foundation
import Testing

@testable import chirp

@Suite struct LiveScreenTests {
    /// A screen that has heard some of a chirp.
    private func screen(inColour: Bool = false, symbols: Int) throws -> LiveScreen {
        var screen = LiveScreen(inColour: inColour)
        screen.take(.opened(device: "default", sampleRateHertz: 44_100))
        let samples = try Synthesiser(sampleRateHertz: 44_100).samples(of: Codeword(parsing: "gsm2h88c7u"))
        var meter = ToneMeter(sampleRateHertz: 44_100)
        let heard = samples.prefix(Int(44_100 * 0.0872 * (Double(symbols) + 0.8)))
        screen.take(.columns(meter.process([Float](repeating: 0, count: 8_000) + heard), peak: 0.5))
        return screen
    }

    private func detection(_ link: ResolvedLink? = nil) throws -> ResolvedDetection {
        ResolvedDetection(
            chirp: DetectedChirp(
                codeword: try Codeword(parsing: "gsm2h88c7u"), startSeconds: 0, durationSeconds: 1.744,
                snrDecibels: -3.14, correctedSymbolCount: 2, confidence: 1, tuningCents: 0, speed: 1),
            time: Date(), link: link)
    }

    @Test(arguments: [1, 2, 10, 23, 24, 40, 79, 80, 200], [1, 2, 3, 5, 9, 10, 13, 14, 21, 22, 24, 60])
    func `the lines fit a terminal of any size`(width: Int, height: Int) throws {
        var screen = try screen(symbols: 5)
        let link = ResolvedLink(
            json: .null, kind: "url", url: "https://example.org",

            summary: "url  “日本語 🎵 a long title” https://example.org")
        for _ in 0..<30 { screen.take(.resolved(try detection(link))) }
        let lines = screen.lines(width: width, height: height)
        #expect(lines.count == height)
        for line in lines { #expect(TerminalText.width(of: line) <= width) }
    }

    @Test func `the chirp is spelled as it arrives`() throws {
        let lines = try screen(symbols: 7).lines(width: 80, height: 24)
        #expect(lines.contains { $0.hasPrefix(" ♪ hjgsm2h·············") })
    }

    @Test func `at 80 columns and 24 lines all 32 tones are shown, two a line, with pitches at the left`() throws {
        let lines = try screen(symbols: 7).lines(width: 80, height: 24)
        #expect(lines[1].hasPrefix("v "))
        #expect(lines[16].hasPrefix("1 "))
        #expect(lines[0].contains("default  44.1 kHz"))
        #expect(lines[0].contains("−6 dB"))
        // The start code's second tone, j, is the 20th: it is in the 7th line from the top.
        #expect(lines[7].hasPrefix("j ") && lines[7].contains("█"))
    }

    @Test func `results are listed with time, code, signal-to-noise ratio, corrections and link`() throws {
        var screen = try screen(symbols: 0)
        let link = ResolvedLink(json: .null, kind: "user", url: nil, summary: "user  rj\u{1B}[31m")
        let heard = try detection(link)
        screen.take(.resolved(heard))
        let lines = screen.lines(width: 80, height: 24)
        #expect(lines.contains { $0.contains("heard: 1") })
        let line = lines.first { $0.contains("gsm2h88c7u") }?.trimmingCharacters(in: .whitespaces)
        #expect(line == "\(heard.clock)  gsm2h88c7u   -3.1 dB   2 corrected  user  rj·[31m")
    }

    @Test func `without colour the picture is made of shades, with colour of half blocks`() throws {
        let plain = try screen(symbols: 7).lines(width: 80, height: 24).joined()
        #expect(!plain.contains("\u{1B}") && plain.contains("█"))
        let coloured = try screen(inColour: true, symbols: 7).lines(width: 80, height: 24)
        #expect(coloured[7].contains("\u{1B}[38;5;") && coloured[7].hasSuffix("\u{1B}[0m"))
        #expect(coloured[7].filter { $0 == "▀" }.count == 78 || coloured[7].hasPrefix("\u{1B}[2mj"))
    }
}
