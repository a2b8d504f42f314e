import Testing

@testable import Chirp

@Suite struct SampleRingTests {
    private static let silence = 30
    private static let span = 400

    /// What a recording has of a range, as it would be handed to a transform.
    private static func part(_ range: Range<Int>, of recording: borrowing SampleRing) -> [Float] {
        var part = [Float](repeating: -1, count: range.count + 4)
        var target = part.mutableSpan
        recording.copy(range, to: &target, at: 2)
        return part
    }

    /// The same of all samples that were heard.
    private static func expected(_ range: Range<Int>, of samples: [Float], from origin: Int, to horizon: Int) -> [Float]
    {
        let part = range.map { $0 >= max(0, origin) && $0 < horizon ? samples[$0] : 0 }
        return [-1, -1] + part + [-1, -1]
    }

    /// Feeds cuts of up to so many samples, and looks at the recording after each.
    private static func feed(
        _ samples: [Float], cuts: Int, seed: UInt64, look: (borrowing SampleRing) throws -> Void
    ) rethrows {
        var random = SplitMix64(seed: seed)
        var recording = SampleRing(silence: silence, span: span)
        var count = 0
        while count < samples.count {
            let cut = Int.random(in: 1...cuts, using: &random)
            count += recording.append(samples.span.extracting(count..<min(samples.count, count + cut)))
            // As far as any receiver would look, whatever has been fed.
            recording.horizon = count / 7 * 7
            try look(recording)
        }
    }

    @Test(arguments: [1, 3, 50, 700])
    func `gives back what was heard, and zeros beside it`(cuts: Int) throws {
        let samples = (0..<5_000).map { Float($0 + 1) }
        var random = SplitMix64(seed: 5)
        Self.feed(samples, cuts: cuts, seed: 1) { recording in
            #expect(recording.end - recording.origin >= min(recording.end + Self.silence, Self.span))
            let start = Int.random(in: recording.origin - 60..<recording.end + 20, using: &random)
            let range = start..<start + Int.random(in: 1...120, using: &random)
            let expected = Self.expected(range, of: samples, from: recording.origin, to: recording.horizon)
            #expect(Self.part(range, of: recording) == expected)
        }
    }

    @Test func `keeps the same, however it was cut`() throws {
        let samples = (0..<3_000).map(Float.init)
        var origins: [Int: Int] = [:]
        for cuts in [1, 3, 50, 700] {
            Self.feed(samples, cuts: cuts, seed: 2) { recording in
                let (end, origin) = (recording.end, recording.origin)
                #expect(origins[end, default: origin] == origin)
                origins[end] = origin
            }
        }
        #expect(origins.count == samples.count)
        #expect(Set(origins.values).count > 10)
    }

    @Test func `samples are replaced where they are`() throws {
        let samples = (0..<2_000).map { Float($0 + 1) }
        var recording = SampleRing(silence: Self.silence, span: Self.span)
        recording.take(samples)
        // The ring, a little longer than the span, begins anew within some of these.
        for number in [recording.origin, recording.origin + 100, 1_950] {
            let halved = (0..<50).map { samples[number + $0] / 2 }
            recording.replace(from: number, by: halved)
            let range = recording.origin..<recording.end
            let replaced = range.map { (number..<number + 50).contains($0) ? samples[$0] / 2 : samples[$0] }
            #expect(Self.part(range, of: recording) == [-1, -1] + replaced + [-1, -1])
            let own = (0..<50).map { samples[number + $0] }
            recording.replace(from: number, by: own)
        }
    }

    @Test func `samples are replaced again and again, wherever that was before`() throws {
        let samples = (0..<2_000).map { Float($0 + 1) }
        var random = SplitMix64(seed: 9)
        for _ in 0..<50 {
            var recording = SampleRing(silence: Self.silence, span: Self.span)
            recording.take(samples.dropLast(300))
            var expected = samples
            for count in 0..<30 {
                let number = Int.random(in: recording.origin..<recording.end - 90, using: &random)
                let new = (0..<Int.random(in: 1...90, using: &random)).map { -Float(1_000 * count + $0) }
                recording.replace(from: number, by: new)
                expected.replaceSubrange(number..<number + new.count, with: new)
                let range = recording.origin..<recording.end
                #expect(Self.part(range, of: recording) == [-1, -1] + expected[range] + [-1, -1])
            }
            // Until it is no longer there.
            recording.take(Array(samples.suffix(300)))
            let range = recording.origin..<recording.end
            #expect(Self.part(range, of: recording) == [-1, -1] + expected[range] + [-1, -1])
        }
    }

