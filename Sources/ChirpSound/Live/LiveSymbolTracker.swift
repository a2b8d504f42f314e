public import Chirp

/// Follows a chirp while it arrives, symbol by symbol, for people to look at. The receiver decides what it was.
///
/// It takes the strongest tone of every symbol as it is: wrong symbols are corrected when the whole has been heard.
public struct LiveSymbolTracker: Sendable {
    /// The symbols since the start code, with it; empty while nothing arrives.
    public private(set) var symbols: [UInt8] = []

    private let format: WireFormat
    private var recent: [SIMD32<Float>] = []
    private var columnsSinceSymbol = 0

    public init(format: WireFormat = .original) { self.format = format }

    /// Takes the next column of a ``ToneMeter``.
    public mutating func process(_ column: SIMD32<Float>) {
        let perSymbol = ToneMeter.columnsPerSymbol
        recent.append(column)
        let kept = format.startCode.count * perSymbol
        if recent.count > kept { recent.removeFirst(recent.count - kept) }
        guard !symbols.isEmpty else {
            if recent.count == kept, looksLikeStartCode {
                symbols = format.startCode
                columnsSinceSymbol = 0
            }
            return
        }
        columnsSinceSymbol += 1
        guard columnsSinceSymbol == perSymbol else { return }
        columnsSinceSymbol = 0
        if symbols.count == format.frameSymbolCount { return reset() }
        // Windows reach half a symbol back: the last column of four is half in the next symbol, the second and third are not.
        let sum = recent.suffix(perSymbol).dropFirst().dropLast().reduce(SIMD32<Float>.zero, +)
        symbols.append(Self.strongest(sum))
    }

    /// Forgets what arrives, once it is known or given up.
    public mutating func reset() {
        symbols = []
        recent = []
        columnsSinceSymbol = 0
    }

    /// Both start symbols are the strongest tones of their columns, but for one each at the edges.
    private var looksLikeStartCode: Bool {
        let perSymbol = ToneMeter.columnsPerSymbol
        return format.startCode.enumerated().allSatisfy { index, symbol in
            let columns = recent[index * perSymbol..<(index + 1) * perSymbol]
            return columns.count { Self.strongest($0) == symbol && Self.stands(out: symbol, of: $0) } >= perSymbol - 1
        }
    }

    private static func strongest(_ column: SIMD32<Float>) -> UInt8 {
        var best = 0
        for tone in 1..<32 where column[tone] > column[best] { best = tone }
        return UInt8(best)
    }

    /// Whether a tone has at least a third of the power of all.
    private static func stands(out symbol: UInt8, of column: SIMD32<Float>) -> Bool {
        column[Int(symbol)] * 3 > column.sum()
    }
}
