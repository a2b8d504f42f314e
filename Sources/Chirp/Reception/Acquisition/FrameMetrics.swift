/// How much twenty symbols in a row look like a chirp.
struct FrameMetrics: Sendable {
    /// With tones at their exact pitches and symbols of nominal length; 139 ± 5 in white noise.
    var exact: Float
    /// With tones anywhere near their pitches and symbols of nearly nominal length; 21.4 ± 0.6 in white noise.
    var wide: Float
    /// The length of a symbol, over the nominal one, that gave `wide`.
    var widePeriodRatio: Double
}
