/// A member of a link's JSON.
package struct LinkJSONMember: Sendable, Hashable {
    package enum Form: String, Sendable {
        case string, integer, object
    }

    package let key: String
    package let form: Form
    /// A regular expression for every string, or nil.
    package let pattern: String?

    init(_ key: String, _ form: Form, pattern: String? = nil) {
        self.key = key
        self.form = form
        self.pattern = pattern
    }

    /// Those of all kinds, in the order in which JSON has them. Kinds share members of the same name.
    package static let all: [LinkJSONMember] = {
        var all: [LinkJSONMember] = []
        for member in LinkKind.allCases.flatMap({ $0.content.members }) {
            if !all.contains(where: { $0.key == member.key }) { all.append(member) }
        }
        return all
    }()
}
