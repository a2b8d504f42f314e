import Foundation
import Testing

/// The requests of clients that were written for the original service, as they went over the wire but for the host.
@Suite struct OriginalClientTests {
    let service: ServiceProcess

    init() throws { service = try ServiceProcess() }

    /// Header fields that `requests` sent in the days of the first clients.
    static let python2 =
        "Accept-Encoding: gzip, deflate, compress\r\nAccept: */*\r\n"
        + "User-Agent: python-requests/2.2.1 CPython/2.7.6 Linux/3.13.0-24-generic\r\n"
    static let python3 =
        "User-Agent: python-requests/2.13.0\r\nAccept-Encoding: gzip, deflate\r\nAccept: */*\r\nConnection: keep-alive\r\n"

    /// 2013, Python: `requests.post("http://…/chirp", {"url": url})`, then the page in a browser.
    @Test func `the form of the first Python client gets a code, and the page of the code opens`() throws {
        let body = "url=http%3A%2F%2Fexample.org%2Ffirst"
        let request =
            "POST /chirp HTTP/1.1\r\nHost: dinu.chirp.test\r\nContent-Length: \(body.utf8.count)\r\n\(Self.python2)"
            + "Content-Type: application/x-www-form-urlencoded\r\n\r\n\(body)"
        let first = try service.exchange(request)
        #expect(first.status == 200)
        #expect(first.json["is_new"] as? Int == 1)
        let longcode = try #require(first.json["longcode"] as? String)
        let code = try #require(first.json["shortcode"] as? String)
        #expect(longcode.count == 18 && longcode.hasPrefix(code))
        let second = try service.exchange(request)
        #expect(second.json["is_new"] as? Int == 0)
        #expect(second.json["shortcode"] as? String == code)
        let page = try service.exchange(
            "GET /\(code) HTTP/1.1\r\nHost: chirp.test\r\nConnection: keep-alive\r\n"
                + "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8\r\n"
                + "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/27.0.1453.93 "
                + "Safari/537.36\r\nAccept-Encoding: gzip,deflate,sdch\r\nAccept-Language: en-US,en;q=0.8\r\n\r\n")
        #expect(page.status == 200)
        #expect(page["Content-Type"] == "text/html; charset=utf-8")
        #expect(page.text.contains(#"href="http://example.org/first""#))
    }

    /// 2014, Python: reads `rsp["url"]` and `rsp["data"]["description"]` of `/get/CODE`.
    @Test func `the second Python client reads the address and its description`() throws {
        let code = try service.share("http://example.org/second")
        let answer = try service.exchange("GET /get/\(code) HTTP/1.1\r\nHost: labs.chirp.test\r\n\(Self.python2)\r\n")
        #expect(answer.status == 200)
        #expect(answer.json["url"] as? String == "http://example.org/second")
        #expect(answer.json["mimetype"] as? String == "text/x-url")
        #expect((answer.json["data"] as? [String: Any])?["description"] as? String == "example.org")
        let missing = try service.exchange(
            "GET /get/0123456789 HTTP/1.1\r\nHost: labs.chirp.test\r\n\(Self.python2)\r\n")
        #expect(missing.status == 404)
        #expect((missing.json["error"] as? [String: Any])?["msg"] as? String != nil)
    }

    /// 2014, Python: `requests.post(FILE_URL, files={path: file}, headers={"Content-Type": filetype})`, which puts the
    /// file's type where the boundary should be.
    @Test func `the file of the second Python client is understood without a boundary in its header`() throws {
        let boundary = "8b1f2bd2e2a14d7f8d0d9a0b6c5e4f31"
        let body =
            Array(
                ("--\(boundary)\r\nContent-Disposition: form-data; name=\"/home/me/dot.png\"; filename=\"dot.png\"\r\n"
                    + "\r\n").utf8) + Sample.png + Array("\r\n--\(boundary)--\r\n".utf8)
        let head =
            "POST /file?title=dot.png HTTP/1.1\r\nHost: labs.chirp.test\r\nContent-Length: \(body.count)\r\n"
            + "Accept-Encoding: gzip, deflate, compress\r\nAccept: application/json\r\n"
            + "User-Agent: python-requests/2.2.1 CPython/2.7.6 Linux/3.13.0-24-generic\r\nContent-Type: image/png\r\n\r\n"
        let answer = try service.exchange(Array(head.utf8) + body)
        #expect(answer.status == 200)
        #expect(answer.json["is_new"] as? Int == 1)
        let code = try #require(answer.json["shortcode"] as? String)
        let record = try service.get("/get/\(code)")
        #expect(record.json["mimetype"] as? String == "image/png")
        #expect(record.json["title"] as? String == "dot.png")
        #expect(try service.get("/\(code)/content").body == Sample.png)
    }

