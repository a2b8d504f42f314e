/// The columns of forms that have a line for each detection. Their values are those of the JSON object; the form adds its
/// separators and quotation marks.
enum DetectionColumns {
    /// Keys of the JSON object, and the columns that they have here; the link has two.
    private static let keys = [
        "file", "channel", "start", "duration", "code", "longcode", "snr_db", "corrected", "confidence", "tuning_cents",
        "speed", "format", "repeats", "channels",
    ]

    static let names = keys + ["link_kind", "link_url"]

    /// What a detection has in each column, in the order of ``names``; empty for what it does not have.
    static func texts(_ report: DetectionReport) -> [String] {
        let values = report.json.values
        let link = values["link"]?.values ?? [:]
        return (keys.map { values[$0] } + [link["kind"], link["url"]]).map(text)
    }

    private static func text(of value: JSONValue?) -> String {
        switch value {
        case nil, .null: ""
        case .string(let text): text
        case .array(let values): values.map(\.text).joined(separator: " ")
        case .some(let value): value.text
        }
    }
}

extension JSONValue {
    /// The values of an object by their keys; none of anything else.
    fileprivate var values: [String: JSONValue] {
        guard case .object(let members) = self else { return [:] }
        return Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
    }
}
