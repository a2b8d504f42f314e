/// A choice of ten of the eighteen positions, and the eight others as functions of them.
///
/// Any ten symbols determine the word, as the code is maximum distance separable. The eight dependent symbols are kept
/// packed, five bits each, so that a change of one symbol is one exclusive or.
struct InformationSet {
    /// The ten positions, in the order given.
    let positions: [Int]
    /// The other eight, ascending.
    let dependentPositions: [Int]
    /// `contributions[32 i + v]`: what value v at the i-th position adds to the packed dependent symbols, of which the
    /// j-th takes bits 5j … 5j + 4.
    let contributions: [UInt64]

    init(_ positions: [Int], of code: ReedSolomon) {
        let length = code.positionPower.count
        precondition(
            positions.count == code.dataSymbolCount, "an information set has \(code.dataSymbolCount) positions")
        self.positions = positions
        let isInformation = positions.reduce(into: [Bool](repeating: false, count: length)) { $0[$1] = true }
        let dependent = (0..<length).filter { !isInformation[$0] }
        dependentPositions = dependent

        // A word is a codeword when its syndromes vanish: Σ_d c_d X_d^r = Σ_i c_i X_i^r for r = 1 … 8. Solving this for the
        // dependent symbols is Lagrange interpolation at their locations: with P(x) = Π_d (x − X_d),
        // c_d = Σ_i c_i · X_i P(X_i) / (X_i − X_d) / (X_d P_d(X_d)), where P_d = P / (x − X_d).
        let locations = code.positionPower.map { GF32.power($0) }
        let (powers, logarithms) = (GF32.exponential, GF32.logarithm)
        /// The logarithm of X (X − X_d) (X − X_e) … over some of the dependent locations but its own.
        func logarithm(_ position: Int) -> Int {
            dependent.reduce(logarithms[Int(locations[position])]) {
                $1 == position ? $0 : $0 + logarithms[Int(locations[position] ^ locations[$1])]
            }
        }
        // Of nine elements at most; a multiple of the order makes differences positive.
        let multiple = 10 * GF32.groupOrder
        let inverses = dependent.map { multiple - logarithm($0) }
        var table = [UInt64](repeating: 0, count: 32 * positions.count)
        var target = table.mutableSpan
        for (row, source) in positions.enumerated() {
            let all = logarithm(source)
            for (slot, position) in dependent.enumerated() {
                let difference = logarithms[Int(locations[source] ^ locations[position])]
                let factor = (all + inverses[slot] + GF32.groupOrder - difference) % GF32.groupOrder
                for power in 0..<5 {
                    target[32 * row + (1 << power)] |= UInt64(powers[factor + power]) << UInt64(5 * slot)
                }
            }
            // A product with a sum is the sum of the products with its bits.
            for power in 1..<5 {
                let bit = 1 << power
                for rest in 1..<bit { target[32 * row + bit + rest] = target[32 * row + bit] ^ target[32 * row + rest] }
            }
        }
        contributions = table
    }
}
