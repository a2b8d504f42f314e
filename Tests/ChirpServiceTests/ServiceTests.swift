import Foundation
import Testing

/// Our own part of the interface.
@Suite struct ServiceTests {
    let service: ServiceProcess

    init() throws { service = try ServiceProcess() }

    @Test(arguments: ["/chirp", "/0/chirp", "/chirps", "/v1/chirps"])
    func `a form as curl -F sends it is understood`(path: String) throws {
        let body =
            "--edge\r\nContent-Disposition: form-data; name=\"url\"\r\n\r\nhttps://example.org/a+b\r\n--edge--\r\n"
        let answer = try service.post(path, body, type: "multipart/form-data; boundary=edge")
        #expect((200...201).contains(answer.status))
        let code = try #require(answer.json["shortcode"] as? String)
        #expect(try service.get("/\(code).json").json["url"] as? String == "https://example.org/a+b")
    }

    @Test func `a code of 10, 18 and 20 characters, in any case, leads to the same chirp`() throws {
        let code = try service.share("https://example.org/forms")
        let longcode = try #require(try service.get("/chirps/encode/\(code)").json["longcode"] as? String)
        let forms = [code, longcode, "hj" + longcode, code.uppercased(), "HJ" + longcode.uppercased()]
        let paths = forms.flatMap {
            ["/get/\($0)", "/chirp/\($0)", "/chirps/\($0)", "/v1/chirps/\($0)", "/\($0).json"]
        }
        for path in paths {
            let answer = try service.get(path)
            #expect(answer.status == 200, "\(path)")
            #expect(answer.json["shortcode"] as? String == code)
        }
        let wrongParity = String(longcode.dropLast()) + (longcode.hasSuffix("0") ? "1" : "0")
        #expect(try service.get("/get/\(wrongParity)").status == 400)
    }

