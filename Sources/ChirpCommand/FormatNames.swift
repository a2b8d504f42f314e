internal import ArgumentParser
internal import Chirp

/// The formats that a command line names.
enum FormatNames {
    static let list = WireFormat.all.map(\.name).joined(separator: ", ")

    /// The formats of names separated by commas, or all.
    static func formats(_ names: String) throws -> [WireFormat] {
        if names == "all" { return WireFormat.all }
        let formats = try names.split(separator: ",", omittingEmptySubsequences: false).map { try format(String($0)) }
        return formats
    }

    /// The format of a name.
    static func format(_ name: String) throws -> WireFormat {
        guard let format = WireFormat(named: name) else {
            throw ValidationError("--format: unknown format “\(name)”; it is one of \(list).")
        }
        return format
    }
}
