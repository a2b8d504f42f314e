internal import Foundation
internal import FuzzSupport

@testable internal import ChirpService

extension FuzzTarget {
    /// Bodies and queries as forms, multipart bodies with any content type, and `Accept`.
    static let requests = FuzzTarget("requests") { source in
        var source = source
        let header = source.text()
        let body = Array(source.rest)
        _ = FormFields(body: body, contentType: header)["url"]
        let text = source.wholeText
        let fields = FormFields(text)
        _ = fields["url"]
        // What a browser's form writes is read as it was meant.
        let escaped = text.utf8.map { String(format: "%%%02x", $0) }.joined()
        require(FormFields("a=\(escaped)&a=b")["a"] == text, "“\(escaped)” is “\(text)”")

        if let form = MultipartForm(body: body, contentType: header) {
            let length = form.parts.reduce(0) { $0 + $1.bytes.count }
            require(length <= body.count, "the parts are of the body: \(length) of \(body.count) bytes")
        }
        checkPart(body)

        let accept = AcceptHeader([header, text])
        let types = ["text/html", "application/json"]
        if let type = accept.preferred(of: types) { require(types.contains(type), "“\(type)” is one of \(types)") }
    }

    /// A part with any bytes that do not have the boundary in them comes back as it is.
    private static func checkPart(_ body: [UInt8]) {
        let boundary = "f5cKBwzDEMXwWqkD"
        guard Data(body).range(of: Data(boundary.utf8)) == nil else { return }
        let opening = "--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\\\"b\"\r\n\r\n"
        let whole = Array(opening.utf8) + body + Array("\r\n--\(boundary)--\r\n".utf8)
        for type in ["multipart/form-data; boundary=\(boundary)", "image/png"] {
            let parts = MultipartForm(body: whole, contentType: type)?.parts
            require(
                parts == [MultipartForm.Part(name: "file", fileName: "a\"b", bytes: body)],
                "the part is the body of \(body.count) bytes")
        }
    }
}
