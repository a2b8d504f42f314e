internal import Chirp
internal import FuzzSupport
internal import Mustache
internal import PageMarkup

@testable internal import ChirpLinks
@testable internal import ChirpService

extension FuzzTarget {
    /// Text through the service's templates, whatever it lets into them: the page has the elements and attributes that it has for
    /// a harmless text, and in the places of that text what was put in.
    static let pages = FuzzTarget("pages") { source in
        var source = source
        let kind = source.choice(TemplatePage.kinds)
        let text = source.wholeText
        let read = PageMarkup.asRead(text)
        // Templates leave out what is empty.
        guard !read.isEmpty else { return }
        let page = PageMarkup(TemplatePage.render(kind, text: text))
        let harmless = TemplatePage.harmless[kind]
        require(page.elements == harmless?.elements, "the \(kind) page of “\(text)” has the template's elements")
        for (values, expected) in zip(page.values, harmless?.values ?? []) {
            for (value, expected) in zip(values, expected) where expected.contains(TemplatePage.placeholder) {
                let wanted = PageMarkup.asRead(expected.replacing(TemplatePage.placeholder, with: text))
                let value = PageMarkup.asRead(value)
                require(
                    value.unicodeScalars.elementsEqual(wanted.unicodeScalars),
                    "\(value.debugDescription) reads as \(wanted.debugDescription)")
            }
        }
    }

    /// Links, notes, names and titles as they are checked, on the service's own pages: the page is that of a harmless link of the
    /// kind, and leads to http, https or the service itself.
    static let links = FuzzTarget("links") { source in
        var source = source
        let (number, title, text) = (source.byte(), source.text(), source.wholeText)
        guard let link = Self.link(of: number, text), let harmless = Self.link(of: number, "example") else { return }
        guard let record = Self.record(link, title: title), let other = Self.record(harmless, title: "example"),
            (record.title == nil) == title.isEmpty || record.title == nil
        else { return }
        let pages = TemplatePage.pages
        let page = PageMarkup(pages.code(record, baseURL: "http://localhost", chart: nil))
        let expected = PageMarkup(pages.code(other, baseURL: "http://localhost", chart: nil))
        require(page.elements == expected.elements, "the page of “\(text)”, “\(title)” has the template's elements")
        requireOwnOrWeb(page)
    }

    private static func link(of number: UInt8, _ text: String) -> Link? {
        switch number % 5 {
        case 0: (try? WebAddress(text)).map(Link.url) ?? (try? WebAddress("http://example.org/\(text)")).map(Link.url)
        case 1: (try? NoteText(text)).map(Link.text)
        case 2: (try? UserName(text)).map(Link.user)
        case 3: (try? DataObject([text: .string(text)])).map(Link.data)
        default: (try? FileDescription(name: text, bytes: [0xFF, 0xD8, 0xFF, 0xE0])).map(Link.file)
        }
    }

    private static func record(_ link: Link, title: String) -> LinkRecord? {
        guard let code = try? Shortcode(parsing: "gsm2h88c7u"), let title = try? LinkRecord.checkedTitle(title) else {
            return nil
        }
        return LinkRecord(
            code: code, link: link, title: title, claimedMediaType: nil, created: Timestamp(seconds: 1_500_000_000),
            expires: nil, clientKind: "fuzz")
    }
}

/// What a page leads to and loads is on the web or on the service.
func requireOwnOrWeb(_ page: PageMarkup) {
    for address in page.addresses {
        let lowered = address.lowercased()
        let isOwn = address.hasPrefix("/") && !address.hasPrefix("//") && !address.hasPrefix("/\\")
        require(
            isOwn || lowered.hasPrefix("http://") || lowered.hasPrefix("https://"), "“\(address)” is an address")
    }
}

/// The service's templates, filled with one text.
enum TemplatePage {
    static let placeholder = "harmless9placeholder"
    static let kinds = ["card", "cardWithoutHeading", "chartList", "failure", "error"]

    /// The service's own.
    static let pages: Pages = {
        guard let pages = try? Pages() else { fatalError("the templates are templates") }
        return pages
    }()

    static let harmless: [String: PageMarkup] = Dictionary(
        uniqueKeysWithValues: kinds.map { ($0, PageMarkup(render($0, text: placeholder))) })

    /// Every element with its attributes that a page may have.
    static let elements: Set<PageMarkup.Element> = {
        var elements = Set(PageMarkup(pages.home()).elements)
        for page in harmless.values { elements.formUnion(page.elements) }
        // A filter that is not the current one.
        elements.insert(PageMarkup.Element(name: "a", attributes: ["href"]))
        return elements
    }()

    static func render(_ kind: String, text: String) -> String {
        let inner: [String: Any] =
            switch kind {
            case "chartList":
                [
                    "user": text, "when": text, "from": text, "to": text, "details": text, "years": text,
                    "empty": text,
                    "albums": [
                        ["rank": text, "artist": text, "name": text, "plays": text, "url": text],
                        ["rank": text, "artist": text, "name": text, "plays": text],
                    ],
                    "earlier": ["href": text, "year": text], "later": ["href": text, "year": text],
                    "filters": [["href": text, "label": text, "isCurrent": true]],
                ]
            case "failure": ["user": text, "failure": text, "back": text]
            default:
                [
                    "label": text, "lines": [["style": text, "text": text]], "note": text, "preformatted": text,
                    "picture": ["source": text, "alt": text], "foreign": ["label": text, "url": text],
                    "known": ["label": text, "url": text], "save": ["source": text, "name": text, "details": text],
                ].merging(kind == "card" ? ["heading": text] : [:]) { first, _ in first }
            }
        let name =
            switch kind {
            case "failure": "chartList"
            case "cardWithoutHeading": "card"
            default: kind
            }
        let values: [String: Any] = [
            "title": text, "message": text, "code": text, "longcode": text, "address": text, "created": text,
            "expires": text, name: inner,
        ]
        return library.render(values, withTemplate: kind == "error" ? "error" : "code") ?? ""
    }

    /// As ``Pages`` makes it.
    private static let library: MustacheLibrary = {
        MustacheContentTypes.register(PageText(), named: PageText.name)
        let templates = Resource.templates.compactMapValues {
            try? MustacheTemplate(string: "{{% CONTENT_TYPE:\(PageText.name)}}" + $0)
        }
        require(templates.count == Resource.templates.count, "the templates are templates")
        return MustacheLibrary(templates: templates)
    }()
}
