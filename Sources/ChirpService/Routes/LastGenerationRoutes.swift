internal import Chirp
internal import ChirpLinks
internal import ChirpReport
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// What clients of the original service's last generation ask for: a key's token, chirps of any data, and the error
/// correction that they left to the service.
struct LastGenerationRoutes: Sendable {
    let registry: any Registry
    let waves: WAVCache
    let limits: ServiceLimits

    var routes: [Route] {
        ["", "/v1"].flatMap { root in
            [
                Route(.post, root + "/authenticate", authenticate),
                Route(.get, root + "/authenticate/{key}", authenticate),
                Route(.post, root + "/chirps", create),
                Route(.get, root + "/chirps/{code}", read),
                Route(.get, root + "/chirps/{code}.wav", sound),
                Route(.get, root + "/chirps/encode/{code}", encode),
                Route(.get, root + "/chirps/decode/{longcode}", decode),
            ]
        }
    }

    /// Any key is welcome. The original's Python client of 2017 looks into `access` for what it may do.
    private func authenticate(_ request: Request, _ context: ServiceContext) async throws -> Response {
        _ = try await request.bytes(upTo: limits.textBytes)
        let expiry = Timestamp.now.advanced(by: .seconds(365 * 86_400))
        let rights = ["create", "read", "read_wav", "encode", "decode"]
        return .json(
            .object([
                .init("access_token", .string(DeletionToken().text)),
                .init("expires_at", .string(expiry.description)),
                .init(
                    "access",
                    .object([
                        .init("enabled", .boolean(true)), .init("chirps", .array(rights.map(JSONValue.string))),
                    ])),
            ]))
    }

    private struct CreateRequest: Decodable {
        var data: [String: DataValue]
    }

    /// JSON, or a form with `url`, as one of the clients in Python sent it.
    private func create(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let buffer = try await request.bytes(upTo: limits.textBytes)
        let text = String(buffer: buffer)
        let form = FormFields(body: Array(buffer.readableBytesView), contentType: request.headers[.contentType])
        let link: Link
        if text.first(where: { !$0.isWhitespace }) != "{", let url = form["url"] {
            link = .url(try WebAddress(url))
        } else {
            link = .data(try DataObject(try JSONBody.decode(CreateRequest.self, text.utf8).data))
        }
        let registration = try await registry.register(try LinkDraft(link, clientKind: "api"))
        return .json(
            OriginalResponses.dataChirp(registration.record, baseURL: context.baseURL), status: .created)
    }

    private func read(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let code = try context.code().shortcode
        guard let record = try await registry.record(of: code) else { throw ServiceError.unknown(code) }
        return .json(OriginalResponses.dataChirp(record, baseURL: context.baseURL))
    }

    private func sound(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (code, format) = (try context.code().shortcode, try request.format())
        return try .cacheable(
            await waves.file(of: code, format: format), type: "audio/wav",
            tag: SoundRoutes.tag(code, "wav", format), request: request)
    }

    private func encode(_ request: Request, _ context: ServiceContext) async throws -> Response {
        .json(.object(OriginalResponses.codes(try context.code().shortcode)))
    }

    /// The codeword nearest to a longcode that was misheard, up to four of its characters.
    private func decode(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let format = WireFormat.original
        var symbols: [UInt8] = []
        for (index, character) in (context.parameters.get("longcode") ?? "").enumerated() {
            guard let symbol = format.symbol(for: character) else {
                throw ServiceError(ShortcodeError.character(character, position: index + 1))
            }
            symbols.append(symbol)
        }
        if symbols.count == format.frameSymbolCount { symbols.removeFirst(format.startCode.count) }
        guard symbols.count == format.codewordSymbolCount else {
            throw ServiceError(.badRequest, "A longcode has 18 characters, or 20 with the start code.")
        }
        guard let word = ReedSolomon().decode(symbols)?.word, let codeword = Codeword(symbols: word) else {
            throw ServiceError(.unprocessableContent, "The longcode has too many errors to be corrected.")
        }
        return .json(.object(OriginalResponses.codes(codeword.shortcode)))
    }
}
