internal import ArgumentParser
internal import Chirp

/// The formats in which codes are sent.
struct SentFormatOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Formats to send each code in, one after the other, separated by commas: \(FormatNames.list); or all.",
            valueName: "names"),
        completion: FormatNames.completion)
    var format = WireFormat.original.name

    func validate() throws { _ = try chosen() }

    func chosen() throws -> [WireFormat] { try FormatNames.formats(format) }
}

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
