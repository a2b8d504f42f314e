internal import Foundation

/// The media ranges of `Accept` with their weights (RFC 9110, section 12.5.1).
struct AcceptHeader {
    /// `type/subtype`, `type/*` or `*/*`, in lower case.
    private let ranges: [(range: String, weight: Double)]

    init(_ values: [String]) {
        ranges = values.joined(separator: ",").lowercased().split(separator: ",").compactMap { element in
            let parts = element.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            guard let range = parts.first, !range.isEmpty else { return nil }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            return (range, weight)
        }
    }

    /// The type with the greatest weight; of equal ones the one that is named first. Nil when none is accepted, or when
    /// only wildcards stand for them and none has a greater weight than the others.
    func preferred(of types: [String]) -> String? {
        let accepted = types.compactMap { type in match(of: type).map { (type: type, match: $0) } }
            .filter { $0.match.weight > 0 }
        guard let greatest = accepted.map(\.match.weight).max() else { return nil }
        let best = accepted.filter { $0.match.weight == greatest }
        if let named = best.filter({ ranges[$0.match.index].range == $0.type }).min(by: {
            $0.match.index < $1.match.index
        }) {
            return named.type
        }
        return best.count < types.count ? best.first?.type : nil
    }

    /// The most specific range that a type lies in: its weight, and its place in the field.
    private func match(of type: String) -> (weight: Double, index: Int)? {
        let family = type.prefix { $0 != "/" } + "/*"
        for range in [type, String(family), "*/*"] {
            if let index = ranges.firstIndex(where: { $0.range == range }) { return (ranges[index].weight, index) }
        }
        return nil
    }
}
