internal import Foundation

/// Where a registry is, as `CHIRP_REGISTRY` and `--registry` name it.
public enum RegistryLocation: Sendable, Hashable {
    /// The path of a SQLite file.
    case sqlite(path: String)
    /// A `postgresql://` URL.
    case postgresql(String)
    /// The URL of a `chirp serve`, without a slash at its end.
    case http(String)

    /// What ``init(parsing:)`` takes, for help texts and messages.
    public static let acceptedForms = "a SQLite file, a postgresql:// URL, or the http(s):// URL of a chirp service"

    /// Those of them in which a service keeps links.
    public static let formsForServices = "a SQLite file or a postgresql:// URL"

    /// Reads a path or URL; a path may begin with `sqlite:` or `~/`.
    ///
    /// - Throws: ``RegistryLocationError``
    public init(parsing text: String) throws(RegistryLocationError) {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty else { throw .empty }
        if text.hasPrefix("postgresql://") || text.hasPrefix("postgres://") {
            // What libpq says of such a URL has the password in it.
            guard Self.isWellFormed(text) else { throw .malformedURL(Self.withoutPassword(text)) }
            self = .postgresql(text)
        } else if text.hasPrefix("http://") || text.hasPrefix("https://") {
            guard let url = URL(string: text), let host = url.host, !host.isEmpty, url.query == nil,
                url.fragment == nil
            else { throw .malformedURL(Self.withoutPassword(text)) }
            var address = text
            while address.hasSuffix("/") { address.removeLast() }
            self = .http(address)
        } else if let end = text.range(of: "://") {
            throw .unknownScheme(String(text[..<end.lowerBound]))
        } else {
            let path = text.hasPrefix("sqlite:") ? String(text.dropFirst(7)) : text
            guard !path.isEmpty else { throw .empty }
            self = .sqlite(path: (path as NSString).expandingTildeInPath)
        }
    }

    /// The registry that a person's environment names: `CHIRP_REGISTRY`, or else `registry.sqlite` in ``DataFolder``.
    ///
    /// - Throws: ``RegistryLocationError``
    public init(environment: [String: String]) throws(RegistryLocationError) {
        if let text = environment["CHIRP_REGISTRY"], !text.isEmpty {
            try self.init(parsing: text)
        } else {
            self = .sqlite(path: DataFolder.path(environment: environment) + "/registry.sqlite")
        }
    }

    /// Whether each % is one of two hexadecimal digits, and each bracket closed.
    private static func isWellFormed(_ url: String) -> Bool {
        let bytes = Array(url.utf8)
        let areEncoded = bytes.indices.allSatisfy { index in
            bytes[index] != UInt8(ascii: "%")
                || bytes.dropFirst(index + 1).prefix(2).count { Character(UnicodeScalar($0)).isHexDigit } == 2
        }
        // Passwords may have brackets in them.
        let host = bytes[((bytes.lastIndex(of: UInt8(ascii: "@")) ?? -1) + 1)...]
        let depth = host.reduce(0) { $0 + ($1 == UInt8(ascii: "[") ? 1 : $1 == UInt8(ascii: "]") ? -1 : 0) }
        return areEncoded && depth == 0
    }

    static func withoutPassword(_ url: String) -> String {
        guard var components = URLComponents(string: url) else {
            return String(url.prefix { $0 != ":" }) + "://…"
        }
        if components.password != nil { components.password = "…" }
        components.queryItems = components.queryItems?.filter { $0.name != "password" && $0.name != "sslpassword" }
        if components.queryItems?.isEmpty == true { components.queryItems = nil }
        return components.string?.removingPercentEncoding ?? "…"
    }
}

extension RegistryLocation: CustomStringConvertible {
    /// For people, without a password.
    public var description: String {
        switch self {
        case .sqlite(let path): path
        case .postgresql(let url), .http(let url): Self.withoutPassword(url)
        }
    }
}

/// Why a text names no registry.
public enum RegistryLocationError: Error, Sendable, Hashable {
    case empty
    /// A URL of another scheme than `postgresql`, `http` and `https`.
    case unknownScheme(String)
    case malformedURL(String)
}

/// The folders where the program keeps its files (XDG Base Directory Specification 0.8).
public enum DataFolder {
    /// For data that must not be lost: `$XDG_DATA_HOME/chirp`, or `~/.local/share/chirp`.
    public static func path(environment: [String: String]) -> String {
        folder("XDG_DATA_HOME", default: ".local/share", environment)
    }

    /// For data that can be had again: `$XDG_CACHE_HOME/chirp`, or `~/.cache/chirp`.
    public static func cachePath(environment: [String: String]) -> String {
        folder("XDG_CACHE_HOME", default: ".cache", environment)
    }

    private static func folder(_ variable: String, default fallback: String, _ environment: [String: String]) -> String
    {
        if let path = environment[variable], path.hasPrefix("/") { return path + "/chirp" }
        let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory()
        return "\(home)/\(fallback)/chirp"
    }
}
