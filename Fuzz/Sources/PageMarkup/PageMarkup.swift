internal import CGumbo

/// A page as browsers read it (HTML Standard, section 13.2), by the parser gumbo.
public struct PageMarkup: Sendable, Equatable {
    public struct Element: Sendable, Hashable {
        /// `#comment` for a comment.
        public let name: String
        /// In their order.
        public let attributes: [String]

        public init(name: String, attributes: [String]) {
            self.name = name
            self.attributes = attributes
        }
    }

    /// In the order of the page.
    public private(set) var elements: [Element] = []
    /// What the attributes of each element say, and then the text within it that is in no other element.
    public private(set) var values: [[String]] = []

    public init(_ page: String) {
        var page = page
        var options = unsafe kGumboDefaultOptions
        unsafe options.max_errors = 0
        page.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { text in
                guard let output = unsafe gumbo_parse_with_options(&options, text.baseAddress, text.count) else {
                    return
                }
                unsafe append(output.pointee.document)
                unsafe gumbo_destroy_output(&options, output)
            }
        }
    }

    /// The values of attributes that lead somewhere.
    public var addresses: [String] {
        zip(elements, values).flatMap { element, values in
            zip(element.attributes, values).filter { Self.addressAttributes.contains($0.0) }.map(\.1)
        }
    }

    private static let addressAttributes: Set = ["action", "data", "formaction", "href", "poster", "src", "srcset"]

    private mutating func append(_ node: UnsafeMutablePointer<GumboNode>) {
        switch unsafe node.pointee.type {
        case GUMBO_NODE_DOCUMENT: unsafe appendChildren(node.pointee.v.document.children, place: nil)
        case GUMBO_NODE_ELEMENT, GUMBO_NODE_TEMPLATE:
            let element = unsafe node.pointee.v.element
            var names: [String] = []
            var texts: [String] = []
            for index in 0..<Int(unsafe element.attributes.length) {
                guard let item = unsafe element.attributes.data[index] else { continue }
                let attribute = unsafe item.assumingMemoryBound(to: GumboAttribute.self).pointee
                names.append(unsafe String(cString: attribute.name))
                texts.append(unsafe String(cString: attribute.value))
            }
            elements.append(Element(name: unsafe Self.name(of: element), attributes: names))
            values.append(texts + [""])
            unsafe appendChildren(element.children, place: values.count - 1)
        default:
            elements.append(Element(name: "#comment", attributes: []))
            values.append([unsafe String(cString: node.pointee.v.text.text)])
        }
    }

    private mutating func appendChildren(_ children: GumboVector, place: Int?) {
        for index in 0..<Int(unsafe children.length) {
            guard let item = unsafe children.data[index] else { continue }
            let child = unsafe item.assumingMemoryBound(to: GumboNode.self)
            switch unsafe child.pointee.type {
            case GUMBO_NODE_TEXT, GUMBO_NODE_WHITESPACE, GUMBO_NODE_CDATA:
                guard let place else { continue }
                values[place][values[place].count - 1] += unsafe String(cString: child.pointee.v.text.text)
            default: unsafe append(child)
            }
        }
    }

    private static func name(of element: GumboElement) -> String {
        guard unsafe element.tag == GUMBO_TAG_UNKNOWN else {
            return unsafe String(cString: gumbo_normalized_tagname(element.tag))
        }
        let text = unsafe UnsafeRawBufferPointer(start: element.original_tag.data, count: element.original_tag.length)
        return unsafe String(decoding: text, as: UTF8.self)
    }

    /// A text as it is read in a page: the parser replaces code points that no page may have and
    /// ends of lines, and may leave out the first of these.
    public static func asRead(_ text: String) -> String {
        var read = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            defer { previous = scalar }
            if scalar == "\r" {
                read.append("\n")
            } else if !(scalar == "\n" && previous == "\r"), !isForbidden(scalar) {
                read.append(scalar)
            }
        }
        // Of those at the beginning of `pre` the first is left out.
        return String(String.UnicodeScalarView(read.drop { $0 == "\n" }))
    }

    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...8, 0xB, 0xE...0x1F, 0x7F...0x9F, 0xFDD0...0xFDEF, 0xFFFD: true
        default: scalar.value & 0xFFFE == 0xFFFE
        }
    }
}
