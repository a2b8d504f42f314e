internal import Foundation

/// The parts of a `multipart/form-data` body (RFC 7578), as `curl -F` and browsers send it.
struct MultipartForm: Equatable {
    struct Part: Equatable {
        /// Name of the field; empty when the client gave none.
        let name: String
        /// Name of the file; nil for a part that is not a file.
        let fileName: String?
        let bytes: [UInt8]
    }

    let parts: [Part]

    /// The first part that is a file.
    var file: Part? { parts.first { $0.fileName != nil } }

    /// The fields that are not files, as text.
    var fields: FormFields {
        FormFields(
            parts.filter { $0.fileName == nil }.map {
                (name: $0.name, value: String(decoding: $0.bytes, as: UTF8.self))
            })
    }

    /// The parts of a body, or nil when it is not a multipart body.
    ///
    /// - Parameters:
    ///   - contentType: the request's own. The original service's Python client sent the file's type there, without a
    ///     boundary: the boundary is then taken from the first line of the body.
    init?(body: [UInt8], contentType: String?) {
        guard let boundary = Self.boundary(contentType) ?? Self.boundary(openingOf: body) else { return nil }
        let delimiter = Array("--\(boundary)".utf8)
        var ranges: [Range<Int>] = []
        var start: Int?
        var line = 0
        while ranges.count < Self.partLimit {
            if body[line...].starts(with: delimiter), Self.endsDelimiter(body[(line + delimiter.count)...]) {
                if let start { ranges.append(start..<line) }
                let end = line + delimiter.count
                start = end
                if body[end...].starts(with: Array("--".utf8)) { break }
            }
            guard let newline = body[line...].firstIndex(of: UInt8(ascii: "\n")) else { break }
            line = newline + 1
        }
        let data = Data(body)
        parts = ranges.compactMap { Self.part(of: data, in: $0) }
    }

    /// Whether this is what may follow a delimiter (RFC 2046, section 5.1.1): a longer word that begins as it does is text.
    private static func endsDelimiter(_ rest: ArraySlice<UInt8>) -> Bool {
        if rest.starts(with: Array("--".utf8)) { return true }
        let end = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.first
        return end == nil || end == UInt8(ascii: "\r") || end == UInt8(ascii: "\n")
    }

    /// What follows the first of so many parts is not read: a body of 10 MB has room for a million, which took a minute.
    private static let partLimit = 100
    /// Bytes of a part's header fields.
    private static let headerLimit = 8_192

    private static func part(of data: Data, in range: Range<Int>) -> Part? {
        let gap = Data("\r\n\r\n".utf8)
        let opening = range.lowerBound..<min(range.upperBound, range.lowerBound + headerLimit)
        guard let end = data.range(of: gap, in: opening) else { return nil }
        let headers = String(decoding: data[range.lowerBound..<end.lowerBound], as: UTF8.self)
        let disposition = headers.split(whereSeparator: \.isNewline)
            .first { $0.lowercased().hasPrefix("content-disposition:") }
        guard let disposition = disposition.map(String.init) else { return nil }
        var content = end.upperBound..<range.upperBound
        if content.count >= 2, data[content.upperBound - 2] == UInt8(ascii: "\r") {
            content = content.lowerBound..<content.upperBound - 2
        }
        return Part(
            name: parameter("name", of: disposition) ?? "", fileName: parameter("filename", of: disposition),
            bytes: Array(data[content]))
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