    /// 2014, Python: `requests.post("…/0/chirp", json.dumps(…), headers={"content-type": "application/json"})`.
    @Test func `the JSON of the client for the numbered API gets a code`() throws {
        let body = #"{"url": "http://example.org?foo=7", "mimetype": "text/x-url"}"#
        let answer = try service.exchange(
            "POST /0/chirp HTTP/1.1\r\nHost: api.chirp.test\r\nContent-Length: \(body.utf8.count)\r\n"
                + "content-type: application/json\r\n\(Self.python2)\r\n\(body)")
        #expect(answer.status == 200)
        #expect((answer.json["longcode"] as? String)?.count == 18)
        #expect(answer.json["is_new"] as? Int == 1)
    }

    /// 2013, App Engine: `urllib2` through the fetch service.
    @Test func `a note is shared as the relay of the browser client sent it`() throws {
        let body = #"{"body": "meet me at 6", "mimetype": "text/plain", "title": "note"}"#
        let answer = try service.exchange(
            "POST /0/chirp HTTP/1.1\r\nHost: api.chirp.test\r\nAccept-Encoding: identity\r\n"
                + "Content-Length: \(body.utf8.count)\r\nContent-Type: application/json\r\nConnection: close\r\n"
                + "User-Agent: Python-urllib/2.7\r\n\r\n\(body)")
        let code = try #require(answer.json["shortcode"] as? String)
        let record = try service.get("/get/\(code)")
        #expect((record.json["data"] as? [String: Any])?["body"] as? String == "meet me at 6")
        #expect(record.json["title"] as? String == "note")
        #expect(record.json["mimetype"] as? String == "text/plain")
    }

    /// 2016, Python: a form to `/v1/chirps`; reads `longcode`, and `description` of an error.
    @Test func `the form of the third Python client is understood where data are expected`() throws {
        let body = "url=http%3A%2F%2Fexample.org%2Fthird"
        let answer = try service.exchange(
            "POST /v1/chirps HTTP/1.1\r\nHost: api.chirp.test\r\n\(Self.python3)Content-Length: \(body.utf8.count)\r\n"
                + "Content-Type: application/x-www-form-urlencoded\r\n\r\n\(body)")
        #expect(answer.status == 201)
        #expect((answer.json["longcode"] as? String)?.count == 18)
        let wrong = try service.exchange(
            "POST /v1/chirps HTTP/1.1\r\nHost: api.chirp.test\r\n\(Self.python3)Content-Length: 11\r\n"
                + "Content-Type: application/x-www-form-urlencoded\r\n\r\nurl=nothing")
        #expect(wrong.status == 400)
        #expect(wrong.json["description"] is String && wrong.json["error"] != nil)
    }

    /// 2017, the official kit for Python: authenticates, creates, reads, fetches the WAV, encodes and decodes; takes no
    /// answer without `X-Chirp-API: 1`.
    @Test func `the kit for Python goes its whole way`() throws {
        let key =
            #"{"app_key": "9iBEhpigPgRkUjM3dK3B4blkA", "app_secret": "AVg3iC954Z3b", "device_id": "08-00-27-ab-cd-ef"}"#
        let token = try service.exchange(
            "POST /v1/authenticate HTTP/1.1\r\nHost: api.chirp.test\r\n\(Self.python3)"
                + "Content-Length: \(key.utf8.count)\r\n\r\n\(key)")
        #expect(token.status == 200 && token["X-Chirp-API"] == "1")
        let access = try #require(token.json["access"] as? [String: Any])
        #expect(access["enabled"] as? Bool == true)
        #expect(access["chirps"] as? [String] == ["create", "read", "read_wav", "encode", "decode"])
        let secret = try #require(token.json["access_token"] as? String)
        let headers =
            "Host: api.chirp.test\r\n\(Self.python3)X-Auth-Token: \(secret)\r\nContent-type: application/json\r\n"
        let request = #"{"data": {"text": "hello", "count": 3, "nested": {"a": [1, 2.5, null]}}}"#
        let created = try service.exchange(
            "POST /v1/chirps HTTP/1.1\r\n\(headers)Content-Length: \(request.utf8.count)\r\n\r\n\(request)")
        #expect(created.status == 201 && created["X-Chirp-API"] == "1")
        let code = try #require(created.json["shortcode"] as? String)
        let longcode = try #require(created.json["longcode"] as? String)
        let read = try service.exchange("GET /v1/chirps/\(code) HTTP/1.1\r\n\(headers)\r\n")
        let data = try #require(read.json["data"] as? [String: Any])
        #expect(NSDictionary(dictionary: data) == ["text": "hello", "count": 3, "nested": ["a": [1, 2.5, NSNull()]]])
        let wave = try service.exchange("GET /v1/chirps/\(code).wav HTTP/1.1\r\n\(headers)\r\n")
        #expect(wave.status == 200 && wave["Content-Type"] == "audio/wav")
        #expect(wave.body.starts(with: "RIFF".utf8))
        let encoded = try service.exchange("GET /v1/chirps/encode/\(code) HTTP/1.1\r\n\(headers)\r\n")
        #expect(encoded.json["longcode"] as? String == longcode)
        var damaged = Array(longcode)
        for index in [0, 5, 11, 17] { damaged[index] = damaged[index] == "0" ? "1" : "0" }
        let decoded = try service.exchange("GET /v1/chirps/decode/\(String(damaged)) HTTP/1.1\r\n\(headers)\r\n")
        #expect(decoded.json["shortcode"] as? String == code)
        #expect(decoded.json["longcode"] as? String == longcode)
        let unknown = try service.exchange("GET /v1/chirps/0123456789 HTTP/1.1\r\n\(headers)\r\n")
        #expect(unknown.status == 404 && unknown["X-Chirp-API"] == "1")
    }

