/// Detections as comma-separated values (RFC 4180), a line each.
public enum DetectionCSV {
    /// Keys of the JSON object, and the columns that they have here; the link has two.
    static let keys = [
        "file", "channel", "start", "duration", "code", "longcode", "snr_db", "corrected", "confidence", "tuning_cents",
        "speed", "format", "repeats", "channels",
    ]

    public static let header = (keys + ["link_kind", "link_url"]).joined(separator: ",")

    /// The line of a detection, without its end.
    public static func line(_ report: DetectionReport) -> String {
        let values = report.json.values
        let link = values["link"]?.values ?? [:]
        return (keys.map { values[$0] } + [link["kind"], link["url"]]).map(field).joined(separator: ",")
    }

    private static func field(_ value: JSONValue?) -> String {
        switch value {
        case nil, .null: ""
        case .string(let text): quoted(text)
        case .array(let values): quoted(values.map(\.text).joined(separator: " "))
        case .some(let value): value.text
        }
    }

    /// A field with a comma, a quotation mark or a line end is put in quotation marks, and those in it are doubled.
    private static func quoted(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) }) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}

extension JSONValue {
    /// The values of an object by their keys; none of anything else.
    fileprivate var values: [String: JSONValue] {
        guard case .object(let members) = self else { return [:] }
        return Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
    }
}
