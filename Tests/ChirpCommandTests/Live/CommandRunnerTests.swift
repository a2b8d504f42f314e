import Chirp
import ChirpReport
import Foundation
import Testing

@testable import chirp

@Suite struct CommandRunnerTests {
    private func detection(url: String?) throws -> ResolvedDetection {
        let chirp = DetectedChirp(
            codeword: try Codeword(parsing: "gsm2h88c7u"), startSeconds: 0, durationSeconds: 1.744, snrDecibels: 0,
            correctedSymbolCount: 0, confidence: 1, tuningCents: 0, speed: 1)
        let link = ResolvedLink(json: .null, kind: "url", url: url, summary: "")
        return ResolvedDetection(chirp: chirp, time: Date(), link: link)
    }

    @Test(arguments: ["http://example.org/", "https://example.org/a?b=c", "HTTPS://example.org/"])
    func `a web address is opened in the browser`(url: String) throws {
        let job = try #require(try CommandRunner.Job.open(try detection(url: url)))
        #expect(job.arguments == ["xdg-open", url])
        #expect(job.isIndependent)
    }

    @Test(arguments: ["mailto:a@example.org", "file:///etc/passwd", "httpx://example.org/", "/etc/passwd", ""])
    func `another address is not opened, and a warning says so`(url: String) throws {
        let detection = try detection(url: url)
        let error = #expect(throws: UnopenedAddress.self) { try CommandRunner.Job.open(detection) }
        #expect(error?.userMessage.hasPrefix("gsm2h88c7u: cannot open \(url): ") == true)
    }

    /// What a command leaves running keeps its output open.
    @Test func `a command has ended when its shell has, and what it said is told`() async throws {
        let (events, continuation) = AsyncStream.makeStream(of: ListenEvent.self)
        let runner = CommandRunner(capturesOutput: true) { continuation.yield($0) }
        runner.enqueue(.shell("setsid sleep 600 & echo $!", for: try detection(url: nil)))
        runner.enqueue(.shell("echo three", for: try detection(url: nil)))
        var (said, ended) = ([String](), 0)
        for await event in events {
            switch event {
            case .commandSaid(let line): said.append(line)
            case .commandEnded(let outcome):
                #expect(outcome.succeeded)
                ended += 1
                // It has not been waited for.
                let child = try #require(said.first.flatMap { pid_t($0) })
                #expect(kill(child, 0) == 0)
                if ended == 2 { kill(child, SIGKILL) }
            default: break
            }
            if ended == 2 { break }
        }
        #expect(said.count == 2 && said.last == "three")
        await runner.terminate()
    }

    @Test func `a link without an address opens nothing, without a warning`() throws {
        #expect(try CommandRunner.Job.open(try detection(url: nil)) == nil)
    }
}
