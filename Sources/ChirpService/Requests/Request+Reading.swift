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

    /// The body as JSON of a type.
    func json<T: Decodable>(_ type: T.Type, upTo limit: Int) async throws -> T {
        let buffer = try await bytes(upTo: limit)
        return try JSONDecoder().decode(type, from: Data(buffer.readableBytesView))
    }

    /// What is most wanted of the types that a code is shown in, if any is named in `Accept`: by weight (RFC 9110, 12.4.2),
    /// of equal ones the first. Ranges such as `*/*` name neither.
    var preferredType: String? {
        var preferred: (type: String, weight: Double)?
        for element in headers[values: .accept].joined(separator: ",").lowercased().split(separator: ",") {
            let parts = element.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            guard let type = parts.first, ["text/html", "application/json"].contains(type) else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            if weight > preferred?.weight ?? 0 { preferred = (type, weight) }
        }
        return preferred?.type
    }

    /// Whether a person's browser asks.
    var prefersHTML: Bool { preferredType == "text/html" }

    /// A parameter of the query, decoded; nil when it is absent or empty.
    func query(_ name: String) -> String? {
        guard let query = uri.query else { return nil }
        return FormFields(query)[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The token of `Authorization: Bearer TOKEN`.
    var bearerToken: String? {
        guard let value = headers[.authorization], value.lowercased().hasPrefix("bearer ") else { return nil }
        return value.dropFirst(7).trimmingCharacters(in: .whitespaces)
    }
}