    @Test func `the wave file is heard by the decoder and stands for the link`() throws {
        let code = try service.share("https://example.org/heard")
        let wave = try service.get("/\(code).wav")
        #expect(wave.status == 200 && wave["Content-Type"] == "audio/wav")
        let answer = try service.ask("POST", "/decode", ["Content-Type": "audio/wav"], wave.body)
        let chirps = try #require(answer.json["chirps"] as? [[String: Any]])
        #expect(chirps.count == 1)
        #expect(chirps.first?["code"] as? String == code)
        let link = try #require(chirps.first?["link"] as? [String: Any])
        #expect(link["kind"] as? String == "url" && link["url"] as? String == "https://example.org/heard")
        let keys = try #require(chirps.first?.keys)
        #expect(
            Set(keys) == [
                "channel", "start", "duration", "code", "longcode", "snr_db", "corrected", "confidence",
                "tuning_cents", "speed", "format", "repeats", "channels", "link",
            ])
    }

    @Test(arguments: [
        ("", false), ("*/*", false), ("text/html", false), ("application/json", true),
        ("text/html, application/json", false), ("application/json, text/html", true),
        ("text/html;q=0.5, application/json;q=0.9", true), ("application/json; Q=0.1, Text/HTML", false),
        ("application/json;q=0, */*", false),
    ])
    func `a code is shown as what is most wanted`(accept: String, isJSON: Bool) throws {
        let code = try service.share("https://example.org/wanted")
        let answer = try service.get("/\(code)", accept.isEmpty ? [:] : ["Accept": accept])
        #expect(answer.status == 200)
        #expect(answer["Content-Type"]?.hasPrefix(isJSON ? "application/json" : "text/html") == true)
    }

    @Test func `a code that nobody shared has a sound, and no link`() throws {
        let wave = try service.get("/gsm2h88c7u.wav")
        let answer = try service.ask("POST", "/decode", [:], wave.body)
        let chirp = try #require((answer.json["chirps"] as? [[String: Any]])?.first)
        #expect(chirp["code"] as? String == "gsm2h88c7u" && chirp["link"] is NSNull)
        #expect(try service.get("/gsm2h88c7u").status == 404)
        #expect(try service.get("/gsm2h88c7u.json").status == 404)
    }

    @Test(arguments: [("original", "hj"), ("telephone", "jh"), ("ultrasonic", "63"), ("fast", "ob")])
    func `a code has a sound and a picture in each format, and the sound is heard`(format: String, startCode: String)
        throws
    {
        let wave = try service.get("/gsm2h88c7u.wav?format=\(format)")
        let names = [format, format.uppercased(), "all", "fast,\(format)"]
        for query in [""] + names.map({ "?format=\($0)" }) {
            let answer = try service.ask("POST", "/decode\(query)", [:], wave.body)
            let chirps = try #require(answer.json["chirps"] as? [[String: Any]])
            #expect(chirps.map { $0["code"] as? String } == ["gsm2h88c7u"], "\(query)")
            #expect(chirps.map { $0["format"] as? String } == [format], "\(query)")
        }
        let svg = try service.get("/gsm2h88c7u.svg?format=\(format)")
        let letters = svg.text.matches(of: /<text[^>]*>(.)</).map { String($0.output.1) }.joined()
        #expect(letters == startCode + "gsm2h88c7udtnef4ok")
        for kind in ["wav", "svg", "png"] {
            let (own, original) = (
                try service.get("/gsm2h88c7u.\(kind)?format=\(format)"), try service.get("/gsm2h88c7u.\(kind)")
            )
            #expect((own["ETag"] == original["ETag"]) == (format == "original"), "\(kind)")
            #expect((own.body == original.body) == (format == "original"), "\(kind)")
        }
    }

    @Test func `a format that does not exist, and one that the rate has no room for, are refused by name`() throws {
        var wave = try service.get("/gsm2h88c7u.wav").body
        for (method, path) in [
            ("GET", "/gsm2h88c7u.wav?format=loud"), ("GET", "/gsm2h88c7u.svg?format=loud"),
            ("GET", "/gsm2h88c7u.png?format=fast,original"), ("POST", "/decode?format=fast,loud"),
            ("POST", "/decode?format=fast,"),
        ] {
            let answer = try service.ask(method, path, [:], method == "POST" ? wave : nil)
            let message = (answer.json["error"] as? [String: Any])?["msg"] as? String
            #expect(answer.status == 400, "\(path)")
            #expect(message?.contains("original, telephone, ultrasonic, fast") == true, "\(path)")
        }
        // The header's rate: 22,050 instead of 44,100 samples a second.
        (wave[24], wave[25]) = (0x22, 0x56)
        let refused = try service.ask("POST", "/decode?format=ultrasonic", [:], wave)
        let message = (refused.json["error"] as? [String: Any])?["msg"] as? String
        #expect(refused.status == 422 && message?.contains("no room for ultrasonic") == true)
        #expect(try service.ask("POST", "/decode?format=ultrasonic,original", [:], wave).status == 200)
    }

    @Test func `the head of an error is that of its page where a page is asked for`() throws {
        for accept in ["text/html", "application/json"] {
            let answers = try ["GET", "HEAD"].map { try service.ask($0, "/0123456789", ["Accept": accept], nil) }
            #expect(answers.allSatisfy { $0["Content-Type"]?.hasPrefix(accept) == true && $0.status == 404 })
        }
    }

    @Test func `what is no sound is reported from one, and silence has no chirps`() throws {
        #expect(try service.ask("POST", "/decode", [:], Sample.png).status == 415)
        #expect(try service.ask("POST", "/decode", [:], []).status == 400)
        var wave = try service.get("/gsm2h88c7u.wav").body
        for index in 44..<wave.count { wave[index] = 0 }
        #expect(try service.ask("POST", "/decode", [:], wave).text == #"{"chirps":[]}"# + "\n")
        #expect(try spooled() == [])
    }

    private func spooled() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: service.folder.path).filter { $0.hasPrefix("chirp-") }
    }

    @Test func `pictures of a chirp are what they say`() throws {
        let png = try service.get("/gsm2h88c7u.png")
        #expect(png["Content-Type"] == "image/png" && png.body.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        let svg = try service.get("/gsm2h88c7udtnef4ok.svg")
        #expect(svg["Content-Type"] == "image/svg+xml" && svg.text.contains("<svg"))
        #expect(svg.text.matches(of: /<text[^>]*>(.)</).map { String($0.output.1) }.joined() == "hjgsm2h88c7udtnef4ok")
    }

    @Test(arguments: ["application/json", "application/json, text/plain, */*"])
    func `who asks for JSON gets the data of a code where its page is`(accept: String) throws {
        let code = try service.share("https://example.org/json")
        let answer = try service.get("/\(code)", ["Accept": accept])
        #expect(answer["Content-Type"] == "application/json")
        #expect(answer.json["url"] as? String == "https://example.org/json")
        #expect(answer["Vary"] == "Accept")
        let page = try service.get("/\(code)", ["Accept": "text/html,application/json;q=0.9,*/*;q=0.8"])
        #expect(page["Content-Type"] == "text/html; charset=utf-8" && page["Vary"] == "Accept")
    }

    @Test func `every error is an object with code and message, and the right status`() throws {
        let cases: [(String, String, String?, Int)] = [
            ("GET", "/get/gsm2h88c7u", nil, 404), ("GET", "/get/xyz", nil, 400), ("GET", "/nothing/here", nil, 404),
            ("PUT", "/chirp", "{}", 405), ("POST", "/chirp", "{", 400), ("POST", "/chirp", "", 400),
            ("POST", "/chirp", "{}", 400), ("POST", "/chirp", #"{"url":"javascript:alert(1)"}"#, 400),
            ("POST", "/chirp", #"{"url":17}"#, 400), ("POST", "/chirps", "[]", 400),
            ("POST", "/chirp", #"{"body":"\#(String(repeating: "x", count: 1_001))"}"#, 413),
            ("POST", "/file", "nothing", 400), ("GET", "/chirps/decode/0123456789abcdefgh", nil, 422),
            ("GET", "/chirps/decode/0", nil, 400), ("DELETE", "/registry/links/gsm2h88c7u", nil, 403),
            ("GET", "/registry/links", nil, 403), ("GET", "/gsm2h88c7u/albums/1", nil, 404),
        ]
        for (method, path, body, status) in cases {
            let bytes = body.map { Array($0.utf8) }
            let answer = try service.ask(method, path, ["Content-Type": "application/json"], bytes)
            #expect(answer.status == status, "\(method) \(path) \(body ?? "")")
            let error = answer.json["error"] as? [String: Any]
            #expect(error?["code"] as? Int == status && error?["msg"] is String, "\(method) \(path)")
        }
        let refused = try service.ask("PUT", "/chirp", [:], [])
        #expect(refused["Allow"] == "POST, OPTIONS")
    }

    @Test func `the state of the registry is reported`() throws {
        let answer = try service.get("/healthz")
        #expect(answer.status == 200 && answer.json["status"] as? String == "ok")
        let registry = try #require(answer.json["registry"] as? [String: Any])
        #expect(registry["state"] as? String == "ok" && registry["store"] as? String == "sqlite")
    }

    @Test func `a registry that is unreachable is reported, and the service goes on`() throws {
        let away = try ServiceProcess(registry: "postgresql://chirp@127.0.0.1:1/chirp")
        let health = try away.get("/healthz")
        #expect(health.status == 503)
        #expect((health.json["registry"] as? [String: Any])?["state"] as? String == "store_unreachable")
        #expect(health.text.contains("127.0.0.1:1") == false)
        #expect(try away.get("/gsm2h88c7u.json").status == 503)
        let wave = try away.get("/gsm2h88c7u.wav")
        let answer = try away.ask("POST", "/decode", [:], wave.body)
        #expect((answer.json["chirps"] as? [[String: Any]])?.first?["code"] as? String == "gsm2h88c7u")
    }

    @Test func `what never changes is sent once`() throws {
        for path in ["/gsm2h88c7u.wav", "/gsm2h88c7u.png", "/gsm2h88c7u.svg", "/assets/chirp.css"] {
            let tag = try #require(try service.get(path)["ETag"])
            let again = try service.get(path, ["If-None-Match": "W/\"other\", \(tag)"])
            #expect(again.status == 304 && again.body.isEmpty, "\(path)")
        }
    }

    @Test func `HEAD is answered as GET, without the body`() throws {
        let code = try service.share("https://example.org/head")
        for path in ["/", "/\(code)", "/\(code).json", "/\(code).wav", "/healthz"] {
            let (get, head) = (try service.get(path), try service.ask("HEAD", path))
            #expect(head.status == 200 && head["Content-Length"] == get["Content-Length"], "\(path)")
        }
        // After the head of a refusal comes the next answer.
        let connection = try Connection(port: service.port)
        try connection.send("HEAD /0000000000 HTTP/1.1\r\nHost: x\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try connection.answer(toHead: true)?.status == 404)
        #expect(try connection.answer()?.status == 200)
    }

    @Test func `the code that a person types leads to its page`() throws {
        let answer = try service.get("/?code=https%3A%2F%2Fexample.org%2FGSM2H88C7U")
        #expect(answer.status == 303 && answer["Location"] == "/gsm2h88c7u")
        #expect(try service.get("/?code=nonsense", ["Accept": "text/html"]).status == 400)
    }
}
