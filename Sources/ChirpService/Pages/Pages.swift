internal import Chirp
internal import ChirpLinks
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
    func home() -> String { render("home", ["title": "chirp"]) }

    /// The page of a code.
    func code(_ record: LinkRecord, baseURL: String, chart: [String: Any]?) -> String {
        let code = record.code
        var values: [String: Any] = [
            "title": OriginalResponses.description(record), "code": code.description,
            "longcode": code.codeword.description, "created": record.created.day.description,
            "address": "\(baseURL)/\(code)", "card": record.link.content.card(record).values,
        ]
        if let expires = record.expires { values["expires"] = expires.day.description }
        if let chart { values["chartList"] = chart }
        return render("code", values)
    }

    /// The page of an error.
    func error(_ error: ServiceError) -> String {
        render("error", ["title": "chirp: \(error.status.reasonPhrase)", "message": error.message])
    }

    private func render(_ name: String, _ values: [String: Any]) -> String {
        library.render(values, withTemplate: name) ?? ""
    }
}

extension LinkCard {
    /// For the template `code`.
    fileprivate var values: [String: Any] {
        var values: [String: Any] = [
            "label": label, "lines": lines.map { ["style": $0.style, "text": $0.text] },
        ]
        if let heading { values["heading"] = heading }
        switch body {
        case .note(let text): values["note"] = text
        case .code(let text): values["preformatted"] = text
        case .picture(let source, let description): values["picture"] = ["source": source, "alt": description]
        case nil: break
        }
        switch action {
        case .openForeign(let label, let url): values["foreign"] = ["label": label, "url": url]
        case .open(let label, let url): values["known"] = ["label": label, "url": url]
        case .save(let source, let name, let details):
            values["save"] = ["source": source, "name": name, "details": details]
        case nil: break
        }
        return values
    }
}
