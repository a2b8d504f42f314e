import Chirp
import ChirpSound
import RealModule
import Testing

@Suite struct ToneMeterTests {
    private func sine(_ hertz: Double, rate: Double, amplitude: Double = 1) -> [Float] {
        (0..<Int(rate)).map { Float(amplitude * Double.sin(2 * .pi * hertz * Double($0) / rate)) }
    }

    @Test(arguments: [22_050.0, 44_100, 48_000, 192_000], [UInt8(0), 1, 15, 30, 31])
    func `a tone has its power, and its neighbours less`(rate: Double, tone: UInt8) {
        var meter = ToneMeter(sampleRateHertz: rate)
        let pitch = WireFormat.original.pitchHertz(of: tone)
        let columns = meter.process(sine(pitch, rate: rate, amplitude: 0.5))
        #expect(abs(columns.count - Int(4 / WireFormat.original.symbolSeconds)) <= 2)
        for column in columns {
            #expect(abs(column[Int(tone)] - 0.125) < 0.01)
            for other in 0..<32 where other != Int(tone) { #expect(column[other] < column[Int(tone)]) }
            // Half a symbol tells semitones apart from the third or so on: its Hann window is 92 Hz wide.
            for other in 0..<32 where abs(other - Int(tone)) > 2 { #expect(column[other] < 0.01) }
        }
    }

    @Test(arguments: [1, 7, 480, 5_000])
    func `columns do not depend on how the sound was cut`(length: Int) {
        let sound = sine(3_000, rate: 48_000)
        var (whole, cut) = (ToneMeter(sampleRateHertz: 48_000), ToneMeter(sampleRateHertz: 48_000))
        let expected = whole.process(sound)
        let columns = stride(from: 0, to: sound.count, by: length).flatMap {
            cut.process(Array(sound[$0..<min($0 + length, sound.count)]))
        }
        #expect(columns == expected)
    }

    @Test func `tones that do not exist at a rate have no power`() {
        var meter = ToneMeter(sampleRateHertz: 8_000)
        for column in meter.process(sine(2_500, rate: 8_000)) {
            // 4,000 Hz is half the rate; the tones above it begin with index 15.
            for tone in 15..<32 { #expect(column[tone] < 0.001) }
        }
    }

    /// 1,976 Hz is the third tone of the original, and near a quarter of the rate.
    @Test(arguments: [1_976.0, 2_000, 2_500, 3_900])
    func `a tone that exists lights no lane of one that does not`(hertz: Double) {
        var meter = ToneMeter(sampleRateHertz: 8_000)
        for column in meter.process(sine(hertz, rate: 8_000)) {
            for tone in 15..<32 { #expect(column[tone] == 0) }
        }
    }

    @Test(arguments: WireFormat.all, [UInt8(0), 7, 31])
    func `a tone of each format is the strongest of its lanes and has its power`(format: WireFormat, tone: UInt8) {
        var meter = ToneMeter(sampleRateHertz: 48_000, format: format)
        let columns = meter.process(sine(format.pitchHertz(of: tone), rate: 48_000, amplitude: 0.5))
        #expect(abs(columns.count - Int(4 / format.symbolSeconds)) <= 4)
        for column in columns {
            #expect(abs(column[Int(tone)] - 0.125) < 0.01)
            for other in 0..<32 where other != Int(tone) { #expect(column[other] < column[Int(tone)]) }
        }
    }
}
