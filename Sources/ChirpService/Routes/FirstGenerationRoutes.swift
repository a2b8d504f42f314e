internal import Chirp
internal import ChirpLinks
internal import ChirpReport
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// The API of the original service's first generation: chirps of addresses, notes and files.
struct FirstGenerationRoutes: Sendable {
    let registry: any Registry
    let limits: ServiceLimits

    var routes: [Route] {
        [
            Route(.post, "/chirp", create), Route(.post, "/0/chirp", create), Route(.post, "/file", upload),
            Route(.get, "/chirp/{code}", read), Route(.get, "/get/{code}", read),
        ]
    }

    /// The fields of JSON or a form. The body decides which: some of the original's clients sent no or a wrong content type.
    private struct CreateRequest: Decodable {
        var url: String?
        var body: String?
        var title: String?
        var mimetype: String?

        init(_ form: FormFields) {
            url = form["url"]
            body = form["body"]
            title = form["title"]
            mimetype = form["mimetype"]
        }
    }

    private func create(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let buffer = try await request.bytes(upTo: limits.textBytes)
        let text = String(buffer: buffer)
        let isJSON = text.first { !$0.isWhitespace } == "{"
        let creation =
            isJSON
            ? try JSONBody.decode(CreateRequest.self, text.utf8)
            : CreateRequest(
                FormFields(body: Array(buffer.readableBytesView), contentType: request.headers[.contentType]))
        let link: Link
        if let url = creation.url, !url.isEmpty {
            link = .url(try WebAddress(url))
        } else if let body = creation.body {
            link = .text(try NoteText(body))
        } else {
            throw ServiceError(.badRequest, "A chirp needs “url” or “body”, as JSON or as a form.")
        }
        let draft = try LinkDraft(link, title: creation.title, claimedMediaType: creation.mimetype, clientKind: "api")
        return .json(OriginalResponses.created(try await registry.register(draft)))
    }

    private func upload(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let limit = FileDescription.byteLimit + limits.uploadOverheadBytes
        let body = Array(try await request.bytes(upTo: limit).readableBytesView)
        let type = request.headers[.contentType]
        // A picture as the body itself is understood as well.
        let form = MediaType(of: body) == nil ? MultipartForm(body: body, contentType: type) : nil
        guard form?.file != nil || MediaType(of: body) != nil else {
            throw ServiceError(.badRequest, "The body has no file in it.")
        }
        let title = request.query("title") ?? form?.fields["title"].flatMap { $0.isEmpty ? nil : $0 }
        let draft = try LinkDraft(
            fileNamed: form?.file?.fileName ?? "", bytes: form?.file?.bytes ?? body, title: title, clientKind: "api")
        return .json(OriginalResponses.created(try await registry.register(draft)))
    }

    private func read(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let code = try context.code().shortcode
        guard let record = try await registry.record(of: code) else { throw ServiceError.unknown(code) }
        return .json(OriginalResponses.chirp(record, baseURL: context.baseURL))
    }
}