    @Test func `what is replaced without end is kept no longer than what was heard`() throws {
        let samples = (0..<20_000).map { Float($0 + 1) }
        var recording = SampleRing(silence: Self.silence, span: Self.span)
        var expected = samples
        for end in stride(from: 100, through: samples.count, by: 100) {
            recording.take(Array(samples[end - 100..<end]))
            // Each change touches the one before.
            let new = (0..<80).map { -Float(end + $0) }
            recording.replace(from: end - 80, by: new)
            if end > 100 { recording.replace(from: end - 110, by: Array(expected[end - 110..<end - 80])) }
            expected.replaceSubrange(end - 80..<end, with: new)
            let range = max(0, recording.origin)..<recording.end
            #expect(Self.part(range, of: recording) == [-1, -1] + expected[range] + [-1, -1])
            #expect(recording.changedCount < 2 * (recording.end - recording.origin))
        }
    }

    @Test func `what begins before the first sample is replaced as well`() throws {
        var recording = SampleRing(silence: Self.silence, span: Self.span)
        recording.take([Float](repeating: 5, count: 100))
        recording.replace(from: -20, by: [Float](repeating: 7, count: 30))
        let expected = [Float](repeating: 0, count: 10) + [Float](repeating: 7, count: 30) + [5, 5]
        #expect(Self.part(-30..<12, of: recording) == [-1, -1] + expected + [-1, -1])
    }

    @Test func `receivers that share samples have what each alone would have`() throws {
        let samples = (0..<3_000).map { Float($0 + 1) }
        var random = SplitMix64(seed: 3)
        let shared = SharedSamples(lead: 70)
        var short = SampleRing(silence: 0, span: 100, samples: shared)
        var long = SampleRing(silence: Self.silence, span: Self.span, samples: shared)
        for stream in 0..<3 {
            var alone = SampleRing(silence: Self.silence, span: Self.span)
            var position = 0
            while position < samples.count {
                let end = min(samples.count, position + Int.random(in: 1...70, using: &random))
                let new = samples[position..<end].map { $0 + Float(stream) / 8 }
                short.take(new)
                // What one takes out the others still have.
                short.replace(from: end - 1, by: [-5])
                long.take(new)
                alone.take(new)
                if long.end > 300 {
                    let number = Int.random(in: long.origin..<long.end - 40, using: &random)
                    long.replace(from: number, by: [Float](repeating: 9, count: 40))
                    alone.replace(from: number, by: [Float](repeating: 9, count: 40))
                }
                let range = long.origin..<long.end
                #expect(long.origin == alone.origin && Self.part(range, of: long) == Self.part(range, of: alone))
                position = end
            }
            for _ in 0..<200 { _ = (short.appendSilence(1), long.appendSilence(1), alone.appendSilence(1)) }
            long.horizon = long.end
            alone.horizon = alone.end
            let range = long.origin..<long.end
            #expect(Self.part(range, of: long) == Self.part(range, of: alone))
            short.reset()
            long.reset()
        }
    }

    @Test func `begins anew as it began`() throws {
        let samples = (0..<1_400).map { Float($0 + 1) }
        var recording = SampleRing(silence: Self.silence, span: Self.span)
        for _ in 0..<2 {
            #expect(recording.origin == -Self.silence)
            recording.take(samples)
            var silence = 250
            while silence > 0 { silence -= recording.appendSilence(silence) }
            recording.horizon = recording.end
            let expected = Self.expected(
                1_350..<1_650, of: samples + [Float](repeating: 0, count: 250), from: 0, to: 1_650)
            #expect(Self.part(1_350..<1_650, of: recording) == expected)
            recording.reset()
            #expect(Self.part(0..<10, of: recording) == Self.expected(0..<10, of: samples, from: 0, to: 0))
        }
    }

    @Test func `what is no number, or beyond all sound, is silence`() throws {
        let recording = SampleRing([1, .nan, .infinity, 2, -.infinity, -.greatestFiniteMagnitude, 3, 4])
        #expect(Self.part(0..<8, of: recording) == [-1, -1, 1, 0, 0, 2, 0, 0, 3, 4, -1, -1])
    }

    @Test func `what is beyond all sound counts as silence, and nothing else`() {
        let (least, most) = (audibleMagnitudes.lowerBound, audibleMagnitudes.upperBound)
        let heard = [least.nextUp, most.nextDown, 1, -0.25, -least.nextUp, -most.nextDown]
        let silent = [
            0, -0, least, most, -least, -most, least.nextDown, most.nextUp, .leastNonzeroMagnitude,
            -.leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity, -.infinity, .nan, -Float.nan, .signalingNaN,
        ]
        let samples = heard + silent + heard
        var recording = SampleRing(silence: Self.silence, span: Self.span)
        var taken = 0
        while taken < samples.count {
            let count = recording.append(samples.span.extracting(taken...))
            #expect(count > 0 && count <= samples.count - taken)
            taken += count
        }
        #expect(taken == samples.count && recording.end == samples.count)
        recording.horizon = samples.count
        let zeros = [Float](repeating: 0, count: silent.count)
        #expect(Self.part(0..<samples.count, of: recording) == [-1, -1] + heard + zeros + heard + [-1, -1])
    }
}
