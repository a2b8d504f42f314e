/// A text as one line: control characters and the marks that turn the direction of text around become spaces, and the
/// space around it goes.
func singleLine(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
        let category = scalar.properties.generalCategory
        let turnsDirection = (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        let isBreak = category == .control || category == .lineSeparator || category == .paragraphSeparator
        return isBreak || turnsDirection ? " " : scalar
    }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    var line = Substring(String(view))
    while line.first?.isWhitespace == true { line.removeFirst() }
    while line.last?.isWhitespace == true { line.removeLast() }
    return String(line)
}

/// The beginning or the end of a single line: at most so many characters with 16 bytes each, and no space where it was cut, so that
/// what was cut once stays as it is.
func singleLine(_ text: String, first limit: Int) -> String {
    // Far more than is taken, so that what is long is not gone through.
    let beginning = String(decoding: text.utf8.prefix(1_024 * limit), as: UTF8.self)
    var line = singleLine(beginning).prefix(limit)
    while line.utf8.count > 16 * limit { line.removeLast() }
    return singleLine(String(line))
}

func singleLine(_ text: String, last limit: Int) -> String {
    let end = String(decoding: text.utf8.suffix(1_024 * limit), as: UTF8.self)
    var line = singleLine(end).suffix(limit)
    while line.utf8.count > 16 * limit { line.removeFirst() }
    return singleLine(String(line))
}

extension String {
    /// At most so many characters, the last an ellipsis when some are left out.
    func shortened(to count: Int) -> String { self.count <= count ? self : prefix(count - 1) + "…" }
}
