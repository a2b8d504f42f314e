import Chirp
import ChirpReport
import ChirpSound
import Foundation
import Testing

@testable import chirp

@Suite struct LiveScreenTests {
    /// A screen that listens for some formats and has heard some of a chirp in one of them.
    private func screen(
        inColour: Bool = false, formats: [WireFormat] = [.original], heard format: WireFormat = .original, symbols: Int
    ) throws -> LiveScreen {
        var screen = LiveScreen(inColour: inColour, formats: formats)
        screen.take(.opened(device: "default", sampleRateHertz: 44_100))
        let samples = try Synthesiser(sampleRateHertz: 44_100, format: format)
            .samples(of: Codeword(parsing: "gsm2h88c7u"))
        let heard = samples.prefix(Int(44_100 * format.symbolSeconds * (Double(symbols) + 0.8)))
        let columns = formats.map { listened in
            var meter = ToneMeter(sampleRateHertz: 44_100, format: listened)
            return ToneColumns(
                format: listened, columns: meter.process([Float](repeating: 0, count: 8_000) + heard))
        }
        screen.take(.columns(columns, peak: 0.5))
        return screen
    }

    private func detection(_ link: ResolvedLink? = nil, format: WireFormat = .original) throws -> ResolvedDetection {
        ResolvedDetection(
            chirp: DetectedChirp(
                codeword: try Codeword(parsing: "gsm2h88c7u"), startSeconds: 0, durationSeconds: format.frameSeconds,
                snrDecibels: -3.14, correctedSymbolCount: 2, confidence: 1, tuningCents: 0, speed: 1, format: format),
            time: Date(), link: link)
    }

    @Test func `a line names the format where it is not the original`() throws {
        #expect(try detection().line.hasSuffix("  -3.1 dB   2 corrected"))
        #expect(try detection(format: .fast).line.hasSuffix("  -3.1 dB   2 corrected  fast"))
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

    @Test(arguments: [(WireFormat.telephone, "jh"), (.ultrasonic, "63"), (.fast, "ob")])
    func `of several formats the tones are those of the one that arrives`(format: WireFormat, startCode: String) throws
    {
        let quiet = LiveScreen(inColour: false, formats: WireFormat.all).lines(width: 80, height: 24)
        #expect(quiet[0].contains("original") && quiet[17] == TerminalText.fitted(" listening", to: 80))
        let lines = try screen(formats: WireFormat.all, heard: format, symbols: 7).lines(width: 80, height: 24)
        #expect(lines[0].contains("44.1 kHz  \(format.name)"))
        #expect(lines.contains { $0.hasPrefix(" ♪ \(startCode)gsm2h·············") })
        let tone = try #require(format.startCode.last)
        #expect(lines[1 + (31 - Int(tone)) / 2].contains("█"))
    }

    @Test func `of several formats the tones stay those of what was heard last`() throws {
        var screen = try screen(formats: [.telephone, .original, .fast], heard: .fast, symbols: 7)
        screen.take(.resolved(try detection(format: .fast)))
        #expect(screen.lines(width: 80, height: 24)[0].contains("fast"))
        screen.take(.resolved(try detection(format: .telephone)))
        #expect(screen.lines(width: 80, height: 24)[0].contains("telephone"))
        // One format needs no name.
        #expect(try !self.screen(symbols: 7).lines(width: 80, height: 24)[0].contains("original"))
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
