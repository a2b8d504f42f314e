/// The kinds of links, in the order in which they are listed.
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

    /// The type that says everything else of the kind.
    package var content: any LinkContent.Type {
        switch self {
        case .user: UserName.self
        case .chart: WeeklyChart.self
        case .url: WebAddress.self
        case .text: NoteText.self
        case .data: DataObject.self
        case .file: FileDescription.self
        }
    }
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

    /// What it carries.
    package var content: any LinkContent {
        switch self {
        case .user(let name): name
        case .chart(let name, let week): WeeklyChart(user: name, week: week)
        case .url(let address): address
        case .text(let note): note
        case .data(let object): object
        case .file(let file): file
        }
    }

    public var kind: LinkKind { type(of: content).kind }

    /// Where it leads, or nil for the kinds that have no page but the service's own.
    public var url: String? { content.url }

    /// 32 bytes that are the same for equal links and no others: a file's own digest, and for the rest SHA-256 over the
    /// kind and what identifies the link. A file's bytes cannot begin as the other texts do, so the two never meet.
    public var identity: [UInt8] { content.identity }
}
