internal import Foundation

/// The kinds of links.
public enum LinkKind: String, Sendable, Hashable, Codable, CaseIterable {
    /// A Last.fm user.
    case user
    /// A Last.fm user's albums of one week.
    case chart
    /// A web address.
    case url
    /// A note.
    case text
    /// A JSON object, as clients of the original service's last generation sent it.
    case data
    /// A picture or PDF.
    case file
}

/// What a code stands for.
///
/// Two links are equal when a registry gives them the same code: titles, names of files and spellings of user names
/// make no difference.
public enum Link: Sendable, Hashable {
    case user(UserName)
    case chart(UserName, ChartWeek)
    case url(WebAddress)
    case text(NoteText)
    case data(DataObject)
    case file(FileDescription)

    public var kind: LinkKind {
        switch self {
        case .user: .user
        case .chart: .chart
        case .url: .url
        case .text: .text
        case .data: .data
        case .file: .file
        }
    }

    /// Where it leads, or nil for the kinds that have no page but the service's own.
    public var url: String? {
        switch self {
        case .user(let name): name.pageURL
        case .chart(let name, let week): name.chartURL(week: week)
        case .url(let address): address.text
        case .text, .data, .file: nil
        }
    }

    /// 32 bytes that are the same for equal links and no others: a file's own digest, and for the rest SHA-256 over the
    /// kind and what identifies the link. A file's bytes cannot begin as the other texts do, so the two never meet.
    public var identity: [UInt8] {
        switch self {
        case .user(let name): digest(name.folded)
        case .chart(let name, let week): digest("\(name.folded)\0\(week.number)")
        case .url(let address): digest(address.normalised)
        case .text(let note): digest(note.text)
        case .data(let object): digest(object.canonicalText)
        case .file(let file): file.digest
        }
    }

    /// Over the canonical composition, since equal strings may be spelled with other scalars.
    private func digest(_ text: String) -> [UInt8] {
        let text = text.precomposedStringWithCanonicalMapping
        return SHA256.digest(of: "\(kind.rawValue)\0\(text)")
    }
}
