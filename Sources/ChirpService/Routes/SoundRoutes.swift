internal import Chirp
internal import ChirpLinks
internal import ChirpReport
internal import ChirpSound
internal import HTTPTypes
internal import Hummingbird

/// Sound from codes, and codes from sound.
struct SoundRoutes: Sendable {
    let registry: any Registry
    let waves: WAVCache
    let pool: DecodePool
    let limits: ServiceLimits
    /// What uploaded sounds may take on disk.
    let spool: ByteBudget
    /// Charges a client for processor seconds.
    let charge: @Sendable (String, Double) -> Void

    var routes: [Route] {
        [
            Route(.get, "/{code}.wav", wave), Route(.get, "/{code}.svg", drawing), Route(.get, "/{code}.png", picture),
            Route(.post, Self.decodePath, decode),
        ]
    }

    static let decodePath = "/decode"

    private func wave(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (code, format) = (try context.code(isPage: true).shortcode, try request.format())
        return try .cacheable(
            await waves.file(of: code, format: format), type: "audio/wav",
            tag: Self.tag(code, "wav", format), request: request)
    }

    private func drawing(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (codeword, format) = (try context.code(isPage: true), try request.format())
        return try .cacheable(
            ByteBuffer(string: TonePicture(codeword, format: format).svg), type: "image/svg+xml",
            tag: Self.tag(codeword.shortcode, "svg1", format), request: request)
    }

    private func picture(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (codeword, format) = (try context.code(isPage: true), try request.format())
        return try .cacheable(
            ByteBuffer(bytes: TonePicture(codeword, format: format).png), type: "image/png",
            tag: Self.tag(codeword.shortcode, "png1", format), request: request)
    }

    /// The entity tag of something that is made from a code: of each format its own.
    static func tag(_ code: Shortcode, _ kind: String, _ format: WireFormat) -> String {
        format == .original ? "\(code)-\(kind)" : "\(code)-\(kind)-\(format.name)"
    }

    private func decode(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let formats = try request.formats()
        let sound = try await UploadedSound(request, limit: limits.soundBytes, budget: spool)
        defer { sound.remove() }
        let client = context.clientAddress
        let heard = try await pool.chirps(in: sound, formats: formats, client: client) { charge(client, $0) }
        var links: [Shortcode: JSONValue] = [:]
        var answer: [JSONValue.Member] = []
        for code in Set(heard.map(\.chirp.shortcode)) {
            // Chirps are reported even when the registry cannot say what they stand for.
            do throws(RegistryError) {
                let record = try await registry.record(of: code)
                links[code] = record.map { LinkSummary($0, serviceURL: context.baseURL).json } ?? .null
            } catch {
                answer = [.init("warning", .string("Links are missing, as the registry does not answer."))]
            }
        }
        let reports = heard.map { one in
            DetectionReport(
                file: nil, channel: one.channel, channels: one.channels, chirp: one.chirp,
                link: links[one.chirp.shortcode] ?? .null
            ).json
        }
        return .json(.object([.init("chirps", .array(reports))] + answer))
    }
}
