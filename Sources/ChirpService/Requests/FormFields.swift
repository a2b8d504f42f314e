internal import Foundation

/// The fields of a form. A field that is given more than once has its first value.
struct FormFields {
    private let values: [String: String]

    init(_ fields: [(name: String, value: String)]) {
        values = Dictionary(fields.map { ($0.name, $0.value) }) { first, _ in first }
    }

    /// Reads `application/x-www-form-urlencoded` (URL Standard, section 5.1), as forms and queries are written.
    init(_ text: some StringProtocol) {
        self.init(
            text.split(separator: "&").map { pair in
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return (name: Self.decoded(parts[0]), value: parts.count > 1 ? Self.decoded(parts[1]) : "")
            })
    }

    /// Reads the body of a request, in either of the two forms that browsers send.
    init(body: [UInt8], contentType: String?) {
        if let form = MultipartForm(body: body, contentType: contentType) {
            self = form.fields
        } else {
            self.init(String(decoding: body, as: UTF8.self))
        }
    }

    subscript(name: String) -> String? { values[name] }

    /// Malformed escapes stand for themselves, and bytes that are not UTF-8 for the replacement character.
    private static func decoded(_ text: some StringProtocol) -> String {
        var bytes: [UInt8] = []
        let source = Array(text.utf8)
        var index = 0
        while index < source.count {
            let byte = source[index]
            // Digit by digit: UInt8(_:radix:) takes a sign, so that “%+f” would be a byte.
            if byte == UInt8(ascii: "%"), index + 2 < source.count,
                let high = Character(UnicodeScalar(source[index + 1])).hexDigitValue,
                let low = Character(UnicodeScalar(source[index + 2])).hexDigitValue
            {
                bytes.append(UInt8(high << 4 | low))
                index += 3
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
