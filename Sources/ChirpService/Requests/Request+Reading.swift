internal import Chirp
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

extension Request {
    /// The whole body.
    ///
    /// - Throws: ``ServiceError`` 413 when it is longer than `limit` bytes, before any of it is read where the request
    ///   says so itself.
    func bytes(upTo limit: Int) async throws -> ByteBuffer {
        if let length = headers[.contentLength].flatMap({ Int($0) }), length > limit {
            throw ServiceError.tooLarge(limit)
        }
        do {
            return try await body.collect(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw ServiceError.tooLarge(limit)
        }
    }

    /// The body as JSON of a type, of as many values as one link is made of.
    func json<T: Decodable>(_ type: T.Type, upTo limit: Int) async throws -> T {
        try JSONBody.decode(type, try await bytes(upTo: limit).readableBytesView)
    }

    /// The type of those that a code is shown in which the client prefers, by the weights in `Accept` (RFC 9110, section
    /// 12.5.1); nil when `Accept` prefers neither.
    var preferredType: String? {
        AcceptHeader(headers[values: .accept]).preferred(of: ["text/html", "application/json"])
    }

    /// Whether it reads, and changes nothing.
    var isReading: Bool { [.get, .head, .options].contains(method) }

    /// Whether a person's browser asks.
    var prefersHTML: Bool { preferredType == "text/html" }

    /// A parameter of the query, decoded; nil when it is absent or empty.
    func query(_ name: String) -> String? {
        guard let query = uri.query else { return nil }
        return FormFields(query)[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The formats that `format` names, or nil for no name.
    ///
    /// - Throws: ``ServiceError`` 400 for a name that is not one of a format.
    func formats() throws -> [WireFormat]? { try query("format").map(WireFormat.formats(named:)) }

    /// The one format that `format` names: original without a name.
    ///
    /// - Throws: ``ServiceError`` 400 for a name that is not one of a format.
    func format() throws -> WireFormat { try query("format").map(WireFormat.format(named:)) ?? .original }

    /// The token of `Authorization: Bearer TOKEN`.
    var bearerToken: String? {
        guard let value = headers[.authorization], value.lowercased().hasPrefix("bearer ") else { return nil }
        return value.dropFirst(7).trimmingCharacters(in: .whitespaces)
    }
}
