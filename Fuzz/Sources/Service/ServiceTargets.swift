internal import Chirp
internal import ChirpLinks
internal import Foundation
internal import FuzzSupport
internal import HTTPTypes
internal import NIOCore

@testable internal import ChirpService

extension FuzzTarget {
    /// A request in its textual form, `GET /gsm2h88c7u` with header fields in lines of their own and a body after an empty one, to
    /// the service's routes.
    static let routes = FuzzTarget("routes") { source in
        var lines = source.rest.split(separator: 10, omittingEmptySubsequences: false)[...]
        let first = String(decoding: lines.popFirst() ?? [], as: UTF8.self).split(separator: " ", maxSplits: 1)
        guard first.count == 2, let method = HTTPRequest.Method(String(first[0])) else { return }
        var fields = HTTPFields()
        var host: String?
        while let line = lines.popFirst(), !line.isEmpty {
            let parts = String(decoding: line, as: UTF8.self).split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let name = HTTPField.Name(String(parts[0])) else { continue }
            let value = String(parts[1].drop { $0 == " " })
            if name.canonicalName == "host" { host = value } else { fields.append(HTTPField(name: name, value: value)) }
        }
        let request = HTTPRequest(
            method: method, scheme: "http", authority: host, path: String(first[1]), headerFields: fields)
        let body = Array(lines.joined(separator: [10]))
        let isChanging = method != .get && method != .head
        waiting {
            let answer = await FuzzedService.ask(request, body: body)
            guard !isChanging else { return }
            // What is asked for once more is the same, and its head has the same length.
            var other = request
            other.method = .head
            let head = await FuzzedService.ask(other)
            guard method == .get else { return }
            // A part is asked for by GET alone (RFC 9110, section 14.2).
            let isPart = answer.status == 206 || answer.status == 416
            require(
                head.status == (isPart ? 200 : answer.status), "\(request) is \(answer.status) and \(head.status)")
            let type = answer.headers[.contentType]
            require(head.headers[.contentType] == type || answer.status >= 400, "\(request) is of one type")
        }
    }

    /// JSON, forms and parts of any content to what takes them; what is taken can be looked up, as data and as a page.
    static let bodies = FuzzTarget("bodies") { source in
        var source = source
        let path = source.choice([
            "/chirp", "/chirps", "/file", "/registry/links", "/registry/entries", "/authenticate",
        ])
        let type = source.choice([
            "application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=edge", "text/plain",
            "image/png",
        ])
        let body = Array(source.rest)
        var request = HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: path)
        request.headerFields[.contentType] = type
        request.headerFields[.authorization] = "Bearer \(FuzzedService.key)"
        waiting { [request] in
            let answer = await FuzzedService.ask(request, body: body)
            guard answer.status < 300, let code = answer.shortcode else { return }
            var page = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/\(code)")
            for type in ["application/json", "text/html"] {
                page.headerFields[.accept] = type
                let found = await FuzzedService.ask(page)
                require(found.status == 200, "\(code) is found as \(type) after \(path)")
                require(found.headers[.contentType]?.hasPrefix(type) ?? false, "\(code) is of type \(type)")
            }
        }
    }
}

extension FuzzedService.Answer {
    /// The code in it.
    var shortcode: String? {
        guard let object = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] else { return nil }
        return object["shortcode"] as? String ?? (object["link"] as? [String: Any])?["code"] as? String
            ?? (object["record"] as? [String: Any])?["code"] as? String
    }
}
