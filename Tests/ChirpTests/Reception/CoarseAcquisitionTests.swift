import Testing

@testable import Chirp

@Suite struct CoarseAcquisitionTests {
    /// At this rate a block is a whole number of samples.
    private static let rate = 50_000.0
    private static let blockLength = 1_090

    /// Noise that repeats itself every symbol: once the floors have settled, a frame's metrics depend on nothing but where
    /// in the symbol it starts.
    private static let sound: [Float] = {
        var random = SplitMix64(seed: 9)
        let symbol = (0..<CoarseAcquisition.blocksPerSymbol * blockLength).map { _ in
            Float.random(in: -1...1, using: &random)
        }
        return symbol + symbol
    }()

    private static func take(
        _ scan: inout CoarseAcquisition, upTo blocks: Int, _ transform: inout FractionalBinTransform
    ) {
        let recording = SampleRing(sound)
        while scan.blockCount < blocks {
            let place = scan.blockCount % CoarseAcquisition.blocksPerSymbol
            scan.process(recording, at: place * blockLength, transform: &transform)
        }
    }

    @Test(arguments: [4, 5, 6, 7, 79, 84, 85, 86, 87, 300])
    func `what is taken again after going back is what it was`(distance: Int) throws {
        let format = WireFormat.original
        var transform = FractionalBinTransform(
            longestBlock: Double(Self.blockLength), sampleRateHertz: Self.rate, bandHertz: format.bandHertz)
        var scan = CoarseAcquisition(
            format: format, sampleRateHertz: Self.rate, transform: transform)
        let blocks = 6_000 + distance
        Self.take(&scan, upTo: blocks, &transform)
        let starts = blocks - 400...blocks - scan.frameBlocks
        let before = starts.map { scan.metrics(start: $0) }
        #expect(before.allSatisfy { $0.exact > 50 })
        scan.rewind(to: blocks - distance)
        #expect(scan.blockCount == blocks - distance)
        Self.take(&scan, upTo: blocks, &transform)
        for (start, old) in zip(starts, before) {
            let new = scan.metrics(start: start)
            // Symbols' metrics come in steps of a sixteenth, and which of two it is may depend on rounding.
            #expect(abs(new.exact - old.exact) < 0.3, "\(start)")
        }
    }

    @Test func `a loud frame rises until it begins within a block, and not in noise`() throws {
        let format = WireFormat.original
        var random = SplitMix64(seed: 10)
        let word = Shortcode.random(using: &random).codeword
        let blockSamples = Double(Self.blockLength)
        var transform = FractionalBinTransform(
            longestBlock: blockSamples, sampleRateHertz: Self.rate, bandHertz: format.bandHertz)
        for part in 0..<4 {
            let begin = 400 * Self.blockLength + part * Self.blockLength / 4
            let sound = try NoisyChirp(
                word, decibels: 10, sampleRateHertz: Self.rate, start: begin, tail: Int(Self.rate), using: &random)
            let ring = SampleRing(sound.samples)
            var scan = CoarseAcquisition(
                format: format, sampleRateHertz: Self.rate, transform: transform)
            var rising: [Int] = []
            while (scan.blockCount + 1) * Self.blockLength < sound.samples.count {
                scan.process(ring, at: scan.blockCount * Self.blockLength, transform: &transform)
                let newest = scan.blockCount - scan.frameBlocks
                if newest > 100, scan.isRising(start: newest) { rising.append(newest) }
            }
            // Earlier nothing of the tones is there.
            #expect(rising.allSatisfy { (396..<400).contains($0) }, "\(rising)")
            #expect(rising.contains(398), "\(rising)")
        }
    }

    /// Frames of the scan and of spectra are compared with each other where one is cancelled beside the other.
    @Test func `energies of a scanned frame are on the scale of a transformed one`() throws {
        let format = WireFormat.original
        var random = SplitMix64(seed: 11)
        let word = Shortcode.random(using: &random).codeword
        let start = 400
        let sound = try NoisyChirp(
            word, decibels: 0, sampleRateHertz: Self.rate, start: start * Self.blockLength, tail: Int(Self.rate),
            using: &random)
        let ring = SampleRing(sound.samples)
        var transform = FractionalBinTransform(
            longestBlock: Double(Self.blockLength), sampleRateHertz: Self.rate, bandHertz: format.bandHertz)
        var scan = CoarseAcquisition(
            format: format, sampleRateHertz: Self.rate, transform: transform)
        for block in 0..<start + scan.frameBlocks + CoarseAcquisition.blocksPerSymbol {
            scan.process(ring, at: block * Self.blockLength, transform: &transform)
        }
        var decoder = FrameDecoder(format: format, sampleRateHertz: Self.rate)
        let tones = format.frame(of: word)
        let direct = decoder.observe(ring, FrameTiming(startSample: Double(start * Self.blockLength)))
        let scanned = scan.softFrame(start: start)
        // Where a tone is, the scan's are divided by up to two: how loud the moment is.
        let share = scanned.toneEnergy(tones) / direct.toneEnergy(tones)
        #expect((0.4...1.1).contains(share), "\(share)")
        let level = scan.greatestMedianLevel(start: start) / direct.toneEnergy(tones)
        #expect((0.5...1.5).contains(level), "\(level)")
        let floor = scanned.floors.reduce(0, +) / direct.floors.reduce(0, +)
        #expect((0.5...1.5).contains(floor), "\(floor)")
    }
}