    /// 2016, the official kit for browsers: asks from its users' pages, so that browsers ask for leave first.
    @Test func `the kit for browsers may ask from any page, and gets in with a key in the path`() throws {
        let leave = try service.exchange(
            "OPTIONS /v1/chirps HTTP/1.1\r\nHost: api.chirp.test\r\nConnection: keep-alive\r\n"
                + "Access-Control-Request-Method: POST\r\nOrigin: http://shop.example\r\n"
                + "Access-Control-Request-Headers: content-type,x-auth-token\r\nAccept: */*\r\n\r\n")
        #expect(leave.status == 204)
        #expect(leave["Access-Control-Allow-Origin"] == "*")
        #expect(leave["Access-Control-Allow-Methods"]?.contains("POST") == true)
        #expect(leave["Access-Control-Allow-Headers"]?.lowercased().contains("x-auth-token") == true)
        let token = try service.exchange(
            "GET /v1/authenticate/abcdefghijklmnopqrstuvwxy?device_id=f0a1b2c3-1111-4222-8333-444455556666 HTTP/1.1\r\n"
                + "Host: api.chirp.test\r\nAccept: application/json, text/javascript, */*; q=0.01\r\n"
                + "Origin: http://shop.example\r\nContent-Type: application/json; charset=utf-8\r\n\r\n")
        #expect(token.status == 200)
        let expiry = try #require(token.json["expires_at"] as? String)
        #expect(expiry > "2026" && expiry.hasSuffix("Z"))
        #expect(token["Access-Control-Allow-Origin"] == "*")
    }

    /// 2016, Java: Apache's client, a key without a meaning, the WAV with the token.
    @Test func `the client in Java gets its token, its code and its WAV`() throws {
        let agent =
            "Connection: Keep-Alive\r\nUser-Agent: Apache-HttpClient/4.5.2 (Java/1.8.0_91)\r\n"
            + "Accept-Encoding: gzip,deflate\r\n\r\n"
        let key = #"{"app_key":"aaa","app_secret":"aaa","device_id":"12345678123456781234567812345678"}"#
        let token = try service.exchange(
            "POST /v1/authenticate HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: \(key.utf8.count)\r\n"
                + "Host: api.chirp.test\r\n\(agent)\(key)")
        let secret = try #require(token.json["access_token"] as? String)
        let request = #"{"data":{"text":"14945ad5-de23-4301-a4b3-a5d4cbe2d936"},"public":true}"#
        let created = try service.exchange(
            "POST /v1/chirps HTTP/1.1\r\nX-Auth-Token: \(secret)\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(request.utf8.count)\r\nHost: api.chirp.test\r\n\(agent)\(request)")
        let code = try #require(created.json["shortcode"] as? String)
        let wave = try service.exchange(
            "GET /v1/chirps/\(code).wav HTTP/1.1\r\nX-Auth-Token: \(secret)\r\nHost: api.chirp.test\r\n\(agent)")
        #expect(wave.body.count == 44 + 2 * 76_910)
    }
}
