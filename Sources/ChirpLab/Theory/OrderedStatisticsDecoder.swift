internal import Chirp

/// Ordered-statistics decoding (Fossorier and Lin, IEEE Trans. Information Theory 41(5), 1995) of the chirp's code, whose
/// every ten symbols determine the other eight.
///
/// The ten most reliable symbols are taken as sent, then with one, two or three of them replaced by their next likeliest
/// values; the likeliest of the codewords that follow wins. This is the laboratory's yardstick, written for itself: the
/// receiver has its own.
struct OrderedStatisticsDecoder {
    /// Alternatives tried per symbol when one, two or three symbols are replaced: 1 + 10·8 + 45·4² + 120·2³ = 1761
    /// patterns.
    static let alternatives = [8, 4, 2]

    private let generator: [[UInt8]]
    /// `products[a][b]` = a · b.
    private let products: [[UInt8]]

    init() {
        let code = ReedSolomon()
        generator = (0..<10).map { row in
            let data = (0..<10).map { UInt8($0 == row ? 1 : 0) }
            return data + code.parity(of: data)
        }
        products = (0..<32).map { a in (0..<32).map { GF32.multiply(UInt8(a), UInt8($0)) } }
    }

    /// The likeliest codeword met. Every codeword that was met is handed to `visit` with its log-likelihood.
    func decode(_ soft: SoftWord, visit: (Float) -> Void = { _ in }) -> (word: [UInt8], likelihood: Float) {
        let basis = Array((0..<SoftWord.length).sorted { soft.reliability[$0] > soft.reliability[$1] }.prefix(10))
        let rows = systematic(at: basis)
        var base = [UInt8](repeating: 0, count: SoftWord.length)
        for (row, position) in zip(rows, basis) { add(row, times: soft.value(at: position, rank: 0), to: &base) }
        var best = (word: base, likelihood: soft.likelihood(of: base))
        visit(best.likelihood)

        func search(_ word: [UInt8], from first: Int, depth: Int, alternatives: Int) {
            for i in first..<10 - depth {
                for rank in 1...alternatives {
                    var candidate = word
                    let change = soft.value(at: basis[i], rank: rank) ^ soft.value(at: basis[i], rank: 0)
                    add(rows[i], times: change, to: &candidate)
                    if depth > 0 {
                        search(candidate, from: i + 1, depth: depth - 1, alternatives: alternatives)
                    } else {
                        let likelihood = soft.likelihood(of: candidate)
                        visit(likelihood)
                        if likelihood > best.likelihood { best = (candidate, likelihood) }
                    }
                }
            }
        }
        for (order, alternatives) in Self.alternatives.enumerated() {
            search(base, from: 0, depth: order, alternatives: alternatives)
        }
        return best
    }

    @inline(__always)
    private func add(_ row: [UInt8], times factor: UInt8, to word: inout [UInt8]) {
        let multiples = products[Int(factor)]
        for i in word.indices { word[i] ^= multiples[Int(row[i])] }
    }

    /// Ten codewords, the i-th having 1 at the i-th position of the basis and 0 at its others: Gauss–Jordan elimination,
    /// which never meets a zero column as any ten symbols are independent.
    private func systematic(at basis: [Int]) -> [[UInt8]] {
        var rows = generator
        for (i, column) in basis.enumerated() {
            guard let pivot = rows.indices.dropFirst(i).first(where: { rows[$0][column] != 0 }) else {
                preconditionFailure("any ten symbols of the code determine the rest")
            }
            rows.swapAt(i, pivot)
            let inverse = GF32.inverse(rows[i][column])
            rows[i] = rows[i].map { products[Int(inverse)][Int($0)] }
            for other in rows.indices where other != i && rows[other][column] != 0 {
                let factor = rows[other][column]
                var row = rows[other]
                add(rows[i], times: factor, to: &row)
                rows[other] = row
            }
        }
        return rows
    }
}
