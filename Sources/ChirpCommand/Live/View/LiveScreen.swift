internal import Chirp
internal import ChirpSound
internal import RealModule

/// What the live view shows, as lines for a terminal of any size; it draws nothing itself.
///
/// The tones are those of one format at a time: of the first, then of the one that arrives or was heard last.
struct LiveScreen {
    /// What is seen and spelled of a format.
    private struct Tones {
        let format: WireFormat
        var picture = ToneWaterfall()
        var arriving: LiveSymbolTracker
    }

    var inColour: Bool
    /// Results so far; the screen shows the last ones.
    private(set) var detections: [ResolvedDetection] = []

    private var title = "opening the device"
    /// One a format, at least one.
    private var tones: [Tones]
    /// The place of the one that is shown.
    private var shown = 0
    private var peak: Float = 0
    private var note = ""

    /// Results kept to be printed when the view is left; older ones are in the history.
    private static let keptDetections = 10_000

    /// - Parameter formats: those that are listened for, at least one.
    init(inColour: Bool, formats: [WireFormat] = [.original]) {
        precondition(!formats.isEmpty, "a screen shows at least one format")
        self.inColour = inColour
        tones = formats.map { Tones(format: $0, arriving: LiveSymbolTracker(format: $0)) }
    }

    private var format: WireFormat { tones[shown].format }

    mutating func take(_ event: ListenEvent) {
        switch event {
        case .opened(let device, let rate):
            title = "\(device)  \(Int((rate / 100).rounded()) / 10).\(Int((rate / 100).rounded()) % 10) kHz"
            note = ""
        case .columns(let measured, let peak):
            // Falls 20 dB in about a second and a half, rises at once.
            self.peak = max(peak, self.peak * 0.985)
            for one in measured { take(one) }
        case .resolved(let detection):
            detections.append(detection)
            if detections.count > Self.keptDetections { detections.removeFirst(detections.count - Self.keptDetections) }
            for index in tones.indices { tones[index].arriving.reset() }
            if let index = tones.firstIndex(where: { $0.format == detection.chirp.format }) { shown = index }
        case .commandSaid(let line): note = TerminalText.printable(line)
        case .absent: peak = 0
        default: break
        }
    }

    /// A chirp that begins to arrive in another format is shown, unless one arrives in that which is shown.
    private mutating func take(_ measured: ToneColumns) {
        guard let index = tones.firstIndex(where: { $0.format == measured.format }) else { return }
        for column in measured.columns {
            tones[index].picture.append(column)
            tones[index].arriving.process(column)
        }
        if !tones[index].arriving.symbols.isEmpty, tones[shown].arriving.symbols.isEmpty { shown = index }
    }

    /// Shows something that is neither sound nor a result, until the next such thing.
    mutating func note(_ text: String) { note = TerminalText.printable(text) }

    /// All lines, `height` of them and `width` columns each.
    func lines(width: Int, height: Int) -> [String] {
        let rows = [16, 8, 4].first { $0 + 6 <= height } ?? 0
        var lines = [header(width: width)]
        if rows > 0 {
            let gutter = width >= 24 ? 2 : 0
            let picture = tones[shown].picture.lines(rows: rows, width: width - gutter, inColour: inColour)
            let tonesPerRow = 32 / rows
            lines += picture.enumerated().map { row, line in
                guard gutter > 0 else { return line }
                return dim(format.text(of: [UInt8(31 - row * tonesPerRow)])) + " " + line
            }
        }
        lines.append(arrivingLine(width: width))
        let heading = "── heard: \(detections.count) "
        let rule = heading + String(repeating: "─", count: max(0, width - heading.count))
        lines.append(dim(TerminalText.fitted(rule, to: width)))
        let room = max(0, height - lines.count - 1)
        let shown = detections.suffix(room).map { TerminalText.fitted($0.viewLine, to: width) }
        lines += shown + [String](repeating: "", count: room - shown.count)
        lines.append(dim(TerminalText.fitted(note.isEmpty ? "Ctrl-C ends" : note, to: width)))
        return Array(lines.prefix(height))
    }

    private func header(width: Int) -> String {
        let decibels = 20 * Double.log10(max(Double(peak), 1e-5))
        let figure = decibels <= -99 ? "−∞ dB" : "\(decibels < 0 ? "−" : "")\(Int(abs(decibels).rounded())) dB"
        let padded = String(repeating: " ", count: max(0, 6 - figure.count)) + figure
        let barWidth = max(0, min(24, width - 40))
        let level = padded + " " + Self.bar(min(max((decibels + 60) / 60, 0), 1), width: barWidth)
        let shownFormat = tones.count > 1 ? "  \(format.name)" : ""
        let name = TerminalText.fitted(" chirp listen  \(title)\(shownFormat)", to: max(0, width - level.count))
        return TerminalText.fitted(name + level, to: width)
    }

    private func arrivingLine(width: Int) -> String {
        let (count, arriving) = (format.frameSymbolCount, tones[shown].arriving)
        guard !arriving.symbols.isEmpty else { return dim(TerminalText.fitted(" listening", to: width)) }
        let text = format.text(of: arriving.symbols)
        let rest = String(repeating: "·", count: max(0, count - arriving.symbols.count))
        let line = TerminalText.fitted(" ♪ \(text)\(rest)", to: width)
        return inColour ? "\u{1B}[1;33m\(line)\u{1B}[0m" : line
    }

    /// A bar of whole and eighth blocks; `share` of it is filled.
    private static func bar(_ share: Double, width: Int) -> String {
        guard width > 0 else { return "" }
        let eighths = Int((share * Double(width) * 8).rounded())
        let full = String(repeating: "█", count: eighths / 8)
        let part = eighths % 8 == 0 ? "" : String(["▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8 - 1])
        let used = eighths / 8 + (part.isEmpty ? 0 : 1)
        return full + part + String(repeating: "·", count: width - used)
    }

    private func dim(_ text: String) -> String { inColour ? "\u{1B}[2m\(text)\u{1B}[0m" : text }
}

extension ResolvedDetection {
    /// The line of the view: time, code, signal-to-noise ratio, corrected symbols, link.
    var viewLine: String {
        let (code, rest) = (chirp.shortcode.description, columns.dropFirst(2))
        return " " + ([clock, code] + rest).joined(separator: "  ")
    }
}
