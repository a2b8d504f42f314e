/// Detections as comma-separated values (RFC 4180), a line each.
public enum DetectionCSV {
    public static let header = DetectionColumns.names.joined(separator: ",")

    /// The line of a detection, without its end.
    public static func line(_ report: DetectionReport) -> String {
        DetectionColumns.texts(report).map(quoted).joined(separator: ",")
    }

    /// A field with a comma, a quotation mark or a line end is put in quotation marks, and those in it are doubled.
    private static func quoted(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) }) else { return text }
        // A quotation mark with an accent is one character, and no other program's.
        let scalars = text.unicodeScalars.flatMap { $0 == "\"" ? [$0, $0] : [$0] }
        return "\"\(String(String.UnicodeScalarView(scalars)))\""
    }
}
