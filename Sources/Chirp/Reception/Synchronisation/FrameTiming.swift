internal import RealModule

/// When, how fast and at what pitch a frame is played.
struct FrameTiming: Sendable {
    /// First sample of the first tone, not rounded.
    var startSample: Double
    /// Symbol period as played over the nominal one.
    var periodRatio = 1.0
    /// Pitch as heard over the nominal one, in cents.
    var tuningCents = 0.0

    /// Whether tempo or pitch were searched for.
    var isSearched: Bool { periodRatio != 1 || tuningCents != 0 }

    /// The sample in the middle of the frame, about which start and tempo hardly depend on each other.
    ///
    /// - Parameter nominalSamples: length of a frame at the nominal tempo.
    func middle(nominalSamples: Double) -> Double { startSample + 0.5 * nominalSamples * periodRatio }

    /// The middle of a symbol.
    ///
    /// - Parameter symbolSamples: length of a symbol at the nominal tempo.
    @inline(__always)
    func middle(ofSymbol symbol: Int, symbolSamples: Double) -> Double {
        startSample + (Double(symbol) + 0.5) * symbolSamples * periodRatio
    }

    /// The same so many samples later.
    func later(bySamples samples: Double) -> FrameTiming {
        FrameTiming(startSample: startSample + samples, periodRatio: periodRatio, tuningCents: tuningCents)
    }
}
