/// What the page of a code shows of its link.
package struct LinkCard: Sendable, Hashable {
    /// A short line below the heading.
    package struct Line: Sendable, Hashable {
        /// Its class in the style sheet, such as `host`.
        package let style: String
        package let text: String
    }

    /// What is shown as it was written.
    package enum Body: Sendable, Hashable {
        case note(String)
        /// In a monospaced font.
        case code(String)
        case picture(source: String, description: String)
    }

    /// The one thing to do with it.
    package enum Action: Sendable, Hashable {
        /// Opens an address that whoever shared the link chose: the page vouches for nothing.
        case openForeign(label: String, url: String)
        /// Opens a page of a site that this program chose.
        case open(label: String, url: String)
        /// Saves the file at a path of the service.
        case save(source: String, name: String, details: String)
    }

    /// What it is, such as “Note”.
    package let label: String
    /// Nil for what needs none: people who do not see the page get the label and the code.
    package let heading: String?
    package let lines: [Line]
    package let body: Body?
    package let action: Action?

    init(_ label: String, heading: String? = nil, lines: [Line] = [], body: Body? = nil, action: Action? = nil) {
        self.label = label
        self.heading = heading
        self.lines = lines
        self.body = body
        self.action = action
    }
}
