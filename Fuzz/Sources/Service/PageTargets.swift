internal import Foundation
internal import FuzzSupport
internal import Mustache

extension FuzzTarget {
    /// Text through the service's templates: the page has the elements and attributes that it has for a harmless text, and in
    /// the places of that text what was put in.
    static let pages = FuzzTarget("pages") { source in
        let text = source.wholeText
        // Templates leave out what is empty.
        guard !text.isEmpty else { return }
        for name in ["code", "error"] {
            for kind in kinds {
                let page = PageMarkup(render(name, kind: kind, text: text))
                let harmless = PageMarkup(render(name, kind: kind, text: placeholder))
                require(
                    page.structure == harmless.structure, "the \(kind) page of “\(text)” has the template's elements")
                for (value, expected) in zip(page.values, harmless.values) {
                    let wanted = expected.replacing(placeholder, with: text)
                    require(
                        value.unicodeScalars.elementsEqual(wanted.unicodeScalars), "“\(value)” reads as “\(wanted)”")
                }
            }
        }
    }

    private static let placeholder = "harmless9placeholder"
    private static let kinds = ["url", "text", "data", "file", "user", "chart", "chartList"]

    private static func render(_ name: String, kind: String, text: String) -> String {
        let inner: [String: Any] =
            kind == "chartList"
            ? [
                "user": text, "when": text, "from": text, "to": text, "details": text, "years": text,
                "albums": [["rank": text, "artist": text, "name": text, "plays": text, "url": text]],
                "earlier": ["href": text, "year": text], "filters": [["href": text, "label": text, "isCurrent": true]],
            ]
            : [
                "url": text, "heading": text, "host": text, "text": text, "name": text, "source": text, "type": text,
                "size": text, "from": text, "to": text, "picture": ["alt": text],
            ]
        let values: [String: Any] = [
            "title": text, "message": text, "code": text, "longcode": text, "address": text, "created": text,
            "expires": text, kind: inner,
        ]
        return library.render(values, withTemplate: name) ?? ""
    }

    /// As the service makes it.
    private static let library: MustacheLibrary = {
        MustacheContentTypes.register(PageText(), named: PageText.name)
        let pragma = "{{% CONTENT_TYPE:\(PageText.name)}}"
        let folder = URL(filePath: #filePath).appending(path: "../../../../Sources/ChirpService/Resources").standardized
        var templates: [String: MustacheTemplate] = [:]
        for name in ["albums", "code", "error", "layout"] {
            let text = try? String(contentsOf: folder.appending(path: "\(name).mustache"), encoding: .utf8)
            templates[name] = text.flatMap { try? MustacheTemplate(string: pragma + $0) }
            require(templates[name] != nil, "\(name).mustache is a template")
        }
        return MustacheLibrary(templates: templates)
    }()
}
