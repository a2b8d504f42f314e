import Synchronization
import Testing

@testable import chirp

@Suite struct ProgressBarTests {
    private final class Screen: Sendable {
        let texts = Mutex<[String]>([])
        let now = Mutex(ContinuousClock.now)

        func bar(isEnabled: Bool = true) -> ProgressBar {
            ProgressBar(
                total: 4, delay: .seconds(2), isEnabled: isEnabled, now: { self.now.withLock { $0 } },
                write: { text in self.texts.withLock { $0.append(text) } })
        }

        func wait(seconds: Int) { now.withLock { $0 += .seconds(seconds) } }
        var shown: [String] { texts.withLock { $0 } }
    }

    @Test func `work that is soon done shows nothing`() {
        let screen = Screen()
        let bar = screen.bar()
        bar.advance(by: 2)
        screen.wait(seconds: 1)
        bar.advance(by: 2)
        bar.clear()
        #expect(screen.shown.isEmpty)
    }

    @Test func `longer work shows its share, each percentage once, and is cleared once`() {
        let screen = Screen()
        let bar = screen.bar()
        bar.advance(by: 1)
        screen.wait(seconds: 2)
        bar.advance(by: 1)
        bar.advance(by: 0.001)
        bar.advance(by: 5)
        bar.clear()
        bar.clear()
        #expect(screen.shown.count == 3)
        #expect(screen.shown[0].hasSuffix(" 50 %") && screen.shown[1].hasSuffix(" 100 %"))
        #expect(screen.shown[2] == "\r\u{1B}[K")
    }

    @Test func `where there is no terminal, nothing is shown`() {
        let screen = Screen()
        let bar = screen.bar(isEnabled: false)
        screen.wait(seconds: 5)
        bar.advance(by: 2)
        bar.clear()
        #expect(screen.shown.isEmpty)
    }
}
