internal import Chirp
internal import ChirpLinks
internal import ChirpReport
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// The registry for other machines, as ``ChirpLinks/RegistryAPI`` describes it.
struct RegistryRoutes: Sendable {
    let registry: any Registry
    let key: String?
    let limits: ServiceLimits

    var routes: [Route] {
        [
            Route(.get, "/registry", state), Route(.post, "/registry/links", register),
            Route(.get, "/registry/links", list), Route(.get, "/registry/links/{code}", read),
            Route(.delete, "/registry/links/{code}", delete),
            Route(.get, "/registry/links/{code}/content", content),
            Route(.get, "/registry/entries", export), Route(.post, "/registry/entries", add),
            Route(.delete, "/registry/expired", removeExpired),
        ]
    }

    private func state(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try .encoding(await registry.check())
    }

    private func register(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let draft = try await request.json(RegisterRequest.self, upTo: limits.registryLinkBytes).draft()
        let registration = try await registry.register(draft)
        return try .encoding(RegisterAnswer(registration), status: registration.isNew ? .created : .ok)
    }

    private func read(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let code = try context.code().shortcode
        guard let record = try await registry.record(of: code) else { throw ServiceError.unknown(code) }
        return try .encoding(record)
    }

    private func content(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let code = try context.code().shortcode
        guard let bytes = try await registry.content(of: code) else { throw ServiceError.unknown(code) }
        return Response(
            status: .ok,
            headers: [
                .contentType: "application/octet-stream", .contentDisposition: "attachment", .cacheControl: "no-cache",
            ], body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    private func delete(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let code = try context.code().shortcode
        guard let token = request.bearerToken.flatMap(DeletionToken.init) else {
            throw ServiceError(
                .forbidden, "Deleting requires the deletion token of the code.", reason: .wrongToken, code: code)
        }
        guard try await registry.delete(code, token: token) else { throw ServiceError.unknown(code) }
        return Response(status: .noContent)
    }

    private func list(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try checkKey(request)
        var query = LinkQuery(search: request.query("search"))
        if let text = request.query("kind") {
            guard let kind = LinkKind(rawValue: text) else {
                throw ServiceError(.badRequest, "“\(text)” is not a kind of link.")
            }
            query.kind = kind
        }
        if let limit = try number("limit", request, upTo: 1_000) { query.limit = limit }
        if let created = request.query("created"), let code = request.query("code") {
            guard let instant = Timestamp(created), let code = try? Shortcode(parsing: code) else {
                throw ServiceError(.badRequest, "“created” and “code” do not name a place in the list.")
            }
            query.after = .init(created: instant, code: code)
        }
        return try .encoding(RegistryAPI.LinksBody(links: await registry.list(query)))
    }

    private func export(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try checkKey(request)
        let after = try request.query("after").map { try Shortcode(parsing: $0) }
        let limit = try number("limit", request, upTo: 10_000) ?? 1_000
        return try .encoding(
            RegistryAPI.EntriesBody(entries: await registry.entries(after: after, limit: limit)))
    }

    private func add(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try checkKey(request)
        let body = try await request.json(RegistryAPI.EntriesBody.self, upTo: limits.registryEntriesBytes)
        return try .encoding(await registry.add(body.entries))
    }

    private func removeExpired(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try checkKey(request)
        return try .encoding(RegistryAPI.RemovedBody(removed: await registry.removeExpired()))
    }

    private func number(_ name: String, _ request: Request, upTo limit: Int) throws -> Int? {
        guard let text = request.query(name) else { return nil }
        guard let value = Int(text), (1...limit).contains(value) else {
            throw ServiceError(.badRequest, "“\(name)” is a number from 1 to \(limit).")
        }
        return value
    }

    /// Compares digests: how long that takes says nothing about the key.
    private func checkKey(_ request: Request) throws {
        let refusal = ServiceError(
            .forbidden, "This requires the key of the registry (\(RegistryAPI.keyVariable)).", reason: .keyRequired)
        guard let key, !key.isEmpty, let given = request.bearerToken,
            SHA256.digest(of: key) == SHA256.digest(of: given)
        else { throw refusal }
    }
}

extension Response {
    /// An answer of the registry, as its types write themselves.
    static func encoding(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        let data = try encoder.encode(value)
        return Response(
            status: status, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(bytes: data)))
    }
}
