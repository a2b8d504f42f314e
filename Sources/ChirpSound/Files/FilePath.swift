internal import Glibc

/// Paths as strings, whatever their bytes.
///
/// A file name on Linux is any sequence of bytes without zero and slash; a `String` holds valid UTF-8 only. In a path as this
/// module takes it, each byte that is not part of valid UTF-8 is represented by a private-use character: byte *b* by
/// U+10FF00 + *b*, for 0x80 to 0xFF. Characters of that range in a name are represented byte by byte too, so that the
/// conversion is reversible for every name.
public enum FilePath {
    private static let escapes: ClosedRange<UInt32> = 0x10_FF80...0x10_FFFF
    private static let escapeBase: UInt32 = 0x10_FF00

    /// The path that stands for these bytes.
    public static func string(of bytes: some Collection<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self), !hasEscapes(text) { return text }
        var scalars = String.UnicodeScalarView()
        var rest = Array(bytes)[...]
        while let first = rest.first {
            // The length is in the first byte's leading ones (RFC 3629, section 3).
            let length = first < 0x80 ? 1 : max((~first).leadingZeroBitCount, 2)
            let scalar = String(validating: rest.prefix(length), as: UTF8.self)?.unicodeScalars.first
            if let scalar, !escapes.contains(scalar.value) {
                scalars.append(scalar)
                rest = rest.dropFirst(length)
            } else {
                UnicodeScalar(escapeBase + UInt32(first)).map { scalars.append($0) }
                rest = rest.dropFirst()
            }
        }
        return String(scalars)
    }

    /// The bytes that a path stands for.
    public static func bytes(of path: String) -> [UInt8] {
        guard hasEscapes(path) else { return Array(path.utf8) }
        return path.unicodeScalars.flatMap { scalar in
            escapes.contains(scalar.value) ? [UInt8(scalar.value - escapeBase)] : Array(UTF8.encode(scalar) ?? .init())
        }
    }

    /// The path as it is shown: bytes that are not UTF-8 are replacement characters, U+FFFD.
    public static func printable(_ path: String) -> String {
        hasEscapes(path) ? String(decoding: bytes(of: path), as: UTF8.self) : path
    }

    /// The program's arguments, without its name.
    public static let arguments: [String] = (1..<max(1, Int(CommandLine.argc))).compactMap { index in
        unsafe CommandLine.unsafeArgv[index].map { argument in
            unsafe string(of: UnsafeRawBufferPointer(start: argument, count: strlen(argument)))
        }
    }

    private static func hasEscapes(_ text: String) -> Bool {
        // All of them begin with 0xF4 in UTF-8, which hardly any text has.
        text.utf8.contains(0xF4) && text.unicodeScalars.contains { escapes.contains($0.value) }
    }
}

extension FilePath {
    /// Calls `body` with the path as the system takes it.
    package static func withSystemPath<R>(_ path: String, _ body: (UnsafePointer<CChar>) -> R) -> R {
        let characters = (bytes(of: path) + [0]).map { CChar(bitPattern: $0) }
        return unsafe characters.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { preconditionFailure("a path ends with a zero") }
            return unsafe body(start)
        }
    }

    /// Opens a file as open(2) does.
    ///
    /// - Returns: a descriptor that the caller closes, or −1 with the reason in `errno`.
    public static func open(_ path: String, flags: Int32, mode: UInt32 = 0o666) -> Int32 {
        unsafe withSystemPath(path) { unsafe Glibc.open($0, flags | O_CLOEXEC, mode) }
    }
}
