/// How long after the end of its last tone a chirp was reported, over many chirps.
public struct Promptness: Sendable, Codable, Hashable {
    public let medianMilliseconds: Double
    public let longestMilliseconds: Double
    /// How many were reported later than ``limitSeconds`` after it.
    public let late: Int

    /// What a receiver is allowed, in seconds.
    public static let limitSeconds = 0.1

    /// - Returns: nil for no delays.
    public init?(delaysSeconds: [Double]) {
        let sorted = delaysSeconds.sorted()
        guard let longest = sorted.last else { return nil }
        medianMilliseconds = 1000 * sorted[sorted.count / 2]
        longestMilliseconds = 1000 * longest
        late = sorted.count { $0 > Self.limitSeconds }
    }
}
