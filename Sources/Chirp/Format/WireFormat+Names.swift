/// A name that no format has.
package struct UnknownFormatError: Error, Hashable {
    package let name: String
}

extension WireFormat {
    /// The names of all formats, for people.
    package static let names = all.map { $0.name }.joined(separator: ", ")

    /// The formats of names separated by commas, in their order; with `all` among them, every one.
    ///
    ///     try WireFormat.formats(named: "fast,original")  // [.fast, .original]
    package static func formats(named names: String) throws(UnknownFormatError) -> [WireFormat] {
        var formats: [WireFormat] = []
        for part in names.split(separator: ",", omittingEmptySubsequences: false) {
            var name = part.drop { $0 == " " }
            while name.last == " " { name.removeLast() }
            if name.lowercased() == "all" { return all }
            formats.append(try format(named: String(name)))
        }
        return formats
    }

    /// The format of a name.
    package static func format(named name: String) throws(UnknownFormatError) -> WireFormat {
        guard let format = WireFormat(named: name) else { throw UnknownFormatError(name: name) }
        return format
    }
}
