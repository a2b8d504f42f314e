import Foundation
import Testing

/// Titles, names, texts and files that were made to do harm.
@Suite struct HostileContentTests {
    let service: ServiceProcess

    init() throws { service = try ServiceProcess() }

    static let texts = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)",
        // A quotation mark with an accent over it is one character to people, and still ends an attribute.
        "\"\u{301}><img src=x onerror=alert(1)>", "<\u{338}script>", "{{#url}}{{{host}}}{{/url}}", "{{title}}",
        "</title><script>alert(1)</script>", "\u{202E}txt.exe", "a\u{0}b".replacingOccurrences(of: "\0", with: "\u{1}"),
        "]]><script>", "<!--", "&lt;script&gt;", "a\u{2028}b\u{2029}c", "\u{FEFF}<svg/onload=alert(1)>",
    ]

    private func json(_ object: [String: Any]) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
    }

    /// What of a page is mark-up: its tags with their attributes.
    private func tags(_ page: String) -> [String] {
        page.matches(of: /<[a-zA-Z!\/][^>]*>/).map { String($0.output) }
    }

    private func page(of body: [String: Any]) throws -> String {
        let answer = try service.post("/chirp", try json(body))
        let code = try #require(answer.json["shortcode"] as? String, "\(answer.text)")
        let page = try service.get("/\(code)", ["Accept": "text/html"])
        #expect(page.status == 200)
        return page.text.replacingOccurrences(of: code, with: "CODE").replacing(/[0-9a-v]{18}/, with: "LONG")
    }

    @Test(arguments: texts) func `a title, a note and a name stay text`(text: String) throws {
        let plainTitle = try page(of: ["url": "https://example.org/\(UUID())", "title": "plain"])
        let hostileTitle = try page(of: ["url": "https://example.org/\(UUID())", "title": text])
        let withoutAddress = { (page: String) in
            self.tags(page).map { $0.replacing(/example\.org\/[-0-9A-F]+/, with: "example.org") }
        }
        #expect(withoutAddress(hostileTitle) == withoutAddress(plainTitle))
        let (plainNote, hostileNote) = (try page(of: ["body": "plain"]), try page(of: ["body": text]))
        #expect(tags(hostileNote) == tags(plainNote))
        #expect(hostileNote.unicodeScalars.contains("\"\u{301}".unicodeScalars) == false)
        let answer = try service.post("/chirps", try json(["data": [text: [text]]]))
        let code = try #require(answer.json["shortcode"] as? String)
        let data = try service.get("/\(code)", ["Accept": "text/html"]).text
        #expect(tags(data).filter { $0.lowercased().contains("script") }.count == 2)
    }

    @Test(arguments: texts) func `the name of a file stays a name`(text: String) throws {
        let quoted = text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
        let body = Sample.multipart(Sample.png + Array(UUID().uuidString.utf8), name: quoted)
        let answer = try service.ask("POST", "/file", ["Content-Type": "multipart/form-data; boundary=edge"], body)
        let code = try #require(answer.json["shortcode"] as? String, "\(answer.text)")
        let page = try service.get("/\(code)", ["Accept": "text/html"]).text
        let broken = tags(page).filter { $0.hasPrefix("<img") && $0.contains("onerror=") && !$0.contains("&lt;") }
        #expect(broken == [])
        #expect(tags(page).filter { $0.hasPrefix("<script") }.count == 1)
        let content = try service.get("/\(code)/content")
        #expect(content["Content-Type"] == "image/png")
        let disposition = try #require(content["Content-Disposition"])
        #expect(disposition.wholeMatch(of: /inline; filename\*=UTF-8''[A-Za-z0-9%]+/) != nil)
    }

    @Test func `the type of a file is reported from its bytes, and none that a browser could run is taken`() throws {
        for (bytes, name) in [(Sample.html, "a.png"), (Sample.svg, "a.svg"), (Array("GIF".utf8), "a.gif")] {
            let body = Sample.multipart(bytes, name: name)
            let answer = try service.ask("POST", "/file", ["Content-Type": "multipart/form-data; boundary=edge"], body)
            #expect(answer.status == 415, "\(name)")
        }
        let body = Sample.multipart(Sample.pdf, name: "x.html\r\nX-Evil: 1")
        let answer = try service.ask("POST", "/file", ["Content-Type": "multipart/form-data; boundary=edge"], body)
        let code = try #require(answer.json["shortcode"] as? String)
        let content = try service.get("/\(code)/content")
        #expect(content["Content-Type"] == "application/pdf")
        #expect(content["Content-Disposition"]?.hasPrefix("attachment;") == true)
        #expect(content["Content-Security-Policy"] == "default-src 'none'; sandbox")
        #expect(content["X-Content-Type-Options"] == "nosniff" && content["X-Evil"] == nil)
    }

    @Test(arguments: ["/", "/healthz", "/gsm2h88c7u", "/gsm2h88c7u.svg", "/nothing/here", "/assets/home.js"])
    func `every answer carries what keeps browsers safe`(path: String) throws {
        for accept in ["text/html", "*/*"] {
            let answer = try service.get(path, ["Accept": accept])
            let policy = try #require(answer["Content-Security-Policy"])
            let isPage = answer["Content-Type"]?.hasPrefix("text/html") == true
            #expect(policy.contains("default-src 'none';") && policy.contains("frame-ancestors 'none'"))
            let isScript = answer["Content-Type"]?.hasPrefix("text/javascript") == true
            #expect(policy.contains("script-src 'self' 'wasm-unsafe-eval';") == (isPage || isScript))
            #expect(!policy.replacingOccurrences(of: "'wasm-unsafe-eval'", with: "").contains("unsafe"))
            #expect(answer["X-Content-Type-Options"] == "nosniff")
            #expect(answer["Referrer-Policy"] == "no-referrer")
            #expect(answer["X-Frame-Options"] == "DENY")
        }
    }

    @Test func `no page has a script or a style within it`() throws {
        let code = try service.share("https://example.org/inline")
        for path in ["/", "/\(code)", "/0123456789"] {
            let page = try service.get(path, ["Accept": "text/html"]).text
            let found = tags(page)
            #expect(found.contains { $0.hasPrefix("<html") })
            #expect(!found.contains { $0.contains(" style=") || $0.contains(#/\son[a-z]+=/#) })
            #expect(!found.contains { $0.hasPrefix("<style") })
            #expect(found.filter { $0.hasPrefix("<script") }.allSatisfy { $0.contains("src=\"/assets/") })
        }
    }

    @Test(arguments: [
        "/..%2f..%2fetc%2fpasswd", "/assets/..%2f..%2fetc%2fpasswd", "/assets/../../etc/passwd", "/%00", "/%ff%fe",
        "/get/%00", "/chirps/%F0%9F%90%A6.wav", "/get/gsm2h88c7u%0d%0aX-Evil:%201", "/gsm2h88c7u.png.svg",
        "/?code=%00%ff", "/registry/links?limit=99999999999999999999", "//evil.example/", "/gsm2h88c7u?years=abc",
    ])
    func `odd addresses are refused and nothing more`(path: String) throws {
        for accept in ["text/html", "application/json"] {
            let answer = try service.get(path, ["Accept": accept])
            #expect(
                (400...404).contains(answer.status) || answer.status == 200 && path.hasPrefix("//"), "\(answer.status)")
            #expect(answer["X-Evil"] == nil)
        }
    }

    @Test func `a link is shown with its host and opened by nobody but the person`() throws {
        let page = try page(of: ["url": "https://user-content.example:8443/a?b=<c>", "title": "paypal.com"])
        #expect(page.contains("Open user-content.example"))
        #expect(page.contains(#"rel="noopener noreferrer nofollow ugc""#))
        #expect(!page.lowercased().contains("http-equiv"))
        let refused = try service.post("/chirp", #"{"url":"https://bank.example@evil.example/"}"#)
        #expect(refused.status == 400)
    }
}
