internal import Chirp
internal import ChirpLinks
internal import Foundation
internal import HTTPTypes
internal import Hummingbird

/// What a code stands for: its page, its data, and the bytes of a file.
struct CodeRoutes: Sendable {
    let registry: any Registry
    let pages: Pages
    let charts: ChartPages?
    private let cache = ResponseCache()

    init(registry: any Registry, pages: Pages, charts: ChartPages?) {
        self.registry = registry
        self.pages = pages
        self.charts = charts
    }

    var routes: [Route] {
        [
            Route(.get, "/{code}", page), Route(.get, "/{code}.json", data), Route(.get, "/{code}/content", content),
            Route(.get, "/{code}/albums/{rank}", album),
        ]
    }

    private func record(_ context: ServiceContext) async throws -> LinkRecord {
        let code = try context.code(isPage: true).shortcode
        guard let record = try await registry.record(of: code) else { throw ServiceError.unknown(code) }
        return record
    }

    private func page(_ request: Request, _ context: ServiceContext) async throws -> Response {
        if request.preferredType == "application/json" { return try await data(request, context) }
        let record = try await record(context)
        let chart = try await charts?.chart(of: record, request: request, context: context)
        return .html(
            pages.code(record, baseURL: context.baseURL, chart: chart), headers: [.vary: "Accept"])
    }

    private func data(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let body = cache.chirp(try await record(context), baseURL: context.baseURL)
        return Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-cache", .vary: "Accept"],
            body: .init(byteBuffer: body))
    }

    /// An album of the chart that the code's page shows.
    private func album(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let record = try await record(context)
        guard let rank = Int(context.parameters.get("rank") ?? ""), (1...1_000).contains(rank) else {
            throw ServiceError(.notFound, "Albums have ranks from 1 on.")
        }
        guard let charts else {
            throw ServiceError(.serviceUnavailable, ChartFailure.chart(.lastFM(.keyMissing)).message)
        }
        return .json(try await charts.album(rank: rank, of: record, request: request, context: context))
    }

    /// Pictures are shown where they are; a PDF, in which a browser may run scripts, is for saving. Neither can do
    /// anything to this service's pages.
    private func content(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let record = try await record(context)
        guard case .file(let file) = record.link, let bytes = try await registry.content(of: record.code) else {
            throw ServiceError(.notFound, "\(record.code) does not stand for a file.", reason: .unknownCode)
        }
        var response = try Response.cacheable(
            ByteBuffer(bytes: bytes), type: file.mediaType.rawValue, tag: hexadecimal(file.digest), request: request,
            public: false)
        let manner = file.mediaType == .pdf ? "attachment" : "inline"
        let saved = file.mediaType.savedName(of: file.name)
        let name = saved.addingPercentEncoding(withAllowedCharacters: .alphanumerics.intersection(.ascii)) ?? ""
        response.headers[.contentDisposition] = "\(manner); filename*=UTF-8''\(name)"
        response.headers[.contentSecurityPolicy] = "default-src 'none'; sandbox"
        return response
    }
}

extension CharacterSet {
    fileprivate static let ascii = CharacterSet(charactersIn: "\u{0}"..."\u{7F}")
}
