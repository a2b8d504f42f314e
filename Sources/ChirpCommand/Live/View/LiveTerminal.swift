internal import Chirp
internal import Foundation

/// Draws the live view on the terminal that standard error is, in its second screen, and leaves the first as it was.
final class LiveTerminal {
    /// Time between two pictures: no eye wants more than twelve a second of something this coarse.
    private static let frameInterval = Duration.milliseconds(80)

    private var screen: LiveScreen
    private let clock = ContinuousClock()
    private var lastDrawing: ContinuousClock.Instant?
    private var savedSettings: termios?

    /// - Parameter formats: those that are listened for.
    init(formats: [WireFormat]) {
        screen = LiveScreen(inColour: Terminal.hasColour, formats: formats)
        enter()
    }

    var detections: [ResolvedDetection] { screen.detections }

    func take(_ event: ListenEvent) {
        screen.take(event)
        if case .columns = event { drawIfDue() } else { draw() }
    }

    func note(_ text: String) {
        screen.note(text)
        draw()
    }

    /// Draws everything anew: the terminal has another size.
    func resize() {
        write("\u{1B}[2J")
        draw()
    }

    /// Goes to the second screen, hides the cursor, and keeps typed characters from being shown.
    func enter() {
        write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J")
        var settings = termios()
        if tcgetattr(STDIN_FILENO, &settings) == 0 {
            savedSettings = settings
            settings.c_lflag &= ~tcflag_t(ECHO)
            tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        }
        draw()
    }

    /// Gives the terminal back as it was.
    func leave() {
        if var settings = savedSettings { tcsetattr(STDIN_FILENO, TCSANOW, &settings) }
        savedSettings = nil
        write("\u{1B}[?25h\u{1B}[?1049l")
    }

    private func drawIfDue() {
        if let lastDrawing, clock.now - lastDrawing < Self.frameInterval { return }
        draw()
    }

    private func draw() {
        // A terminal that takes nothing at the moment (Ctrl-S) must not hold up the listening.
        guard Terminal.isWritable else { return }
        lastDrawing = clock.now
        let (width, height) = Terminal.size(of: StandardError.descriptor)
        let lines = screen.lines(width: width, height: height)
        // Each line ends with "erase to its end"; the whole is one synchronised update where the terminal knows that.
        let body = lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n")
        write("\u{1B}[?2026h\u{1B}[H" + body + "\u{1B}[J\u{1B}[?2026l")
    }

    private func write(_ text: String) { StandardError.write(text) }
}
