internal import ChirpReport
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

extension Response {
    /// JSON that is not cached.
    static func json(
        _ value: JSONValue, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
    ) -> Response {
        text(value.text + "\n", type: "application/json", status: status, headers: headers)
    }

    static func html(_ page: String, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) -> Response {
        text(page, type: "text/html; charset=utf-8", status: status, headers: headers)
    }

    static func text(
        _ text: String, type: String, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
    ) -> Response {
        var headers = headers
        headers[.contentType] = type
        if headers[.cacheControl] == nil { headers[.cacheControl] = "no-cache" }
        return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(string: text)))
    }

    /// A body that never changes at its address, or 304 for a client that has it.
    ///
    /// - Parameter tag: the entity tag, without quotes.
    static func cacheable(_ body: ByteBuffer, type: String, tag: String, request: Request, public: Bool = true)
        throws(ServiceError) -> Response
    {
        let tag = "\"\(tag)\""
        var headers: HTTPFields = [
            .cacheControl: `public` ? "public, max-age=31536000, immutable" : "no-cache", .eTag: tag,
        ]
        let known = request.headers[.ifNoneMatch] ?? ""
        if known.split(separator: ",").contains(where: { $0.drop { " W/".contains($0) } == tag }) {
            return Response(status: .notModified, headers: headers)
        }
        headers[.acceptRanges] = "bytes"
        let length = body.readableBytes
        // A client that has another version's beginning gets all of this one.
        let isAskedForPart = request.method == .get && [nil, tag].contains(request.headers[.ifRange])
        let range = isAskedForPart ? request.headers[.range] : nil
        switch range.flatMap({ ByteRange($0, length: length) }) {
        case .unsatisfiable:
            throw ServiceError(
                .rangeNotSatisfiable, "There are only \(length) bytes.",
                headers: [.contentRange: "bytes */\(length)", .cacheControl: "no-store"])
        case .part(let part):
            headers[.contentType] = type
            headers[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(length)"
            let bytes = body.getSlice(at: body.readerIndex + part.lowerBound, length: part.count) ?? ByteBuffer()
            return Response(status: .partialContent, headers: headers, body: .init(byteBuffer: bytes))
        case nil:
            headers[.contentType] = type
            return Response(status: .ok, headers: headers, body: .init(byteBuffer: body))
        }
    }
}
