import Foundation
import Testing

/// What clients send that no client should.
@Suite struct LimitTests {
    private static let megabytes = 10 * 1_048_576

    @Test func `a file of 10 MB is taken, and one byte more is not`() throws {
        let service = try ServiceProcess()
        let largest = Sample.multipart(Sample.png(byteCount: Self.megabytes), name: "largest.png")
        let taken = try service.ask("POST", "/file", ["Content-Type": "multipart/form-data; boundary=edge"], largest)
        #expect(taken.status == 200)
        let code = try #require(taken.json["shortcode"] as? String)
        #expect(try service.get("/\(code)/content").body.count == Self.megabytes)
        let tooLarge = Sample.multipart(Sample.png(byteCount: Self.megabytes + 1), name: "larger.png")
        let refused = try service.ask("POST", "/file", ["Content-Type": "multipart/form-data; boundary=edge"], tooLarge)
        #expect(refused.status == 413)
        #expect(refused.text.contains("10 MB"))
    }

    @Test func `a body that says it is too large is refused before it is sent, and one that does not, in time`() throws
    {
        let service = try ServiceProcess()
        let announced = try Connection(port: service.port)
        try announced.send(
            "POST /file HTTP/1.1\r\nHost: a\r\nContent-Type: image/png\r\nContent-Length: 99999999999\r\n\r\n")
        #expect(try announced.answer()?.status == 413)
        let stealthy = try Connection(port: service.port)
        try stealthy.send("POST /chirp HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        let piece = "10000\r\n" + String(repeating: "x", count: 0x10000) + "\r\n"
        // The service may close the connection while pieces are still being sent.
        for _ in 0..<4 { try? stealthy.send(piece) }
        #expect(try stealthy.answer()?.status == 413)
    }

    @Test func `a header that never ends is refused`() throws {
        let service = try ServiceProcess()
        let connection = try Connection(port: service.port)
        try connection.send("GET / HTTP/1.1\r\nHost: a\r\n")
        for index in 0..<40 { try? connection.send("X-\(index): \(String(repeating: "x", count: 1_000))\r\n") }
        let answer = try connection.answer()
        #expect(answer == nil || answer?.status == 400 || answer?.status == 431)
        try connection.waitForEnd()
        #expect(try service.get("/healthz").status == 200)
    }

    @Test(arguments: [
        "GARBAGE\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET  HTTP/1.1\r\nHost: a\r\n\r\n",
        "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}",
        "POST /chirp HTTP/1.1\r\nHost: a\r\nContent-Length: -5\r\n\r\n",
        "POST /chirp HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
        "POST /chirp HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nabc",
    ])
    func `what is no request of HTTP is refused, and nobody else notices`(text: String) throws {
        let service = try ServiceProcess()
        let connection = try Connection(port: service.port)
        try connection.send(text)
        connection.finishSending()
        if let answer = try connection.answer() { #expect((400...499).contains(answer.status)) }
        #expect(try service.get("/healthz").status == 200)
    }

    @Test func `a client that sends half a request is let go of, however it trickles`() throws {
        let service = try ServiceProcess(["--request-timeout", "2", "--idle-timeout", "1"])
        let silent = try Connection(port: service.port, patience: 30)
        try silent.send("POST /chirp HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{\"url\":")
        let headless = try Connection(port: service.port, patience: 30)
        try headless.send("GET / HT")
        let mute = try Connection(port: service.port, patience: 30)
        let trickling = try Connection(port: service.port, patience: 30)
        try trickling.send("POST /chirp HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n")
        let deadline = ContinuousClock.now + .seconds(30)
        var isClosed = false
        while !isClosed, ContinuousClock.now < deadline {
            do { try trickling.send("x") } catch { isClosed = true }
            usleep(50_000)
        }
        #expect(isClosed)
        try silent.waitForEnd()
        try headless.waitForEnd()
        try mute.waitForEnd()
        #expect(silent.isAtEnd && headless.isAtEnd && mute.isAtEnd)
        #expect(try service.get("/healthz").status == 200)
    }

    /// A service with a file of 10 MB, which no system takes as a whole for a client that reads slowly.
    private static func serviceWithLargeFile(_ arguments: [String]) throws -> (ServiceProcess, request: String) {
        let service = try ServiceProcess(arguments)
        let file = Sample.multipart(Sample.png(byteCount: megabytes), name: "largest.png")
        let taken = try service.ask("POST", "/file", ["Content-Type": "multipart/form-data; boundary=edge"], file)
        let code = try #require(taken.json["shortcode"] as? String)
        return (service, "GET /\(code)/content HTTP/1.1\r\nHost: a\r\n")
    }

    @Test(arguments: ["Connection: close\r\n", "", "shutdown"])
    func `a client that reads slowly gets all of an answer`(_ ending: String) throws {
        let (service, request) = try Self.serviceWithLargeFile(["--idle-timeout", "5"])
        let slow = try Connection(port: service.port, receiveBytes: 65_536)
        try slow.send(request + (ending.contains(":") ? ending : "") + "\r\n")
        if ending == "shutdown" { slow.finishSending() }
        #expect(try slow.answer(pause: 40_000)?.body.count == Self.megabytes)
        try slow.waitForEnd()
    }

    @Test func `a service that stops finishes the answer to a client that reads slowly`() throws {
        let (service, request) = try Self.serviceWithLargeFile([])
        let slow = try Connection(port: service.port, receiveBytes: 65_536)
        try slow.send(request + "\r\n")
        // The answer has been handed on when another, on the same thread at the latest, has come.
        for _ in 0..<16 { #expect(try service.get("/healthz").status == 200) }
        service.askToStop()
        #expect(try slow.answer(pause: 40_000)?.body.count == Self.megabytes)
        #expect(try service.wait().status == 0)
    }

    @Test func `a client that reads nothing of an answer is let go of`() throws {
        let (service, request) = try Self.serviceWithLargeFile(["--idle-timeout", "1"])
        for ending in ["", "Connection: close\r\n"] {
            // A service that is late is given more time to see that it takes nothing.
            let isLetGoOf = try [3, 10, 40].contains { seconds in
                let idle = try Connection(port: service.port, patience: 30, receiveBytes: 65_536)
                try idle.send(request + ending + "\r\n")
                sleep(UInt32(seconds))
                do { _ = try idle.answer() } catch is Connection.Failure { return true }
                return false
            }
            #expect(isLetGoOf)
        }
        #expect(try service.get("/healthz").status == 200)
    }

    @Test func `half an upload leaves nothing behind`() throws {
        let service = try ServiceProcess()
        var connection: Connection? = try Connection(port: service.port)
        try connection?.send("POST /decode HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\nRIFF")
        try connection?.send([UInt8](repeating: 0, count: 100_000))
        // Of a file without a name the system shows what it was called.
        let descriptors = "/proc/\(service.processIdentifier)/fd"
        func spooled() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: descriptors).count { number in
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(descriptors)/\(number)")
                return target.map { URL(filePath: $0).lastPathComponent.hasPrefix("chirp-") } ?? false
            }
        }
        let deadline = ContinuousClock.now + .seconds(30)
        while try spooled() == 0, ContinuousClock.now < deadline { usleep(10_000) }
        #expect(try spooled() == 1)
        // A service that is killed leaves nothing, either.
        let left = try FileManager.default.contentsOfDirectory(atPath: service.folder.path)
        #expect(!left.contains { $0.hasPrefix("chirp-") })
        connection = nil
        while try spooled() > 0, ContinuousClock.now < deadline { usleep(10_000) }
        #expect(try spooled() == 0)
    }

    @Test func `a client that asks for too much is reported to wait, and others are not`() throws {
        // So slow that no pause of a machine lets another request through.
        let service = try ServiceProcess(rate: "0.01", ["--proxy", "127.0.0.1"])
        func status(_ client: String) throws -> Answer {
            try service.get("/gsm2h88c7u.svg", ["X-Forwarded-For": client])
        }
        let answers = try (0..<30).map { _ in try status("192.0.2.1") }
        #expect(answers.prefix(10).allSatisfy { $0.status == 200 })
        let refused = try #require(answers.last)
        #expect(refused.status == 429)
        #expect(Int(refused["Retry-After"] ?? "").map { $0 >= 1 } == true)
        #expect(try status("192.0.2.2").status == 200)
        // A room full of people that opens the page is no one client that asks for too much.
        for _ in 0..<50 {
            #expect(try service.get("/assets/home.js", ["X-Forwarded-For": "192.0.2.1"]).status == 200)
        }
        // Half of an IPv6 address is the client's own to choose.
        for index in 0..<30 { _ = try status("2001:db8::\(index)") }
        #expect(try status("2001:db8::ffff").status == 429)
        #expect(try status("2001:db8:0:1::1").status == 200)
        // What a client puts in front of what the proxy says does not help it.
        #expect(try status("198.51.100.7, 192.0.2.1").status == 429)
    }

    @Test(arguments: ["0.1", "1e-300"])
    func `a client within the smallest limit can write, and learns when it can write again`(rate: String) throws {
        let service = try ServiceProcess(rate: rate)
        #expect(try service.post("/chirp", #"{"body":"note"}"#).status == 200)
        let refused = try service.post("/chirp", #"{"body":"note"}"#)
        #expect(refused.status == 429)
        let seconds = try #require(Int(refused["Retry-After"] ?? ""))
        #expect(seconds >= 90)
    }

    @Test func `who is no named proxy is not believed about whom it speaks for`() throws {
        let service = try ServiceProcess(rate: "1", ["--proxy", "192.0.2.0/24"])
        let answers = try (0..<30).map {
            try service.get("/gsm2h88c7u.svg", ["X-Forwarded-For": "198.51.100.\($0)"])
        }
        #expect(answers.last?.status == 429)
        let other = try ServiceProcess(["--proxy", "192.0.2.0/24"])
        let code = try #require(try other.post("/chirp", #"{"body":"note"}"#).json["shortcode"] as? String)
        let answer = try other.get(
            "/\(code).json", ["Host": "real.test", "X-Forwarded-Host": "evil.test", "X-Forwarded-Proto": "https"])
        #expect(answer.json["url"] as? String == "http://real.test/\(code)")
    }

    @Test func `addresses of notes are those that people reach the service at`() throws {
        let proxied = try ServiceProcess(["--proxy", "127.0.0.0/8"])
        let code = try #require(try proxied.post("/chirp", #"{"body":"note"}"#).json["shortcode"] as? String)
        let forwarded = try proxied.get(
            "/\(code).json", ["X-Forwarded-Host": "chirp.example", "X-Forwarded-Proto": "https"])
        #expect(forwarded.json["url"] as? String == "https://chirp.example/\(code)")
        let odd = try proxied.get("/\(code).json", ["Host": "a\"><script>", "X-Forwarded-Proto": "javascript"])
        #expect((odd.json["url"] as? String)?.contains("<") == false)
        #expect((odd.json["url"] as? String)?.hasPrefix("http://") == true)
        let fixed = try ServiceProcess(["--public-url", "https://chirp.example.org/"])
        let other = try #require(try fixed.post("/chirp", #"{"body":"note"}"#).json["shortcode"] as? String)
        #expect(try fixed.get("/\(other).json").json["url"] as? String == "https://chirp.example.org/\(other)")
    }
}
