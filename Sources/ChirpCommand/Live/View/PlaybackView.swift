internal import Chirp
internal import ChirpSound
internal import Synchronization

/// Shows the tones of a code while it is played, as the view of `chirp listen` does, and below them the symbols; nothing
/// where standard error is not a terminal.
final class PlaybackView: Sendable {
    private struct State {
        var last: PlaybackSchedule.Position?
        var picture = ToneWaterfall()
        /// Lines above the cursor that belong to the view.
        var linesAbove = 0
    }

    private let chirpCount: Int
    private let isShown: Bool
    private let state = Mutex(State())

    /// Rows of the picture: four tones each.
    private static let rows = 8
    /// A terminal with fewer lines gets the symbols alone.
    private static let minimumHeight = 14

    init(chirpCount: Int, isShown: Bool = Terminal.showsProgress) {
        self.chirpCount = chirpCount
        self.isShown = isShown
    }

    /// Shows where the playback is, when that has changed.
    func show(_ position: PlaybackSchedule.Position?) {
        guard isShown, let position else { return }
        state.withLock { state in
            guard state.last != position else { return }
            state.last = position
            let symbol = position.format.frame(of: position.codeword)[position.symbolIndex]
            for _ in 0..<ToneMeter.columnsPerSymbol { state.picture.append(Self.powers(of: symbol)) }
            // Sound does not wait for a terminal.
            guard Terminal.isWritable else { return }
            let lines = Self.lines(
                state.picture, position, chirpCount: chirpCount, size: Terminal.size(of: StandardError.descriptor),
                inColour: Terminal.hasColour)
            StandardError.write(
                Self.start(linesAbove: state.linesAbove) + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\n"))
            state.linesAbove = lines.count - 1
        }
    }

    /// Leaves the last picture as it is, complete.
    func finish() {
        if isShown, state.withLock({ $0.last }) != nil { StandardError.write("\n") }
    }

    /// Removes the view.
    func clear() {
        guard isShown else { return }
        state.withLock { state in
            StandardError.write(Self.start(linesAbove: state.linesAbove) + "\u{1B}[J")
            state.linesAbove = 0
        }
    }

    /// The picture, and below it the line of the symbols.
    static func lines(
        _ picture: ToneWaterfall, _ position: PlaybackSchedule.Position, chirpCount: Int,
        size: (width: Int, height: Int), inColour: Bool
    ) -> [String] {
        let symbols = line(position, chirpCount: chirpCount)
        let format = position.format
        guard size.height >= minimumHeight, size.width >= 20 else { return [symbols] }
        let gutters = (0..<rows).map { row in
            format.text(of: [UInt8(format.toneCount - 1 - row * format.toneCount / rows)])
        }
        let tones = picture.lines(rows: rows, width: size.width - 3, inColour: inColour)
        return zip(gutters, tones).map { "\($0) \($1)" } + [symbols]
    }

    /// `♪ 1/2  hjgsm2h88c7·········  gsm2h88c7u`: symbols played, symbols to come, and the code.
    static func line(_ position: PlaybackSchedule.Position, chirpCount: Int) -> String {
        let frame = Array(position.format.text(of: position.format.frame(of: position.codeword)))
        let played = String(frame.prefix(position.symbolIndex + 1))
        let left = String(repeating: "·", count: frame.count - position.symbolIndex - 1)
        let count = chirpCount > 1 ? " \(position.chirpIndex + 1)/\(chirpCount)" : ""
        return "♪\(count)  \(played)\(left)  \(position.codeword.shortcode)"
    }

    /// To the beginning of the view.
    private static func start(linesAbove: Int) -> String { linesAbove > 0 ? "\r\u{1B}[\(linesAbove)A" : "\r" }

    /// The powers that ``ToneMeter`` would measure of a symbol: one tone, and silence.
    private static func powers(of symbol: UInt8) -> SIMD32<Float> {
        var powers = SIMD32<Float>(repeating: 1e-9)
        powers[Int(symbol)] = 0.1
        return powers
    }
}
