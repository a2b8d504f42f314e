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

extension String {
    /// At most so many characters, the last an ellipsis when some are left out.
    func shortened(to count: Int) -> String { self.count <= count ? self : prefix(count - 1) + "…" }
}
