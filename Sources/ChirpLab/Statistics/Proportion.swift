internal import RealModule

/// So many out of so many.
public struct Proportion: Sendable, Hashable, Codable {
    public let successes: Int
    public let trials: Int

    public init(successes: Int, trials: Int) {
        precondition((0...max(trials, 0)).contains(successes), "successes are among the trials")
        self.successes = successes
        self.trials = trials
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        trials = try container.decode(Int.self, forKey: .trials)
        successes = try container.decode(Int.self, forKey: .successes)
        guard (0...max(trials, 0)).contains(successes) else {
            throw DecodingError.dataCorruptedError(
                forKey: .successes, in: container, debugDescription: "\(successes) successes in \(trials) trials")
        }
    }

    /// The share, 0 for no trials.
    public var share: Double { trials == 0 ? 0 : Double(successes) / Double(trials) }

    /// The interval that covers the true share with a probability of 95 %: Wilson's, "Probable inference, the law of
    /// succession, and statistical inference", JASA 22, 1927. All of 0…1 for no trials.
    public var wilsonInterval: ClosedRange<Double> {
        guard trials > 0 else { return 0...1 }
        // 97.5 % point of the normal distribution.
        let z = 1.959963984540054
        let n = Double(trials)
        let centre = (share + z * z / (2 * n)) / (1 + z * z / n)
        let half = z * (share * (1 - share) / n + z * z / (4 * n * n)).squareRoot() / (1 + z * z / n)
        return max(0, centre - half)...min(1, centre + half)
    }
}
