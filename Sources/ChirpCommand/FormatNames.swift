internal import ArgumentParser
internal import Chirp

/// The formats that a command line names.
enum FormatNames {
    static let list = WireFormat.names

    /// What a shell offers for one of them.
    static let completion = CompletionKind.list(WireFormat.all.map(\.name))

    /// The formats of names separated by commas, or all.
    static func formats(_ names: String) throws -> [WireFormat] {
        do { return try WireFormat.formats(named: names) } catch { throw Self.problem(error) }
    }

    /// The format of a name.
    static func format(_ name: String) throws -> WireFormat {
        do { return try WireFormat.format(named: name) } catch { throw Self.problem(error) }
    }

    private static func problem(_ error: UnknownFormatError) -> ValidationError {
        ValidationError("--format: unknown format “\(error.name)”; it is one of \(list).")
    }
}
