internal import Chirp
internal import ChirpLinks
internal import ChirpReport

/// Answers in the forms of the original service.
enum OriginalResponses {
    /// The answer to a chirp made by the first generation: `shortcode`, `longcode`, `is_new`.
    static func created(_ registration: Registration) -> JSONValue {
        .object(codes(registration.record.code) + [.init("is_new", .integer(registration.isNew ? 1 : 0))])
    }

    /// The answer of `/get/CODE` and of `/CODE.json`: the original's members, then ours.
    static func chirp(_ record: LinkRecord, baseURL: String) -> JSONValue {
        let summary = LinkSummary(record, serviceURL: baseURL)
        return .object(
            codes(record.code) + [
                .init("url", summary.url.map(JSONValue.string) ?? .null),
                .init("title", record.title.map(JSONValue.string) ?? .null),
                .init("mimetype", .string(mediaType(record))),
                .init("created", .string(record.created.description)),
                .init("expires", record.expires.map { .string($0.description) } ?? .null),
                .init("data", data(record, url: summary.url, opensWithDescription: true)),
                .init("link", summary.json),
            ])
    }

    /// The answer of the last generation: `shortcode`, `longcode`, `data`.
    static func dataChirp(_ record: LinkRecord, baseURL: String) -> JSONValue {
        let url = LinkSummary(record, serviceURL: baseURL).url
        return .object(
            codes(record.code) + [.init("data", data(record, url: url, opensWithDescription: false))])
    }

    static func codes(_ code: Shortcode) -> [JSONValue.Member] {
        [.init("shortcode", .string(code.description)), .init("longcode", .string(code.codeword.description))]
    }

    /// The data object of a chirp: for data links as it was sent, for other kinds with their content and title.
    private static func data(_ record: LinkRecord, url: String?, opensWithDescription: Bool) -> JSONValue {
        var members =
            record.link.content.originalMembers?.map { JSONValue.Member($0.key, JSONValue($0.value)) }
            ?? [.init("url", url.map(JSONValue.string) ?? .null)]
        if record.link.kind != .data, let title = record.title { members.append(.init("title", .string(title))) }
        if opensWithDescription, !members.contains(where: { $0.key == "description" }) {
            members.insert(.init("description", .string(description(record))), at: 0)
        }
        return .object(members)
    }

    /// One line that says what a link is.
    static func description(_ record: LinkRecord) -> String { record.title ?? record.link.content.headline }

    private static func mediaType(_ record: LinkRecord) -> String {
        record.mediaType ?? type(of: record.link.content).mediaType
    }
}

extension JSONValue {
    /// The members of an object; none of anything else.
    var members: [Member] { if case .object(let members) = self { members } else { [] } }
}
