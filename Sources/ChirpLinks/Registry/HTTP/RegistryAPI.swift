public import Chirp

/// How a `chirp serve` is a registry for other machines, beside its public interface.
///
/// All bodies are JSON but a file's content. `CODE` is a code of ten characters. Requests marked *key* carry
/// `Authorization: Bearer KEY`, the KEY that the service was started with (`CHIRP_REGISTRY_KEY`; a service without one
/// answers 403 to them): they show or change everybody's links.
///
/// | request | answer |
/// |---|---|
/// | `POST /registry/links`, ``RegisterRequest`` (up to 15 MB: a file's content is in it as base 64) | 201 when new, else 200: ``RegisterAnswer`` |
/// | `GET /registry/links/CODE` | ``LinkRecord`` |
/// | `GET /registry/links/CODE/content` | the bytes, `application/octet-stream` |
/// | `DELETE /registry/links/CODE`, `Authorization: Bearer TOKEN` with the deletion token | 204 |
/// | `GET /registry/links?search=&kind=&limit=&created=&code=` (*key*), the last two a ``LinkQuery/Position``, all optional | `{"links":[LinkRecord]}` |
/// | `GET /registry/entries?after=CODE&limit=` (*key*), as ``Registry/entries(after:limit:)`` | `{"entries":[RegistryEntry]}` |
/// | `POST /registry/entries`, `{"entries":[RegistryEntry]}` (*key*, up to 32 MB) | ``ImportOutcome`` |
/// | `DELETE /registry/expired` (*key*) | `{"removed":N}` |
/// | `GET /registry` | ``RegistryState`` |
///
/// Every error is `{"error":{"code":STATUS,"msg":SENTENCE,"reason":REASON,"shortcode":CODE}}`, the last two where
/// ``RegistryAPI/Refusal`` has one: 404 for a code that stands for nothing, 400 for a link that cannot be, 403 and
/// 409 for refusals, 503 for a store's failure. Instants are ISO 8601 in UTC, with milliseconds.
public enum RegistryAPI {
    /// The environment's name for the key, on both sides.
    public static let keyVariable = "CHIRP_REGISTRY_KEY"
    /// The path under which all of it is.
    public static let root = "/registry"

    /// What the member `reason` of an error says.
    public enum Refusal: String, Sendable, Codable, CaseIterable {
        /// 409; `shortcode` is the code asked for.
        case codeTaken = "code_taken"
        /// 409; `shortcode` is the code that the link has.
        case linkHasCode = "link_has_code"
        /// 403; `shortcode` is the code that was to be deleted.
        case wrongToken = "wrong_token"
        /// 403.
        case keyRequired = "key_required"
        /// 400; `shortcode` is the code of the entry.
        case contentMissing = "content_missing"
        /// 400.
        case invalidLink = "invalid_link"
        /// 404.
        case unknownCode = "unknown_code"
        /// 503.
        case storeFull = "store_full"
        case storeReadOnly = "store_read_only"
        case storeCorrupt = "store_corrupt"
        case storeBusy = "store_busy"
        case storeUnreachable = "store_unreachable"
        case storeFailed = "store_failed"
    }

    public struct ErrorBody: Sendable, Hashable, Codable {
        public struct Detail: Sendable, Hashable, Codable {
            public var code: Int
            public var msg: String
            public var reason: Refusal?
            public var shortcode: String?
        }
        public var error: Detail

        public init(status: Int, message: String, reason: Refusal?, shortcode: Shortcode? = nil) {
            error = Detail(code: status, msg: message, reason: reason, shortcode: shortcode?.description)
        }
    }

    public struct LinksBody: Sendable, Codable {
        public var links: [LinkRecord]
        public init(links: [LinkRecord]) { self.links = links }
    }

    public struct EntriesBody: Sendable, Codable {
        public var entries: [RegistryEntry]
        public init(entries: [RegistryEntry]) { self.entries = entries }
    }

    public struct RemovedBody: Sendable, Codable {
        public var removed: Int
        public init(removed: Int) { self.removed = removed }
    }

    /// Status and reason that tell of an error.
    public static func refusal(for error: RegistryError) -> (status: Int, reason: Refusal, shortcode: Shortcode?) {
        switch error {
        case .codeTaken(let code): (409, .codeTaken, code)
        case .linkHasCode(let code): (409, .linkHasCode, code)
        case .wrongToken(let code): (403, .wrongToken, code)
        case .contentMissing(let code): (400, .contentMissing, code)
        case .noFreeCode: (503, .storeFailed, nil)
        case .store(let failure): (503, refusal(for: failure.reason), nil)
        }
    }

    private static func refusal(for reason: StoreFailure.Reason) -> Refusal {
        switch reason {
        case .full: .storeFull
        case .readOnly: .storeReadOnly
        case .corrupt: .storeCorrupt
        case .busy: .storeBusy
        case .unreachable: .storeUnreachable
        case .newerSchema, .accessDenied, .other: .storeFailed
        }
    }
}
