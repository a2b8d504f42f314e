internal import Chirp
internal import ChirpLinks
internal import Foundation
internal import HTTPTypes
internal import Mustache

/// The pages for people.
struct Pages: Sendable {
    private let library: MustacheLibrary

    /// - Throws: what is wrong with a template.
    init() throws {
        MustacheContentTypes.register(PageText(), named: PageText.name)
        // Templates begin with the escaping that they need, and partials do not inherit it.
        let pragma = "{{% CONTENT_TYPE:\(PageText.name)}}"
        library = MustacheLibrary(
            templates: try Resource.templates.mapValues { try MustacheTemplate(string: pragma + $0) })
    }

    /// The page to share, listen and look codes up.
    func home() -> String {
        let steps = LinkKind.allCases.filter { $0 != .data }
        return render("home", ["title": "chirp", "kinds": steps.map(\.rawValue), "noteLimit": NoteText.characterLimit])
    }

    /// The page of a code.
    func code(_ record: LinkRecord, baseURL: String, chart: [String: Any]?) -> String {
        let code = record.code
        var values: [String: Any] = [
            "title": OriginalResponses.description(record), "code": code.description,
            "longcode": code.codeword.description, "created": record.created.day.description,
            "address": "\(baseURL)/\(code)", record.link.kind.rawValue: linkValues(record),
        ]
        if let expires = record.expires { values["expires"] = expires.day.description }
        if let chart { values["chartList"] = chart }
        return render("code", values)
    }

    private func linkValues(_ record: LinkRecord) -> [String: Any] {
        switch record.link {
        case .user(let name): return ["name": name.text, "url": name.pageURL]
        case .chart(let name, let week):
            return [
                "name": name.text, "url": name.chartURL(week: week), "from": week.firstDay.description,
                "to": week.lastDay.description,
            ]
        case .url(let address):
            return ["url": address.text, "host": address.host, "heading": record.title ?? address.host]
        case .text(let note): return ["text": note.text]
        case .data(let object): return ["text": Self.indented(object)]
        case .file(let file):
            var values: [String: Any] = [
                "name": file.name, "size": Self.size(file.byteCount), "type": file.mediaType.rawValue,
                "source": "/\(record.code)/content",
            ]
            if file.mediaType != .pdf { values["picture"] = ["alt": record.title ?? file.name] }
            return values
        }
    }

    /// The page of an error.
    func error(_ error: ServiceError) -> String {
        render("error", ["title": "chirp: \(error.status.reasonPhrase)", "message": error.message])
    }

    private func render(_ name: String, _ values: [String: Any]) -> String {
        library.render(values, withTemplate: name) ?? ""
    }

    private static func size(_ byteCount: Int) -> String {
        switch byteCount {
        case ..<1_000: "\(byteCount) bytes"
        case ..<1_000_000: "\(byteCount / 1_000) kB"
        default: String(format: "%.1f MB", Double(byteCount) / 1e6)
        }
    }

    private static func indented(_ object: DataObject) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(object.value) else { return object.canonicalText }
        return String(decoding: data, as: UTF8.self)
    }
}
