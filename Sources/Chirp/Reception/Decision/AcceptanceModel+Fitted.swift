// Made by `make fit`.

extension AcceptanceModel {
    /// Fitted to 61182 readings.
    package static let fitted = AcceptanceModel(
        weights: SIMD16(
            -4.858,  // one
            0.170,  // evidence
            0.428,  // first evidence
            0.072,  // margin
            0.288,  // lesser of both
            0.174,  // preamble
            1.678,  // clearness
            -0.949,  // unsteadiness
            -0.951,  // unevenness
            -1.982,  // false starts
            -1.090,  // searched
            0, 0, 0, 0, 0))
}
