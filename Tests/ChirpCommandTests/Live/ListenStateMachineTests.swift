import Chirp
import ChirpSound
import Foundation
import Testing

@testable import chirp

@Suite struct ListenStateMachineTests {
    private func chirp(_ code: String, at start: Double = 0) throws -> DetectedChirp {
        DetectedChirp(
            codeword: try Codeword(parsing: code), startSeconds: start, durationSeconds: 1.744, snrDecibels: 0,
            correctedSymbolCount: 0, confidence: 1, tuningCents: 0, speed: 1)
    }

    private func detection(_ chirp: DetectedChirp) -> ResolvedDetection {
        ResolvedDetection(chirp: chirp, time: Date(), link: nil)
    }

    /// What actions are, in a word each.
    private func words(_ actions: [ListenStateMachine.Action]) -> [String] {
        actions.map { action in
            switch action {
            case .resolve(let detection): "resolve \(detection.chirp.shortcode)"
            case .report(let detection): "report \(detection.chirp.shortcode)"
            case .warn: "warn"
            case .stopListening: "stop"
            case .end(.done): "done"
            case .end(.nothingDetected): "nothing heard"
            case .end(.commandFailed): "command failed"
            case .end(.failed): "failed"
            case .end(.stopped(let number)): "stopped by \(number)"
            case .end(.outputClosed): "output closed"
            }
        }
    }

    @Test func `once means the first code, however many come before the sound has ended`() throws {
        var session = ListenStateMachine(once: true, ignored: [])
        let first = try chirp("gsm2h88c7u")
        #expect(
            words(session.take(.found(ChannelDetection(channel: 0, chirp: first)))) == ["resolve gsm2h88c7u", "stop"])
        #expect(words(session.take(.found(ChannelDetection(channel: 0, chirp: try chirp("parrotbill", at: 1))))) == [])
        #expect(words(session.take(.soundEnded(nil))) == [])
        #expect(words(session.take(.resolved(detection(first)))) == ["report gsm2h88c7u"])
        #expect(words(session.noteReported(startedCommands: 0)) == ["done"])
    }

    @Test func `an ignored code does not count as the first`() throws {
        var session = ListenStateMachine(once: true, ignored: [try Shortcode(parsing: "gsm2h88c7u")])
        #expect(words(session.take(.found(ChannelDetection(channel: 0, chirp: try chirp("gsm2h88c7u"))))) == [])
        #expect(
            words(session.take(.found(ChannelDetection(channel: 0, chirp: try chirp("parrotbill", at: 2))))) == [
                "resolve parrotbill", "stop",
            ])
    }

    @Test func `the end waits for links and commands`() throws {
        var session = ListenStateMachine(once: false, ignored: [])
        let first = try chirp("gsm2h88c7u")
        _ = session.take(.found(ChannelDetection(channel: 0, chirp: first)))
        #expect(words(session.take(.timeExpired)) == ["stop"])
        #expect(words(session.take(.soundEnded(nil))) == [])
        _ = session.take(.resolved(detection(first)))
        #expect(words(session.noteReported(startedCommands: 2)) == [])
        let outcome = CommandRunner.Outcome(
            arguments: ["/bin/sh"], code: first.shortcode, result: .exited(0))
        #expect(words(session.take(.commandEnded(outcome))) == [])
        #expect(words(session.take(.commandEnded(outcome))) == ["done"])
    }

    @Test func `a command that failed is warned of, and decides the end`() throws {
        var session = ListenStateMachine(once: true, ignored: [])
        let first = try chirp("gsm2h88c7u")
        _ = session.take(.found(ChannelDetection(channel: 0, chirp: first)))
        _ = session.take(.soundEnded(nil))
        _ = session.take(.resolved(detection(first)))
        _ = session.noteReported(startedCommands: 1)
        let outcome = CommandRunner.Outcome(arguments: ["/bin/sh"], code: first.shortcode, result: .exited(1))
        #expect(words(session.take(.commandEnded(outcome))) == ["warn", "command failed"])
    }

    @Test func `a device that fails ends the listening with what was heard told`() throws {
        var session = ListenStateMachine(once: false, ignored: [])
        let first = try chirp("gsm2h88c7u")
        _ = session.take(.found(ChannelDetection(channel: 0, chirp: first)))
        let error = SoundDeviceError.stalled(device: "x", direction: .capture, seconds: 5)
        #expect(words(session.take(.soundEnded(error))) == [])
        #expect(words(session.take(.resolved(detection(first)))) == ["report gsm2h88c7u"])
        #expect(words(session.noteReported(startedCommands: 0)) == ["failed"])
    }

    @Test func `time-out, signals and a reader who has gone end it each in their way`() {
        var session = ListenStateMachine(once: false, ignored: [])
        #expect(words(session.take(.signal(SIGTERM))) == ["stopped by \(SIGTERM)"])
        #expect(words(session.take(.outputClosed)) == ["output closed"])
        #expect(words(session.take(.timeExpired)) == ["stop"])
        #expect(words(session.take(.timeExpired)) == [])
        #expect(words(session.take(.soundEnded(nil))) == ["nothing heard"])
    }

    @Test(arguments: [0, 1, 2, 3])
    func `every action is performed once, up to the one that ends the listening`(ending: Int) throws {
        let actions: [ListenStateMachine.Action] = [.stopListening, .stopListening, .stopListening]
        var count = 0
        let result = actions.performed { _ in
            count += 1
            return count == ending ? .done : nil
        }
        #expect(count == (ending == 0 ? 3 : ending))
        #expect((result == nil) == (ending == 0))
    }
}
