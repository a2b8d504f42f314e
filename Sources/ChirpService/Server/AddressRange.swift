internal import Foundation
internal import Glibc

/// An IP address, or all that begin alike, such as `10.0.0.0/8`.
public struct AddressRange: Sendable, Hashable {
    private let bytes: [UInt8]
    private let prefixLength: Int

    /// Reads an address with or without a prefix length; nil when it is none.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let bytes = Self.bytes(of: first) else { return nil }
        var length = bytes.count * 8
        if parts.count == 2 {
            guard let given = Int(parts[1]), (0...length).contains(given) else { return nil }
            length = given
        }
        self.bytes = bytes
        prefixLength = length
    }

    /// Whether an address is in it.
    public func contains(_ address: some StringProtocol) -> Bool {
        guard let other = Self.bytes(of: address), other.count == bytes.count else { return false }
        let whole = prefixLength / 8
        guard other.prefix(whole) == bytes.prefix(whole) else { return false }
        let rest = prefixLength % 8
        return rest == 0 || (other[whole] ^ bytes[whole]) >> (8 - rest) == 0
    }

    /// 4 or 16 bytes; IPv4 written as IPv6 counts as IPv4.
    static func bytes(of text: some StringProtocol) -> [UInt8]? {
        var v4 = in_addr()
        if inet_pton(AF_INET, String(text), &v4) == 1 { return withUnsafeBytes(of: v4) { Array($0) } }
        var v6 = in6_addr()
        guard inet_pton(AF_INET6, String(text), &v6) == 1 else { return nil }
        let bytes = withUnsafeBytes(of: v6) { Array($0) }
        let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]
        return bytes.starts(with: mapped) ? Array(bytes.dropFirst(12)) : bytes
    }
}
