internal import Chirp
internal import FuzzSupport

extension FuzzTarget {
    /// Any samples at any rate, whole and cut into blocks.
    static let receiver = FuzzTarget("receiver") { source in
        var source = source
        let script = SoundScript(&source)
        let format = script.formats[0]
        guard var whole = try? Receiver(sampleRateHertz: script.sampleRateHertz, format: format),
            var cut = try? Receiver(sampleRateHertz: script.sampleRateHertz, format: format)
        else {
            let isReceived = format.receptionRatesHertz.contains(script.sampleRateHertz)
            return require(!isReceived, "\(script.sampleRateHertz) Hz is a rate at which \(format.name) is received")
        }
        let atOnce = whole.process(script.samples) + whole.finish()
        var inBlocks: [DetectedChirp] = []
        for block in script.blocks { inBlocks += cut.process(block) }
        inBlocks += cut.finish()
        require(atOnce == inBlocks, "cutting changes nothing: \(atOnce) and \(inBlocks)")
        for chirp in atOnce { check(chirp, in: script) }
        // A receiver that was used is as good as a new one.
        guard source.byte() % 8 == 1 else { return }
        require(whole.process(script.samples) + whole.finish() == atOnce, "a receiver begins anew")
    }

    /// The same of several formats at once.
    static let formats = FuzzTarget("formats") { source in
        var source = source
        let script = SoundScript(&source)
        guard
            var whole = try? MultiFormatReceiver(sampleRateHertz: script.sampleRateHertz, fitting: script.formats),
            var cut = try? MultiFormatReceiver(sampleRateHertz: script.sampleRateHertz, fitting: script.formats)
        else { return }
        let atOnce = whole.process(script.samples) + whole.finish()
        var inBlocks: [DetectedChirp] = []
        for block in script.blocks { inBlocks += cut.process(block) }
        inBlocks += cut.finish()
        require(Set(atOnce) == Set(inBlocks), "cutting changes nothing: \(atOnce) and \(inBlocks)")
        require(atOnce.count == inBlocks.count, "cutting repeats nothing")
        for chirp in atOnce {
            require(whole.formats.contains(chirp.format), "\(chirp.format.name) was listened for")
            check(chirp, in: script)
        }
    }

    private static func check(_ chirp: DetectedChirp, in script: SoundScript) {
        let seconds = Double(script.samples.count) / script.sampleRateHertz
        require(Codeword(symbols: chirp.codeword.symbols) == chirp.codeword, "\(chirp) carries a codeword")
        require((-chirp.format.frameSeconds...seconds).contains(chirp.startSeconds), "\(chirp) begins within the sound")
        require((0.1...4).contains(chirp.durationSeconds), "\(chirp) has a frame's length")
        require((-60...120).contains(chirp.snrDecibels), "\(chirp) has a ratio within its range")
        require((0...18).contains(chirp.correctedSymbolCount), "\(chirp) has at most 18 symbols corrected")
        require((0...1).contains(chirp.confidence), "the confidence of \(chirp) is a probability")
        require((-1_300...1_300).contains(chirp.tuningCents), "\(chirp) is tuned within an octave")
        require((0.5...2).contains(chirp.speed), "\(chirp) has a speed within an octave")
    }
}
