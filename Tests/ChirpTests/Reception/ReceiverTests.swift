import Chirp
import Testing

@Test func `a synthesised chirp is heard`() throws {
    let code = try Shortcode(parsing: "gsm2h88c7u")
    let samples = try Synthesiser(sampleRateHertz: 44_100).samples(of: code.codeword)
    var receiver = try Receiver(sampleRateHertz: 44_100)
    var heard = receiver.process(repeatElement(0, count: 10_000) + samples + repeatElement(0, count: 10_000))
    heard += receiver.finish()
    #expect(heard.map(\.shortcode) == [code])
    #expect(code.codeword.description == "gsm2h88c7udtnef4ok")
}
