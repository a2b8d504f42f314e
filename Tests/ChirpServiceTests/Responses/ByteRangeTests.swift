import Testing

@testable import ChirpService

@Suite struct ByteRangeTests {
    @Test(
        arguments: [
            ("bytes=0-1", .part(0..<2)), ("bytes=0-", .part(0..<100)), ("bytes=90-200", .part(90..<100)),
            ("bytes=99-99", .part(99..<100)), ("bytes=-10", .part(90..<100)), ("bytes=-500", .part(0..<100)),
            ("bytes=100-", .unsatisfiable), ("bytes=-0", .unsatisfiable),
            ("bytes=99999999999999999999-", .unsatisfiable), ("bytes=0-99999999999999999999", .part(0..<100)),
            ("bytes=5-4", nil), ("bytes=-", nil), ("bytes=0-1,3-4", nil), ("bytes=+1-2", nil), ("bytes= 1-2", nil),
            ("frames=0-1", nil), ("", nil), ("bytes=1", nil), ("bytes=1-2-3", nil),
        ] as [(String, ByteRange?)])
    func `one range of bytes is understood, and nothing else`(field: String, range: ByteRange?) {
        #expect(ByteRange(field, length: 100) == range)
    }

    @Test func `a sound is sent by its parts, and one that has changed as a whole`() throws {
        let service = try ServiceProcess()
        let whole = try service.get("/gsm2h88c7u.wav")
        #expect(whole.status == 200 && whole["Accept-Ranges"] == "bytes")
        let part = try service.get("/gsm2h88c7u.wav", ["Range": "bytes=0-1"])
        #expect(part.status == 206 && part.body == Array(whole.body.prefix(2)))
        #expect(part["Content-Range"] == "bytes 0-1/\(whole.body.count)")
        let tag = try #require(whole["ETag"])
        #expect(
            try service.get("/gsm2h88c7u.wav", ["Range": "bytes=-4", "If-Range": tag]).body == whole.body.suffix(4))
        #expect(try service.get("/gsm2h88c7u.wav", ["Range": "bytes=-4", "If-Range": "\"x\""]).body == whole.body)
        let beyond = try service.get("/gsm2h88c7u.wav", ["Range": "bytes=999999-"])
        #expect(beyond["Cache-Control"] == "no-store" && beyond.json["error"] != nil)
        let head = try service.ask("HEAD", "/gsm2h88c7u.wav", ["Range": "bytes=0-1"])
        #expect(head.status == 200)
        #expect(beyond.status == 416 && beyond["Content-Range"] == "bytes */\(whole.body.count)")
        // The other generation's address has the formats as well.
        let fast = try service.get("/v1/chirps/gsm2h88c7u.wav?format=fast")
        #expect(fast.body == (try service.get("/gsm2h88c7u.wav?format=fast").body) && fast.body != whole.body)
        #expect(try service.get("/v1/chirps/gsm2h88c7u.wav?format=loud").status == 400)
    }
}
