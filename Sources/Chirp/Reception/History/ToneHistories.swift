/// What several channels measured of the same sound, each of them so many blocks later than the first; or what one measured.
struct ToneHistories: Sendable {
    let first: ToneHistory
    /// The others, and by how many blocks they are late.
    private(set) var others: [(history: ToneHistory, delay: Int)]

    init(_ history: ToneHistory) {
        first = history
        others = []
    }

    /// - Parameter channels: at least one; none of them is late.
    init(_ channels: [ToneHistory]) {
        precondition(!channels.isEmpty, "there is a channel")
        first = channels[0]
        others = channels.dropFirst().map { ($0, 0) }
    }

    var channelCount: Int { 1 + others.count }

    /// Places in the first channel, and in each of the others.
    func places(of starts: [Int]) -> [Double] {
        var places: [Double] = []
        for start in starts {
            places.append(Double(start))
            for (_, delay) in others { places.append(Double(start + delay)) }
        }
        return places
    }

    subscript(channel: Int) -> ToneHistory { channel == 0 ? first : others[channel - 1].history }

    /// The same where a channel after the first has another delay.
    func delaying(_ channel: Int, by blocks: Int) -> Self {
        var delayed = self
        delayed.others[channel - 1].delay += blocks
        return delayed
    }

    /// Where frames are kept, the others' after the first channel's (``ToneHistory/place(of:symbolCount:)``).
    func places(of starts: [Int], symbolCount: Int) -> InlineArray<16, Int> {
        precondition(starts.count * channelCount <= CopyCombiner.maximumCopyCount, "there is a place for each frame")
        var places = InlineArray<16, Int>(repeating: 0)
        for copy in starts.indices {
            places[copy] = first.place(of: starts[copy], symbolCount: symbolCount)
            for (channel, other) in others.enumerated() {
                places[(channel + 1) * starts.count + copy] = other.history.place(
                    of: starts[copy] + other.delay, symbolCount: symbolCount)
            }
        }
        return places
    }

    /// The energies of the even tones in the symbols that start so many blocks after frames, and those of the odd ones, added up over the channels.
    ///
    /// - Parameter places: where so many frames are kept in each channel.
    @inline(__always)
    func energies(
        at places: Span<Int>, _ copyCount: Int, later blocks: Int
    ) -> (even: SIMD16<UInt16>, odd: SIMD16<UInt16>) {
        var sum = first.energies(at: places.extracting(first: copyCount), later: blocks)
        for channel in others.indices {
            let own = places.extracting(droppingFirst: (channel + 1) * copyCount).extracting(first: copyCount)
            let energies = others[channel].history.energies(at: own, later: blocks)
            sum.even &+= energies.even
            sum.odd &+= energies.odd
        }
        return sum
    }

    /// The energies of the even tones in the symbol that starts so many blocks after a frame, at most a frame, and those of the odd ones, added up
    /// over the channels.
    @inline(__always)
    func energies(of frame: Int, later blocks: Int) -> (even: SIMD16<UInt16>, odd: SIMD16<UInt16>) {
        let own = first.energies(of: frame, later: blocks)
        return others.isEmpty ? own : energiesOfOthers(frame, later: blocks, addedTo: own)
    }

    @inline(never)
    private func energiesOfOthers(
        _ frame: Int, later blocks: Int, addedTo own: (even: SIMD16<UInt16>, odd: SIMD16<UInt16>)
    ) -> (even: SIMD16<UInt16>, odd: SIMD16<UInt16>) {
        var sum = own
        for (history, delay) in others {
            let energies = history.energies(of: frame &+ delay, later: blocks)
            sum.even &+= energies.even
            sum.odd &+= energies.odd
        }
        return sum
    }
}
