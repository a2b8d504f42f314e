internal import Foundation

/// The file of a `multipart/form-data` body (RFC 7578).
struct MultipartFile: Equatable {
    /// As the client named it; empty when it did not.
    let name: String
    let bytes: [UInt8]

    /// The first part that is a file, or nil when there is none.
    ///
    /// - Parameters:
    ///   - contentType: the request's own. One without a boundary is as the original's Python client sent it, which put
    ///     the file's type there: the boundary is then told from the body's first line.
    init?(body: [UInt8], contentType: String?) {
        guard let boundary = Self.boundary(contentType) ?? Self.boundary(openingOf: body) else { return nil }
        let delimiter = Data("--\(boundary)".utf8)
        let data = Data(body)
        var parts: [Range<Int>] = []
        var start: Int?
        var position = 0
        while let found = data.range(of: delimiter, in: position..<data.count) {
            let opensLine = found.lowerBound == 0 || data[found.lowerBound - 1] == UInt8(ascii: "\n")
            position = found.upperBound
            guard opensLine else { continue }
            if let start { parts.append(start..<found.lowerBound) }
            start = found.upperBound
            if data[found.upperBound...].starts(with: Data("--".utf8)) { break }
        }
        for part in parts {
            guard let file = Self.file(in: data, part: part) else { continue }
            self = file
            return
        }
        return nil
    }

    private init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    private static func file(in data: Data, part: Range<Int>) -> MultipartFile? {
        let gap = Data("\r\n\r\n".utf8)
        guard let end = data.range(of: gap, in: part) else { return nil }
        let headers = String(decoding: data[part.lowerBound..<end.lowerBound], as: UTF8.self)
        let disposition = headers.split(whereSeparator: \.isNewline)
            .first { $0.lowercased().hasPrefix("content-disposition:") }
        guard let disposition, let name = parameter("filename", of: String(disposition)) else { return nil }
        var content = end.upperBound..<part.upperBound
        if content.count >= 2, data[content.upperBound - 2] == UInt8(ascii: "\r") {
            content = content.lowerBound..<content.upperBound - 2
        }
        return MultipartFile(name: name, bytes: Array(data[content]))
    }

    private static func boundary(_ contentType: String?) -> String? {
        guard let contentType, contentType.lowercased().hasPrefix("multipart/form-data") else { return nil }
        return parameter("boundary", of: contentType).flatMap { $0.isEmpty || $0.utf8.count > 70 ? nil : $0 }
    }

    private static func boundary(openingOf body: [UInt8]) -> String? {
        guard body.starts(with: Array("--".utf8)), let end = body.firstIndex(of: UInt8(ascii: "\r")) else { return nil }
        let boundary = body[2..<end]
        return (1...70).contains(boundary.count) && boundary.allSatisfy { $0 > 0x20 && $0 < 0x7F }
            ? String(decoding: boundary, as: UTF8.self) : nil
    }

    /// A parameter of a header field, `name=value` or `name="value"` with backslashes before quotes.
    private static func parameter(_ name: String, of field: String) -> String? {
        var rest = field[...]
        while let separator = rest.firstIndex(of: ";") {
            rest = rest[rest.index(after: separator)...].drop { $0 == " " || $0 == "\t" }
            guard let equals = rest.firstIndex(of: "=") else { return nil }
            let isAskedFor = rest[..<equals].lowercased() == name
            rest = rest[rest.index(after: equals)...]
            var value = ""
            if rest.first == "\"" {
                rest.removeFirst()
                while let character = rest.popFirst(), character != "\"" {
                    let isEscaped = character == "\\" && rest.first.map { $0 == "\"" || $0 == "\\" } ?? false
                    value.append(isEscaped ? rest.removeFirst() : character)
                }
            } else {
                value = String(rest.prefix { $0 != ";" })
                rest = rest.dropFirst(value.count)
            }
            if isAskedFor { return value }
        }
        return nil
    }
}
