/// The secret that deletes a link. The registering client receives it; registries store only its digest.
public struct DeletionToken: Sendable, Hashable {
    /// 32 hexadecimal digits.
    public let text: String

    /// A token of 128 bits drawn from the system's random source.
    public init() {
        var generator = SystemRandomNumberGenerator()
        text = hexadecimal((0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    /// A token as it was given out, or nil when none looks so.
    public init?(_ text: String) {
        let text = text.lowercased()
        guard text.utf8.count == 32, bytes(hexadecimal: text) != nil else { return nil }
        self.text = text
    }

    /// SHA-256 of its digits.
    package var digest: [UInt8] { SHA256.digest(of: text) }
}

/// Bytes as lower-case hexadecimal digits.
package func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}

/// The bytes that hexadecimal digits spell, or nil.
func bytes(hexadecimal text: String) -> [UInt8]? {
    let values = text.utf8.map { UInt8(String(UnicodeScalar($0)), radix: 16) }
    guard values.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: values.count, by: 2) {
        guard let high = values[index], let low = values[index + 1] else { return nil }
        bytes.append(high << 4 | low)
    }
    return bytes
}
