// Makes the sound of a code and finds the code in it again: roundtrip-example [CODE]
import Chirp

let text = CommandLine.arguments.dropFirst().first ?? "gsm2h88c7u"
let code = try Shortcode(parsing: text)
let samples = try Synthesiser(sampleRateHertz: 44_100).samples(of: code.codeword)

var receiver = try Receiver(sampleRateHertz: 44_100)
for chirp in receiver.process(samples) + receiver.finish() {
    print(chirp.shortcode, "confidence", chirp.confidence > 0.99 ? "over" : "under", "99 %")
}
