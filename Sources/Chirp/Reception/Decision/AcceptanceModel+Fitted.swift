// Made by `make fit`.

extension AcceptanceModel {
    /// Fitted to 82810 readings.
    package static let fitted = AcceptanceModel(
        weights: SIMD16(
            -4.903,  // one
            0.150,  // evidence
            0.549,  // first evidence
            0.096,  // margin
            0.240,  // lesser of both
            0.242,  // preamble
            1.162,  // clearness
            -1.397,  // noise log deviation
            -1.491,  // tone level spread
            -1.674,  // false starts
            -1.204,  // searched
            0, 0, 0, 0, 0))
}
