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

    /// The data object of a chirp: for data links as it was sent, for other kinds with their content.
    private static func data(_ record: LinkRecord, url: String?, opensWithDescription: Bool) -> JSONValue {
        var members: [JSONValue.Member] = []
        switch record.link {
        case .data(let object): members = JSONValue(object.value).members
        case .text(let note): members = [.init("text", .string(note.text)), .init("body", .string(note.text))]
        case .user, .chart, .url, .file: members = [.init("url", url.map(JSONValue.string) ?? .null)]
        }
        if case .data = record.link {
        } else if let title = record.title {
            members.append(.init("title", .string(title)))
        }
        if opensWithDescription, !members.contains(where: { $0.key == "description" }) {
            members.insert(.init("description", .string(description(record))), at: 0)
        }
        return .object(members)
    }

    /// One line that says what a link is.
    static func description(_ record: LinkRecord) -> String {
        if let title = record.title { return title }
        return switch record.link {
        case .user(let name): "\(name) on Last.fm"
        case .chart(let name, let week): "\(name)’s albums of the week of \(week.firstDay)"
        case .url(let address): address.host
        case .text(let note): note.text.count <= 80 ? note.text : note.text.prefix(79) + "…"
        case .data: "Data"
        case .file(let file): file.name
        }
    }

    /// `text/x-url` is what the original's own clients sent for a web address.
    private static func mediaType(_ record: LinkRecord) -> String {
        if let type = record.mediaType { return type }
        return switch record.link {
        case .user, .chart, .url: "text/x-url"
        case .text: "text/plain"
        case .data: "application/json"
        case .file(let file): file.mediaType.rawValue
        }
    }
}

extension JSONValue {
    /// The members of an object; none of anything else.
    var members: [Member] { if case .object(let members) = self { members } else { [] } }
}
