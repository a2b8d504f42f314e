internal import Chirp
internal import ChirpLinks
internal import Foundation

extension LinkError: UserFacingError {
    var userMessage: String {
        switch self {
        case .userNameLength(let name): "“\(name)” is not a Last.fm name: a name has 2 to 15 characters"
        case .userNameStart(let name): "“\(name)” is not a Last.fm name: a name begins with a letter"
        case .userNameCharacter(let name, let character):
            "“\(name)” is not a Last.fm name: “\(character)” is neither a letter from a to z, a digit, - nor _"
        case .notAWeek(let from, let to): "\(from) to \(to) is not a week of Last.fm's weekly chart list"
        case .malformedAddress(let text):
            "“\(text)” is not a web address: it is empty, or contains a space or an invisible character"
        case .addressScheme(let text): "“\(text)” is not a web address: it does not begin with http:// or https://"
        case .addressHost(let text): "“\(text)” is not a web address: it has no host"
        case .addressPort(let text): "“\(text)” is not a web address: its port is not a number from 1 to 65535"
        case .addressCredentials:
            "the address contains a user name or password, which everyone who receives the code would see; remove it"
        case .addressLength(let count, let limit): "the address has \(count) bytes; the limit is \(limit)"
        case .emptyText: "the note is empty"
        case .textBytes(let count, let limit): "the note has \(count) bytes; shorten it to \(limit)"
        case .textLength(let count, let limit): "the note has \(count) characters; shorten it to \(limit)"
        case .textCharacter: "the note contains the character U+0000"
        case .notAnObject(let reason): "not a JSON object: \(reason)"
        case .dataLength(let count, let limit): "the object has \(count) bytes; shorten it to \(limit)"
        case .emptyFile: "the file is empty"
        case .fileLength(_, let limit): "the file is larger than \(limit / 1_048_576) MB"
        case .fileType: "the file's content is not a PNG, JPEG, GIF, WebP or PDF; convert it to one of these"
        case .titleLength(let count, let limit): "the title has \(count) characters; shorten it to \(limit)"
        case .titleBytes(let limit): "the title is too long; shorten it to \(limit) bytes"
        case .mediaType(let text): "“\(text)” is not a media type such as text/html"
        case .expired: "the expiry time is in the past; choose a longer --expires"
        case .invalid(let kind, let reason): "the \(kind.content.noun) cannot be shared: \(reason)"
        }
    }
}

extension RegistryLocationError: UserFacingError {
    var userMessage: String {
        switch self {
        case .empty: "the registry name is empty: give \(RegistryLocation.acceptedForms)"
        case .unknownScheme(let scheme):
            "unsupported registry URL scheme “\(scheme)”: give \(RegistryLocation.acceptedForms)"
        case .malformedURL(let text): "“\(text)” is not a valid service URL"
        }
    }
}

extension RegistryError: UserFacingError {
    var userMessage: String {
        switch self {
        case .codeTaken(let code): "\(code): the code stands for something else (chirp resolve \(code) says what)"
        case .linkHasCode(let code): "the link already has the code \(code); use that code, or delete it first"
        case .wrongToken(let code):
            "\(code): the deletion token is wrong; it is the one that chirp share --json printed"
        case .noFreeCode(let draws): "no free code after \(draws) attempts; check the system's random source"
        case .contentMissing(let code): "\(code): the entry has no file content"
        case .store(let failure): failure.userMessage
        }
    }
}

extension StoreFailure: UserFacingError {
    var userMessage: String {
        let said = message.isEmpty ? "" : " (\(message))"
        return switch reason {
        case .full: "\(location): cannot \(operation): the disk is full\(said); free some space and try again"
        case .readOnly:
            "\(location): cannot \(operation): it is read-only\(said); change its permissions or name another "
                + "with --registry"
        case .corrupt:
            "\(location): cannot \(operation): it is damaged or not a registry\(said); restore it from a backup, or "
                + "name another with --registry"
        case .newerSchema(let found, let known):
            "\(location): was created by a newer version (schema \(found), this one supports \(known)); update chirp"
        case .busy: "\(location): cannot \(operation): it is busy\(said); try again"
        case .unreachable:
            "\(location): cannot \(operation): it is unreachable\(said); check that it is running"
        case .accessDenied:
            "\(location): cannot \(operation): access is denied\(said); "
                + (isOfService
                    ? "set \(RegistryAPI.keyVariable) to the key that the service was started with"
                    : "check user, password and permissions")
        case .other: "\(location): cannot \(operation): \(message)"
        }
    }

    private var isOfService: Bool {
        if case .http? = try? RegistryLocation(parsing: location) { true } else { false }
    }
}

/// What is given to share or import cannot be read, or a result not written.
struct ContentProblem: UserFacingError {
    let path: String
    let reason: String

    var userMessage: String { "\(path): \(reason)" }

    init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }

    /// What the system said of a file.
    init(path: String, cause: any Error) { self.init(path: path, reason: systemReason(for: cause, path: path)) }
}

/// A line that is not an entry of a registry.
struct ImportProblem: UserFacingError {
    let file: String
    let line: Int
    let reason: String

    var userMessage: String {
        "\(file), line \(line): \(reason); the lines before it are imported; importing again is harmless"
    }

    static func reason(_ error: any Error) -> String {
        switch error {
        case let error as any UserFacingError: return error.userMessage
        case let error as LinkSummaryError: return "a link of kind \(error.kind.rawValue) lacks “\(error.missing)”"
        case DecodingError.keyNotFound(let key, _): return "“\(key.stringValue)” is missing"
        case DecodingError.dataCorrupted(let context), DecodingError.typeMismatch(_, let context),
            DecodingError.valueNotFound(_, let context):
            return (context.codingPath.last.map { "“\($0.stringValue)”: " } ?? "") + context.debugDescription
        default: return String(describing: error)
        }
    }
}

/// A link is to be deleted without its token.
struct TokenMissing: UserFacingError {
    let code: Shortcode

    var userMessage: String {
        "\(code): no deletion token for this code on this machine; give it with --token"
    }
}
